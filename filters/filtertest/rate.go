package filtertest

import (
	"errors"
	"fmt"
	"math"
	"testing"

	"github.com/tamis-filter/tamis/filters"
)

// rateCell is a number of keys and how many filters and probes measure it. Of
// small filters, whose rates differ from one to the next, it takes many, so that
// the hits are as good as independent and the binomial bound holds.
type rateCell struct {
	keys    int
	filters int
	probes  int // of each filter
}

var rateCells = []rateCell{
	{1, 20000, 500},
	{2, 20000, 500},
	{3, 20000, 500},
	{5, 20000, 500},
	{10, 20000, 500},
	{1000, 200, 50000},
	{100_000, 10, 1_000_000},
	{1_000_000, 1, 10_000_000},
}

var rates = []float64{0.1, 0.01, 1.0 / 256, 1e-3, 1e-4, 2e-5, 1e-5, 1e-6, 3e-7}

// testRates builds filters for every cell and rate, checks that no member is
// denied and that the rate is at most 1.03 of what was asked, plus five
// standard deviations of the number of hits. A family may refuse a rate as out
// of its reach.
func testRates(t *testing.T, f filters.Family) {
	for _, cell := range rateCells {
		if testing.Short() {
			if cell.keys > 1000 {
				continue
			}
			cell.filters = max(1, cell.filters/20)
		}
		for _, p := range rates {
			t.Run(fmt.Sprintf("n=%d/p=%.3g", cell.keys, p), func(t *testing.T) {
				testRate(t, f, cell, p)
			})
		}
	}
}

func testRate(t *testing.T, f filters.Family, cell rateCell, p float64) {
	hits := 0
	for i := range cell.filters {
		members := Hashes(uint64(2*i), 0, cell.keys)
		filter, err := f.Build(seq(members), filters.Config{Keys: uint64(cell.keys), FPR: p})
		if errors.Is(err, filters.ErrUnreachable) {
			t.Logf("refused: %v", err)
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		if got := filter.MayContainBatch(members, nil); got != cell.keys {
			t.Fatalf("filter %d: %d of %d members are denied", i, cell.keys-got, cell.keys)
		}
		hits += filter.MayContainBatch(Hashes(uint64(2*i+1), 0, cell.probes), nil)
	}
	probes := float64(cell.filters) * float64(cell.probes)
	if most := Bound(probes, 1.03*p); float64(hits) > most {
		t.Errorf("measured rate %.4g over %.0f probes: %d hits, more than %.1f", float64(hits)/probes, probes, hits, most)
	}
}

// Bound returns the number of hits that probes of rate p exceed with the
// probability of a normal variable's five standard deviations at most.
func Bound(probes, p float64) float64 {
	return probes*p + 5*math.Sqrt(probes*p*(1-p)) + 1
}
