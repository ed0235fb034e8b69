// Package stat holds the little statistics that a report needs: an interval
// for a measured rate, and quantiles of repeated timings.
package stat

import "math"

// z95 is the 97.5 % quantile of the normal distribution: both tails together
// leave 95 %.
const z95 = 1.959963984540054

// Wilson returns the 95 % Wilson score interval of a rate of which hits out of
// probes independent trials were seen (Wilson, "Probable inference", 1927).
// Unlike the textbook interval it is sound near 0 and 1, and hits = 0 has an
// upper end. No probes at all say nothing: 0 to 1.
func Wilson(hits, probes uint64) (low, high float64) {
	if probes == 0 {
		return 0, 1
	}
	n, p := float64(probes), float64(hits)/float64(probes)
	shrink := 1 + z95*z95/n
	centre := (p + z95*z95/(2*n)) / shrink
	half := z95 / shrink * math.Sqrt(p*(1-p)/n+z95*z95/(4*n*n))
	low, high = max(0, centre-half), min(1, centre+half)
	if hits == 0 {
		low = 0
	}
	if hits == probes {
		high = 1
	}
	return low, high
}
