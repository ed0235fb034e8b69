package render

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/tamis-filter/tamis/bench/record"
	"github.com/tamis-filter/tamis/bench/stat"
)

// choosing writes the table that a README shows: the filters side by side at
// the reference number of keys and rate.
func (d *data) choosing() string {
	n, rate := d.reference()
	rows := d.filters(n, rate)
	col := newColumns(rows)
	var cells [][]string
	for i, r := range rows {
		c, _ := d.run.Contestant(r.Name)
		cells = append(cells, []string{
			r.Name, c.Changes, col.bits[i], col.overhead[i], percent(r.rate.FPR()),
			col.time(record.Batch, 0)[i], col.time(record.Single, 0)[i], col.build[i],
		})
	}
	var b strings.Builder
	table(&b, []string{
		":family", ":once built", "bits/key", "over the bound", "measured rate",
		"miss, batch, ns", "miss, single, ns", "build, ns/key",
	}, cells)
	fmt.Fprintf(&b, "\n%s keys, %s asked for; %s, one thread; medians of %d rounds. The bound is log2(1/measured rate) bits per key. Bold: the least, or not told apart from it.\n",
		keys(n), asked(rate), d.run.Machine.CPU, d.run.Rounds)
	return b.String()
}

// columns are the figures of rows, column by column, the winners in bold.
type columns struct {
	rows           []row
	competes       []bool
	bits, overhead []string
	build          []string
}

// newColumns compares rows of one group.
func newColumns(rows []row) columns {
	c := columns{rows: rows, competes: make([]bool, len(rows)), build: make([]string, len(rows))}
	var bits, overheads []float64
	var builds []stat.Spread
	for i, r := range rows {
		c.competes[i] = r.class == record.Filter
		bits = append(bits, r.size.File)
		c.bits = append(c.bits, bitsPerKey(r.size.File))
		if c.competes[i] {
			overheads = append(overheads, r.overhead())
			c.overhead = append(c.overhead, over(r.overhead()))
		} else {
			overheads = append(overheads, 0)
			c.overhead = append(c.overhead, none)
		}
		builds = append(builds, r.build)
		c.build[i] = spreadText(r.build)
	}
	boldSmallest(c.bits, bits, c.competes)
	boldSmallest(c.overhead, overheads, c.competes)
	boldFastest(c.build, builds, c.competes)
	return c
}

// time returns the column of one way to query.
func (c columns) time(mode record.Mode, hits int) []string {
	texts, spreads := make([]string, len(c.rows)), make([]stat.Spread, len(c.rows))
	for i, r := range c.rows {
		spreads[i] = r.queries[query{mode, hits}]
		texts[i] = spreadText(spreads[i])
	}
	boldFastest(texts, spreads, c.competes)
	return texts
}

// none stands where there is nothing to measure.
const none = "–"

func spreadText(s stat.Spread) string {
	if s.N == 0 {
		return none
	}
	return nanoseconds(s.Median)
}

// The marks between which Insert puts a text.
const (
	beginMark = "<!-- %s:begin -->"
	endMark   = "<!-- %s:end -->"
)

// Insert returns page with text between the marks <!-- name:begin --> and
// <!-- name:end -->, in place of what is there. Both must be there once.
func Insert(page []byte, name, text string) ([]byte, error) {
	begin, end := fmt.Sprintf(beginMark, name), fmt.Sprintf(endMark, name)
	for _, mark := range []string{begin, end} {
		if n := bytes.Count(page, []byte(mark)); n != 1 {
			return nil, fmt.Errorf("the page has the mark %s %d times, it must be there once", mark, n)
		}
	}
	before, rest, _ := bytes.Cut(page, []byte(begin))
	_, after, ok := bytes.Cut(rest, []byte(end))
	if !ok {
		return nil, fmt.Errorf("the mark %s comes before %s", end, begin)
	}
	return fmt.Appendf(nil, "%s%s\n%s\n%s%s", before, begin, strings.TrimSpace(text), end, after), nil
}
