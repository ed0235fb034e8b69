package render

import (
	"cmp"
	"math"
	"slices"

	"github.com/tamis-filter/tamis/bench/record"
	"github.com/tamis-filter/tamis/bench/stat"
)

// data is a run with the order and the sums that tables and charts share.
type data struct {
	run     record.Run
	results *record.Results
	name    string // of the run's directory
}

// row is all that was measured of one cell.
type row struct {
	record.Cell
	class   string
	size    record.Size
	rate    record.Rate // without probes if there is none
	build   stat.Spread
	bytes   float64 // allocated while building, per key
	queries map[query]stat.Spread
}

type query struct {
	mode record.Mode
	hits int
}

// overhead returns how much more than log2(1/rate) bits per key it takes, for
// the measured rate, as a fraction.
func (r row) overhead() float64 {
	if r.rate.Hits == 0 || r.rate.Hits == r.rate.Probes {
		return math.NaN() // there is no bound to compare with
	}
	return r.size.File/math.Log2(1/r.rate.FPR()) - 1
}

// rows returns the cells of n keys, in groups of one rate asked for, the
// highest first, and contestants in the order of the run. Exact ones, which
// were asked for none, come last.
func (d *data) rows(n uint64) []row {
	var list []row
	for _, c := range d.run.Contestants {
		for cell := range d.results.Sizes {
			if cell.Name == c.Name && cell.Keys == n && (cell.Level == "" || cell.Level == d.run.Level) {
				list = append(list, d.row(cell, c.Class))
			}
		}
	}
	slices.SortStableFunc(list, func(a, b row) int { return cmp.Compare(b.Rate, a.Rate) })
	return list
}

func (d *data) row(cell record.Cell, class string) row {
	r := row{Cell: cell, class: class, size: d.results.Sizes[cell], rate: d.results.Rates[cell], queries: map[query]stat.Spread{}}
	var ns, bytes []float64
	for _, b := range d.results.Builds[cell] {
		ns, bytes = append(ns, b.Ns), append(bytes, b.Bytes)
	}
	r.build, r.bytes = stat.Summarize(ns), stat.Summarize(bytes).Median
	for _, mode := range record.Modes {
		for _, hits := range record.HitShares {
			if all := d.results.Queries[record.Query{Cell: cell, Mode: mode, Hits: hits}]; len(all) > 0 {
				r.queries[query{mode, hits}] = stat.Summarize(all)
			}
		}
	}
	return r
}

// filters returns the rows of n keys and a rate that are filters.
func (d *data) filters(n uint64, rate float64) []row {
	return slices.DeleteFunc(d.rows(n), func(r row) bool { return r.class != record.Filter || r.Rate != rate })
}

// find returns the row of a contestant at n keys: at a rate, or at none for an
// exact one.
func (d *data) find(name string, n uint64, rate float64) (row, bool) {
	for _, r := range d.rows(n) {
		if r.Name == name && (r.Rate == rate || r.Rate == 0) {
			return r, true
		}
	}
	return row{}, false
}

// reference returns the row of the grid that the summary is about: the one of
// the most rates, and of those the largest, and the rate nearest to 1 %.
func (d *data) reference() (n uint64, rate float64) {
	best := slices.MaxFunc(d.run.Grid, func(a, b record.GridRow) int {
		return cmp.Or(cmp.Compare(len(a.Rates), len(b.Rates)), cmp.Compare(a.Keys, b.Keys))
	})
	rate = slices.MinFunc(best.Rates, func(a, b float64) int {
		return cmp.Compare(math.Abs(math.Log(a/0.01)), math.Abs(math.Log(b/0.01)))
	})
	return best.Keys, rate
}

// sizes returns the numbers of keys that were measured at a rate.
func (d *data) sizes(rate float64) []uint64 {
	var list []uint64
	for _, g := range d.run.Grid {
		if slices.Contains(g.Rates, rate) {
			list = append(list, g.Keys)
		}
	}
	return list
}

// tier names the smallest cache of a core that holds so many bytes.
func (d *data) tier(bytes float64) string {
	for _, c := range d.dataCaches() {
		if bytes <= float64(c.Bytes) {
			return cacheName(c)
		}
	}
	if len(d.run.Machine.Caches) == 0 {
		return ""
	}
	return "memory"
}

// dataCaches returns the caches that hold data, from small to large.
func (d *data) dataCaches() []record.Cache {
	return slices.DeleteFunc(slices.Clone(d.run.Machine.Caches), func(c record.Cache) bool { return c.Type == "Instruction" })
}
