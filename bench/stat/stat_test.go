package stat

import (
	"math"
	"testing"
)

func TestWilson(t *testing.T) {
	// The roots of (hits/probes - p)² probes = z² p (1 - p), by bisection.
	for _, c := range []struct {
		hits, probes uint64
		low, high    float64
	}{
		{10, 100, 0.05522914, 0.1743657},
		{0, 10, 0, 0.2775328},
		{10, 10, 0.7224672, 1},
		{500, 1000, 0.4690696, 0.5309304},
		{1, 1000, 0.0001765479, 0.0056422},
		{0, 0, 0, 1},
	} {
		low, high := Wilson(c.hits, c.probes)
		if math.Abs(low-c.low) > 1e-6 || math.Abs(high-c.high) > 1e-6 {
			t.Errorf("Wilson(%d, %d) = %.8f to %.8f, want %.8f to %.8f", c.hits, c.probes, low, high, c.low, c.high)
		}
	}
}

// TestWilsonCovers counts, exactly, how often the interval of a binomial draw
// holds the true rate: about 95 %, at the rates and hit counts of a report.
func TestWilsonCovers(t *testing.T) {
	for _, c := range []struct {
		p      float64
		probes uint64
	}{{0.1, 1000}, {0.01, 10_000}, {0.001, 200_000}, {0.0001, 2_000_000}} {
		covered := 0.0
		mean := c.p * float64(c.probes)
		for hits := uint64(0); hits < uint64(3*mean); hits++ {
			if low, high := Wilson(hits, c.probes); low <= c.p && c.p <= high {
				covered += binomial(c.probes, hits, c.p)
			}
		}
		if covered < 0.94 || covered > 0.96 {
			t.Errorf("p = %g, %d probes: the interval holds p in %.2f %% of draws", c.p, c.probes, 100*covered)
		}
	}
}

func binomial(n, k uint64, p float64) float64 {
	lg := func(x float64) float64 { v, _ := math.Lgamma(x); return v }
	N, K := float64(n), float64(k)
	return math.Exp(lg(N+1) - lg(K+1) - lg(N-K+1) + K*math.Log(p) + (N-K)*math.Log1p(-p))
}

func TestSummarize(t *testing.T) {
	for _, c := range []struct {
		values []float64
		want   Spread
	}{
		{[]float64{7}, Spread{7, 7, 7, 1}},
		{[]float64{4, 1, 3, 2}, Spread{1.75, 2.5, 3.25, 4}},
		{[]float64{5, 1, 4, 2, 3}, Spread{2, 3, 4, 5}},
	} {
		if got := Summarize(c.values); got != c.want {
			t.Errorf("Summarize(%v) = %+v, want %+v", c.values, got, c.want)
		}
	}
	if s := Summarize(nil); !math.IsNaN(s.Median) || s.N != 0 {
		t.Errorf("Summarize(nil) = %+v", s)
	}
	if !(Spread{1, 2, 3, 9}).Overlaps(Spread{3, 4, 5, 9}) || (Spread{1, 2, 3, 9}).Overlaps(Spread{4, 5, 6, 9}) {
		t.Error("Overlaps")
	}
}
