package blocked

import (
	"math"
	"sync"

	"github.com/tamis-filter/tamis/asm"
	"github.com/tamis-filter/tamis/filters"
)

// rate returns the expected false-positive rate of n keys in lines.
func rate(lines, n uint64, k int) float64 {
	return filters.BlockedRate(lines, n, lineRate(k))
}

// bestK returns the k with the lowest rate, and that rate. The rate has one
// minimum in k.
func bestK(lines, n uint64) (k int, least float64) {
	k, least = 1, rate(lines, n, 1)
	for k < asm.MaxBlockedK {
		r := rate(lines, n, k+1)
		if r >= least {
			break
		}
		k, least = k+1, r
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
	terms := windowTerms()[k]
	return func(keys float64) float64 {
		if keys > fewKeys {
			return independent(keys)
		}
		sum := 0.0
		for _, t := range terms {
			sum += t.sign * math.Pow(t.miss, keys)
		}
		return max(sum, 0)
	}
}

// fewKeys is up to how many keys a line's rate is computed exactly.
const fewKeys = 64

// term is a part of the sum over the subsets of a stranger's words: sign, times
// the number of subsets that are alike, and the probability that a key sets in
// none of the subset's words the bit that the stranger looks at.
type term struct{ sign, miss float64 }

// windowTerms has the terms for each k from 2 to 7. By inclusion and exclusion
// the probability that all bits of a stranger are set by j keys is the sum of
// sign·miss^j.
var windowTerms = sync.OnceValue(func() (terms [8][]term) {
	for k := 2; k < 8; k++ {
		at := map[float64]int{}
		for subset := range 1 << k { // of the words 0 to k-1, the stranger's
			sign, miss := 1.0, 0.0
			for first := range 8 { // word of a key
				both := 0
				for i := range k {
					both += subset >> ((first + i) % 8) & 1
				}
				miss += math.Pow(63.0/64, float64(both)) / 8
			}
			for w := range k {
				if subset>>w&1 == 1 {
					sign = -sign
				}
			}
			if i, ok := at[miss]; ok {
				terms[k][i].sign += sign
			} else {
				at[miss] = len(terms[k])
				terms[k] = append(terms[k], term{sign, miss})
			}
		}
	}
	return terms
})
