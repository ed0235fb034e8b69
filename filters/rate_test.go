package filters

import (
	"errors"
	"fmt"
	"math"
	"testing"
)

// exactBloomRate computes the rate by the full distribution of the number of
// set bits, ball after ball.
func exactBloomRate(m, n, k int) float64 {
	p := make([]float64, m+1) // p[x]: probability that x bits are set
	p[0] = 1
	for range n * k {
		for x := m; x >= 0; x-- {
			stay := p[x] * float64(x) / float64(m)
			if x > 0 {
				stay += p[x-1] * float64(m-x+1) / float64(m)
			}
			p[x] = stay
		}
	}
	rate := 0.0
	for x, px := range p {
		rate += px * math.Pow(float64(x)/float64(m), float64(k))
	}
	return rate
}

func TestBloomRate(t *testing.T) {
	for _, c := range []struct {
		m, n, k int
		within  float64
	}{
		{2, 1, 1, 1e-12}, {29, 1, 20, 0.2}, {36, 1, 20, 0.2}, {10, 1, 7, 0.1}, {58, 2, 20, 0.05}, {98, 10, 7, 0.01},
		{160, 5, 20, 0.02}, {292, 10, 20, 0.01}, {479, 100, 3, 0.002}, {959, 100, 7, 0.002}, {2876, 100, 20, 0.002}, {9586, 1000, 7, 1e-3},
	} {
		got, want := BloomRate(uint64(c.m), uint64(c.n), c.k), exactBloomRate(c.m, c.n, c.k)
		if math.Abs(got/want-1) > c.within {
			t.Errorf("m = %d, n = %d, k = %d: %.6g, exact %.6g (%.2f %%)", c.m, c.n, c.k, got, want, 100*(got/want-1))
		}
		if got < 0.99*want {
			t.Errorf("m = %d, n = %d, k = %d: %.6g is less than the exact %.6g", c.m, c.n, c.k, got, want)
		}
	}
	// Large filters follow the textbook.
	for _, n := range []uint64{1e6, 1e8, 1e11} {
		for k := 1; k <= 30; k += 3 {
			m := 15 * n
			got, want := BloomRate(m, n, k), math.Pow(-math.Expm1(-float64(k)/15), float64(k))
			if math.Abs(got/want-1) > 1e-3 {
				t.Errorf("n = %d, k = %d: %g, textbook %g", n, k, got, want)
			}
		}
	}
	for _, m := range []uint64{1, 2, 1 << 40} {
		if r := BloomRate(m, 1<<50, 64); !(r > 0.99 && r <= 1) {
			t.Errorf("crowded filter of %d bits: rate %g", m, r)
		}
		if r := BloomRate(m, 0, 5); r != 0 {
			t.Errorf("empty filter of %d bits: rate %g", m, r)
		}
	}
}

// slowBlockedRate sums over every number of keys in a block, with logarithms of
// factorials.
func slowBlockedRate(blocks, n, k, blockBits int) float64 {
	rate := 0.0
	for j := range n + 1 {
		a, _ := math.Lgamma(float64(n + 1))
		b, _ := math.Lgamma(float64(j + 1))
		c, _ := math.Lgamma(float64(n - j + 1))
		q := 1 / float64(blocks)
		logP := a - b - c + float64(j)*math.Log(q)
		if n > j {
			logP += float64(n-j) * math.Log1p(-q)
		}
		fill := 1 - math.Pow(1-float64(k)/float64(blockBits), float64(j))
		rate += math.Exp(logP) * math.Pow(fill, float64(k))
	}
	return rate
}

func TestBlockedRate(t *testing.T) {
	for _, blocks := range []int{1, 2, 3, 10, 100} {
		for _, n := range []int{1, 2, 10, 100, 3000} {
			for _, k := range []int{1, 6, 8, 16} {
				for _, width := range []int{256, 512} {
					got, want := BlockedRate(uint64(blocks), uint64(n), BlockRate(k, width)), slowBlockedRate(blocks, n, k, width)
					if math.Abs(got/want-1) > 1e-6 {
						t.Errorf("%d blocks, %d keys, k = %d of %d: %g, want %g", blocks, n, k, width, got, want)
					}
				}
			}
		}
	}
	for _, n := range []uint64{1 << 20, 1 << 54, 1<<64 - 1} {
		if r := BlockedRate(2, n, BlockRate(8, 256)); r < 1-1e-9 || r > 1 {
			t.Errorf("%d keys in 2 blocks: rate %g", n, r)
		}
	}
	if BlockedRate(0, 5, BlockRate(8, 256)) != 0 || BlockedRate(5, 0, BlockRate(8, 256)) != 0 {
		t.Error("nothing in it, and a rate")
	}
}

func TestBlocks(t *testing.T) {
	for _, n := range []uint64{1, 2, 10, 1000, 1e6, 1e9} {
		for _, p := range []float64{0.9, 0.5, 0.1, 0.01, 1e-4, 1e-6} {
			t.Run(fmt.Sprintf("%d/%g", n, p), func(t *testing.T) {
				rate := func(blocks uint64) float64 { return BlockedRate(blocks, n, BlockRate(8, 512)) }
				blocks, err := Config{Keys: n, FPR: p}.Blocks(512, 128, rate)
				if errors.Is(err, ErrTooLarge) && MaxPayload < 1<<32 {
					return
				}
				if err != nil {
					t.Fatal(err)
				}
				if rate(blocks) > p || blocks > 1 && rate(blocks-1) <= p {
					t.Errorf("%d blocks: rate %g, with one less %g", blocks, rate(blocks), rate(blocks-1))
				}
			})
		}
	}
}
