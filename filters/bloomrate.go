package filters

import "math"

// BloomRate returns the expected false-positive rate of a Bloom filter of m
// bits that holds n keys with k independent uniform positions each.
//
// The textbook form (1 - e^(-kn/m))^k takes the share of set bits for a
// constant. It varies from filter to filter, and its k-th power is convex, so
// small filters do worse (Bose et al., "On the false-positive rate of Bloom
// filters", 2008). Here the number of set bits is taken as normal, with the
// mean and variance of the occupancy problem, and its k-th moment is computed
// by the recurrence of the normal distribution. O(k) time.
func BloomRate(m, n uint64, k int) float64 {
	mean, variance := occupancy(float64(m), float64(n)*float64(k))
	// E[X^i] = mean E[X^(i-1)] + (i-1) variance E[X^(i-2)]
	prev, moment := 1.0, mean
	for i := 2; i <= k; i++ {
		prev, moment = moment, mean*moment+float64(i-1)*variance*prev
	}
	return min(moment, 1)
}

// occupancy returns mean and variance of the share of m bins that are hit by
// at least one of balls uniform balls.
func occupancy(m, balls float64) (mean, variance float64) {
	if m <= 1 {
		return min(balls, 1), 0
	}
	empty := math.Exp(balls * math.Log1p(-1/m))
	return 1 - empty, max(0, empty*(1-(1+balls/m)*empty)/m)
}

// BloomBits returns the textbook size of a Bloom filter for n keys at rate p,
// n ln(1/p) / (ln 2)^2 bits, rounded up, as a float since it may exceed 64 bits.
func BloomBits(n uint64, p float64) float64 {
	return math.Ceil(float64(n) * -math.Log(p) / (math.Ln2 * math.Ln2))
}
