package filters

import (
	"fmt"
	"math"
)

// BlockedRate returns the expected false-positive rate of a blocked Bloom
// filter: n keys fall into blocks blocks, each sets k of its block's bits, no
// two of one key alike, and any given bit is set by a given key of the block
// with probability k/blockBits.
//
// The number of keys in a block is binomial, and crowded blocks weigh more
// than empty ones save, so the rate is the mean over that number (Putze,
// Sanders, Singler, "Cache-, hash- and space-efficient Bloom filters", 2007),
// not the rate at its mean. O(blockBits/k) time.
func BlockedRate(blocks, n uint64, k, blockBits int) float64 {
	if n == 0 || blocks == 0 {
		return 0
	}
	logMiss := math.Log1p(-float64(k) / float64(blockBits))
	rateAt := func(keys float64) float64 {
		return math.Pow(-math.Expm1(keys*logMiss), float64(k))
	}
	if float64(n)/float64(blocks)*float64(k) > 50*float64(blockBits) {
		return 1 // every bit is set, but for one in e^50; and a file may claim any n
	}
	if blocks == 1 {
		return rateAt(float64(n))
	}
	// Walk from the mode of the binomial both ways until the terms no longer
	// matter. Weights are relative to the mode's and divided by their sum.
	N, q := float64(n), 1/float64(blocks)
	odds := q / (1 - q)
	mode := math.Floor((N + 1) * q)
	weight, sum := 1.0, rateAt(mode)
	for j, w := mode, 1.0; j >= 1 && w > 1e-12; j-- {
		w *= j / ((N - j + 1) * odds)
		weight += w
		sum += w * rateAt(j-1)
	}
	for j, w := mode, 1.0; j < N; j++ {
		w *= (N - j) / (j + 1) * odds
		term := w * rateAt(j+1)
		weight += w
		sum += term
		if w < 1e-12 && term < 1e-9*sum {
			break
		}
	}
	return sum / weight
}

// BestBlockedK returns the k, 1 to most, with the lowest BlockedRate, and that
// rate. The rate has one minimum in k.
func BestBlockedK(blocks, n uint64, most, blockBits int) (k int, rate float64) {
	k, rate = 1, BlockedRate(blocks, n, 1, blockBits)
	for k < most {
		r := BlockedRate(blocks, n, k+1, blockBits)
		if r >= rate {
			break
		}
		k, rate = k+1, r
	}
	return k, rate
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
			return 0, &FieldError{ErrUnreachable, "MaxBytes", c.MaxBytes, fmt.Sprintf("header and one block take %d", HeaderSize+blockBits/8)}
		}
		blocks = max(blocks, 1)
		return uint64(blocks), CheckPayload(blocks * width / 8)
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
	return uint64(hi), CheckPayload(hi * width / 8)
}
