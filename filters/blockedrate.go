package filters

import "math"

// BlockedRate returns the expected false-positive rate of a filter whose n keys
// fall into blocks blocks at random, given the rate of a block as a function of
// the number of keys in it.
//
// That number is binomial, and crowded blocks weigh more than empty ones save,
// so the rate is the mean over it (Putze, Sanders and Singler, "Cache-, hash-
// and space-efficient Bloom filters", 2007), not the rate at its mean. It takes
// O(√(n/blocks)) calls of rateAt, and a bounded number.
func BlockedRate(blocks, n uint64, rateAt func(keys float64) float64) float64 {
	if n == 0 || blocks == 0 {
		return 0
	}
	if mean := float64(n) / float64(blocks); blocks == 1 || mean > 1e6 {
		return rateAt(mean) // all blocks are as good as equal; and a file may claim any n
	}
	// Walk from the mode of the binomial both ways until the terms no longer
	// matter. Weights are relative to the mode's and divided by their sum. The
	// conversions keep products from being fused into the sums, of which one would
	// then be rounded otherwise than the other, and a rate of 1 exceed 1.
	N, q := float64(n), 1/float64(blocks)
	odds := q / (1 - q)
	mode := math.Floor((N + 1) * q)
	weight, sum := 1.0, rateAt(mode)
	for j, w := mode, 1.0; j >= 1 && w > 1e-12; j-- {
		w = float64(w * (j / ((N - j + 1) * odds)))
		weight += w
		sum += float64(w * rateAt(j-1))
	}
	for j, w := mode, 1.0; j < N; j++ {
		w = float64(w * ((N - j) / (j + 1) * odds))
		term := float64(w * rateAt(j+1))
		weight += w
		sum += term
		if w < 1e-12 && term < 1e-9*sum {
			break
		}
	}
	return sum / weight
}

// BlockRate returns the rate of a block of blockBits bits as a function of the
// number of keys in it, each of which sets k of them, the bits of a stranger
// being set independently of one another.
func BlockRate(k, blockBits int) func(keys float64) float64 {
	logMiss := math.Log1p(-float64(k) / float64(blockBits))
	return func(keys float64) float64 {
		return power(-math.Expm1(keys*logMiss), k)
	}
}

// power returns x^k for k ≥ 0, faster than math.Pow for the small k of a filter.
func power(x float64, k int) float64 {
	p := 1.0
	for ; k > 0; k >>= 1 {
		if k&1 == 1 {
			p *= x
		}
		x *= x
	}
	return p
}

// Blocks returns the number of blocks, of blockBits bits each, for a Config that
// has passed Check: for a rate the smallest number that keeps
// rateAt(blocks), which falls as blocks grow, at or below it; for a budget what
// fits. More than maxBitsPerKey bits per key are refused for a rate, with an
// ErrUnreachable, and left unused for a budget.
func (c Config) Blocks(blockBits int, maxBitsPerKey float64, rateAt func(blocks uint64) float64) (uint64, error) {
	width := float64(blockBits)
	most := max(1, math.Ceil(float64(c.Keys)*maxBitsPerKey/width))
	if budget, ok := c.Budget(); ok {
		blocks := min(float64(budget/uint64(blockBits)), most)
		if blocks == 0 && c.MaxBytes != 0 {
			return 0, TooSmall("MaxBytes", c.MaxBytes, float64(HeaderSize+blockBits/8))
		}
		blocks = max(blocks, 1)
		return uint64(blocks), c.CheckPayload(blocks * width / 8)
	}
	enough := func(blocks float64) bool { return rateAt(uint64(blocks)) <= c.FPR }
	// An unblocked filter's size is too small, or just enough in a single block.
	lo := math.Floor(BloomBits(c.Keys, c.FPR) / 2 / width)
	hi := lo + 1
	for !enough(hi) {
		if hi >= most {
			return 0, Unreachable(c.FPR, rateAt(uint64(most)))
		}
		lo, hi = hi, min(math.Ceil(hi*1.5), most)
	}
	for hi-lo > 1 {
		if mid := math.Floor((lo + hi) / 2); enough(mid) {
			hi = mid
		} else {
			lo = mid
		}
	}
	return uint64(hi), c.CheckPayload(hi * width / 8)
}
