package blocked

import (
	"math"
	"math/bits"
	"sync"

	"github.com/tamis-filter/tamis/asm"
	"github.com/tamis-filter/tamis/filters"
)

// rate returns the expected false-positive rate of n keys in lines.
func rate(lines, n uint64, k int) float64 {
	return filters.BlockedRate(lines, n, lineRate(k))
}

// bestK returns the k with the lowest rate, and that rate. The rate has one
// minimum in k, which is found by going downhill from a guess.
func bestK(lines, n uint64, guess int) (k int, least float64) {
	k, least = guess, rate(lines, n, guess)
	for _, step := range []int{-1, 1} {
		for k+step >= 1 && k+step <= asm.MaxBlockedK {
			r := rate(lines, n, k+step)
			if r >= least {
				break
			}
			k, least = k+step, r
		}
	}
	return k, least
}

// lineRate returns the rate of a line as a function of the number of its keys.
//
// With 1 < k < 8 a key uses k of the line's eight words, one after the other.
// That ties a stranger's bits to one another: a key that used one of its words
// has likely used the next one too. In lines of few keys it tells, up to
// twofold, and the rate is computed exactly; in others it is below one percent.
func lineRate(k int) func(keys float64) float64 {
	independent := filters.BlockRate(k, lineBits)
	if k <= 1 || k >= 8 {
		return independent
	}
	few := &windowRates()[k]
	return func(keys float64) float64 {
		if keys > fewKeys {
			return independent(keys)
		}
		return few[int(keys)]
	}
}

// fewKeys is up to how many keys a line's rate is computed exactly.
const fewKeys = 64

// windowRates has the rate of a line for each k from 2 to 7 and each number of
// keys up to fewKeys.
//
// A subset of a stranger's words is missed by a key with the mean, over the words
// that the key may start at, of 63/64 to the power of how many it shares with
// the key's. By inclusion and exclusion over all subsets, j keys set all bits of
// the stranger with the sum of those to the j-th, taken negative for subsets of
// an odd size.
var windowRates = sync.OnceValue(func() *[8][fewKeys + 1]float64 {
	var rates [8][fewKeys + 1]float64
	for k := 2; k < 8; k++ {
		for subset := range 1 << k { // of the words 0 to k-1
			sign, miss := 1.0, 0.0
			if bits.OnesCount(uint(subset))%2 == 1 {
				sign = -1
			}
			for first := range 8 {
				shared := 0
				for i := range k {
					shared += subset >> ((first + i) % 8) & 1
				}
				miss += math.Pow(63.0/64, float64(shared)) / 8
			}
			for j := range rates[k] {
				rates[k][j] += sign * math.Pow(miss, float64(j))
			}
		}
		for j := range rates[k] {
			rates[k][j] = max(rates[k][j], 0)
		}
	}
	return &rates
})
