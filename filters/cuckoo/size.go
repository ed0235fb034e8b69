package cuckoo

import (
	"fmt"
	"math"

	"github.com/tamis-filter/tamis/asm"
	"github.com/tamis-filter/tamis/filters"
)

const (
	slotsPerBucket = 4
	maxLoad        = 0.95
	maxBuckets     = filters.MaxPayload / 2
)

// fingerprints are the fingerprint lengths that there are, in bits.
var fingerprints = [...]int{8, 12, 16, 32}

// rate is the expected false-positive rate with keys fingerprints in a table:
// that any of the slots of two buckets holds the stranger's.
func rate(keys float64, buckets uint64, fpBits int) float64 {
	seen := 2 * keys / float64(buckets)
	return -math.Expm1(seen * math.Log1p(-1/(math.Exp2(float64(fpBits))-1)))
}

// minBuckets returns the number of buckets in which n distinct keys find room,
// but for one small table in many thousands: there the load varies more from
// bucket to bucket, which the few extra ones make up for. TestRoom measures it.
func minBuckets(n uint64) float64 {
	return math.Ceil(float64(n)/(slotsPerBucket*maxLoad)) + 6
}

// Geometry returns the number of buckets and the fingerprint length, in bits,
// that hold n keys at rate p in the least space.
func Geometry(n uint64, p float64) (buckets uint64, fpBits int, err error) {
	c := filters.Config{Keys: n, FPR: p}
	if err := c.Check(); err != nil {
		return 0, 0, err
	}
	return geometry(c)
}

// geometry resolves a Config that has passed Check.
func geometry(c filters.Config) (buckets uint64, fpBits int, err error) {
	if budget, ok := c.Budget(); ok {
		return largest(c, budget)
	}
	least := math.Inf(1)
	for _, b := range fingerprints {
		n := max(minBuckets(c.Keys), roomyBuckets(float64(c.Keys), c.FPR, b))
		if bytes := n * float64(asm.CuckooBucketBytes(b)); bytes < least {
			least, buckets, fpBits = bytes, uint64(min(n, maxBuckets)), b
		}
	}
	if err := c.CheckPayload(least + asm.CuckooPadding); err != nil {
		return 0, 0, err
	}
	return buckets, fpBits, nil
}

// roomyBuckets returns the number of buckets at which fingerprints of fpBits
// reach rate p.
func roomyBuckets(keys, p float64, fpBits int) float64 {
	seen := math.Log1p(-p) / math.Log1p(-1/(math.Exp2(float64(fpBits))-1))
	return math.Ceil(2 * keys / seen)
}

// largest returns the geometry of the lowest rate within a budget: the longest
// fingerprint that fits, and then as many buckets as fit.
func largest(c filters.Config, budget uint64) (buckets uint64, fpBits int, err error) {
	need := minBuckets(c.Keys)
	bytes := func(b int) float64 { return need*float64(asm.CuckooBucketBytes(b)) + asm.CuckooPadding }
	for i := len(fingerprints) - 1; i >= 0; i-- {
		b := fingerprints[i]
		fits := bytes(b) <= float64(budget/8)
		if c.BitsPerKey != 0 {
			fits = float64(b)/maxLoad <= c.BitsPerKey // small tables may take a little more
		}
		if !fits {
			continue
		}
		n := need
		if i < len(fingerprints)-1 {
			n = max(n, (float64(budget/8)-asm.CuckooPadding)/float64(asm.CuckooBucketBytes(b)))
		}
		return uint64(n), b, c.CheckPayload(n*float64(asm.CuckooBucketBytes(b)) + asm.CuckooPadding)
	}
	shortest := fingerprints[0]
	if c.BitsPerKey != 0 {
		return 0, 0, filters.TooSmall("BitsPerKey", c.BitsPerKey, float64(shortest)/maxLoad)
	}
	return 0, 0, filters.TooSmall("MaxBytes", c.MaxBytes, filters.HeaderSize+bytes(shortest))
}

// Size computes what New(c) would come to.
func Size(c filters.Config) (filters.Size, error) {
	if err := c.Check(); err != nil {
		return filters.Size{}, err
	}
	buckets, fpBits, err := geometry(c)
	if err != nil {
		return filters.Size{}, err
	}
	payload := payloadBytes(buckets, fpBits)
	return filters.Size{
		Bytes:      filters.HeaderSize + payload,
		BitsPerKey: float64(payload*8) / float64(c.Keys),
		FPR:        rate(float64(c.Keys), buckets, fpBits),
		Layout:     layout(buckets, fpBits),
		BuildBytes: filters.DistinctBytes(c.Keys) + fillBytes(c.Keys) + payload,
	}, nil
}

// fillBytes is the memory that fill takes for hashes that find no room at once.
func fillBytes(hashes uint64) uint64 { return 8 * (hashes / 5) }

func payloadBytes(buckets uint64, fpBits int) uint64 {
	return buckets*uint64(asm.CuckooBucketBytes(fpBits)) + asm.CuckooPadding
}

func layout(buckets uint64, fpBits int) string {
	return fmt.Sprintf("%d-bit fingerprints, %d buckets of 4", fpBits, buckets)
}
