package standard

import (
	"fmt"
	"math"

	"github.com/tamis-filter/tamis/filters"
)

// MaxK is the largest number of positions a key can have.
const MaxK = 64

// tolerance is the factor on the asked rate within which sizing stays. It leaves
// the textbook's m as it is for the usual rates: there the rate comes out up to
// 1 % above, because k is whole.
const tolerance = 1.01

// Geometry returns the number of bits m and of positions k for n keys at rate
// p: the textbook m where its rate is within 1 % of p, else the
// smallest m that is; and the k that is best for it. O(log n) time.
func Geometry(n uint64, p float64) (m uint64, k int, err error) {
	c := filters.Config{Keys: n, FPR: p}
	if err := c.Check(); err != nil {
		return 0, 0, err
	}
	textbook := filters.BloomBits(n, p)
	if err := c.CheckPayload(textbook / 8); err != nil {
		return 0, 0, err
	}
	meets := func(m uint64) bool {
		return filters.BloomRate(m, n, BestK(m, n)) <= p*tolerance
	}
	m = uint64(textbook)
	if !meets(m) {
		lo, hi := m, 2*m+8 // lo is too few
		for !meets(hi) {
			lo, hi = hi, 2*hi
		}
		for hi-lo > 1 {
			if mid := lo + (hi-lo)/2; meets(mid) {
				hi = mid
			} else {
				lo = mid
			}
		}
		m = hi
	}
	return m, BestK(m, n), nil
}

// BestK returns the number of positions, at most MaxK, that gives m bits the
// lowest rate at n keys.
func BestK(m, n uint64) int {
	// The rate has one minimum in k, at or below (m/n) ln 2.
	k := int(min(MaxK, math.Ceil(float64(m)/float64(max(n, 1))*math.Ln2)+1))
	best := filters.BloomRate(m, n, k)
	for k > 1 {
		r := filters.BloomRate(m, n, k-1)
		if r > best {
			break
		}
		best = r
		k--
	}
	return k
}

// geometry resolves a Config that has passed Check.
func geometry(c filters.Config) (m uint64, k int, err error) {
	budget, ok := c.Budget()
	if !ok {
		m, k, err = Geometry(c.Keys, c.FPR)
		if err != nil {
			return 0, 0, err
		}
		return m, k, c.CheckPayload(float64(payloadBytes(m)))
	}
	// More than this serves nobody: the rate is below MinFPR. It stays a
	// multiple of 64, which folds.
	enough := 64 * uint64(math.Ceil(float64(c.Keys)*MaxK/math.Ln2/64))
	m = min(max(budget, 1), enough)
	if c.MaxBytes != 0 {
		m = m / 64 * 64
	}
	if m == 0 {
		return 0, 0, filters.TooSmall("MaxBytes", c.MaxBytes, filters.HeaderSize+8)
	}
	if err := c.CheckPayload(float64(m) / 8); err != nil {
		return 0, 0, err
	}
	return m, BestK(m, c.Keys), nil
}

// Size computes what New(c) would come to.
func Size(c filters.Config) (filters.Size, error) {
	if err := c.Check(); err != nil {
		return filters.Size{}, err
	}
	m, k, err := geometry(c)
	if err != nil {
		return filters.Size{}, err
	}
	payload := payloadBytes(m)
	return filters.Size{
		Bytes:      filters.HeaderSize + payload,
		BitsPerKey: float64(payload*8) / float64(c.Keys),
		FPR:        filters.BloomRate(m, c.Keys, k),
		Layout:     layout(m, k),
		BuildBytes: filters.HeaderSize + payload,
	}, nil
}

// payloadBytes returns the bytes that hold m bits, in whole 64-bit words.
func payloadBytes(m uint64) uint64 { return (m + 63) / 64 * 8 }

func layout(m uint64, k int) string { return fmt.Sprintf("k = %d, %d bits", k, m) }
