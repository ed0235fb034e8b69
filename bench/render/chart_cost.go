package render

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/tamis-filter/tamis/bench/record"
)

// costChart shows the two costs of a filter against each other: the time of a
// miss, in a batch and singly, and the space.
func (d *data) costChart(n uint64, rate float64) *chart {
	c := &chart{
		name:  fmt.Sprintf("time-by-bits-%d", n),
		title: fmt.Sprintf("Query time against space, n = %s", keys(n)),
		subtitle: fmt.Sprintf("%s asked for; queries miss; one thread; down and left is better\nfilled: in batches of %d; outline: one a call",
			asked(rate), d.run.BatchLen),
		alt: fmt.Sprintf("Nanoseconds a query against bits per key at %s keys and %s, one pair of markers for each family.", keys(n), asked(rate)),
	}
	bound := math.Log2(1 / rate)
	ns, bits := []float64{}, []float64{bound}
	type pair struct {
		contestant
		bits, batch, single float64
	}
	var pairs []pair
	for _, who := range d.contestants() {
		r, ok := d.find(who.name, n, rate)
		if !ok {
			continue
		}
		p := pair{who, r.size.File, r.queries[query{record.Batch, 0}].Median, r.queries[query{record.Single, 0}].Median}
		if p.batch == 0 { // it has no batch call
			p.batch = p.single
		}
		pairs = append(pairs, p)
		ns = append(ns, p.batch, p.single)
		bits = append(bits, p.bits)
	}
	limit := 0.0
	if name, ok := d.ofClass(record.Line); ok {
		if r, ok := d.find(name, n, rate); ok {
			limit = r.queries[query{record.Batch, 0}].Median
			ns = append(ns, limit)
		}
	}
	span := slices.Max(bits) - slices.Min(bits)
	c.x = linearAxis("bits per key", min(slices.Min(bits), bound)-0.16*span, slices.Max(bits)+0.16*span, 1)
	c.y = nanosecondAxis("ns per query (log scale)", ns)
	c.over = append(c.over, func(p *pane) {
		pl := &placer{pane: p}
		x := p.x(bound)
		p.StrokeLine2(dashed(pale), x, p.Min.Y, x, p.Max.Y)
		pl.take(vg.Rectangle{Min: vg.Point{X: x - 2, Y: p.Min.Y}, Max: vg.Point{X: x + 2, Y: p.Max.Y}})
		if limit > 0 {
			y := p.y(limit)
			p.StrokeLine2(dashed(pale), p.Min.X, y, p.Max.X, y)
			pl.take(vg.Rectangle{Min: vg.Point{X: p.Min.X, Y: y - 2}, Max: vg.Point{X: p.Max.X, Y: y + 2}})
		}
		for _, q := range pairs {
			high, low := p.at(q.bits, q.single), p.at(q.bits, q.batch)
			if abs(high.Y-low.Y) > 2*ringRadius {
				p.StrokeLine2(draw.LineStyle{Color: q.look.color, Width: 1.2}, high.X, high.Y, low.X, low.Y)
				p.FillPolygon(paper, q.look.shape.outline(high, ringRadius))
			}
			q.look.drawRing(&p.Canvas, high)
			q.look.drawMarker(&p.Canvas, low)
			pl.take(squareAt(high))
			pl.take(squareAt(low))
			pl.take(vg.Rectangle{
				Min: vg.Point{X: low.X - 1, Y: min(low.Y, high.Y)},
				Max: vg.Point{X: low.X + 1, Y: max(low.Y, high.Y)},
			})
		}
		for _, q := range pairs {
			sty := labelStyle(q.look.color)
			pl.write(sty, q.name, around(p.at(q.bits, q.single), p.at(q.bits, q.batch), sty.Width(q.name)))
		}
		p.noteBound(pl, x)
		if limit > 0 {
			p.noteLimit(pl, p.y(limit))
		}
	})
	return c
}

// around lists places for the name of a pair of markers, the best first.
func around(high, low vg.Point, width vg.Length) []vg.Point {
	if high.Y < low.Y {
		high, low = low, high
	}
	const up = vg.Length(16)
	side := width/2 + ringRadius + 5
	return []vg.Point{
		{X: high.X, Y: high.Y + up},
		{X: low.X, Y: low.Y - up},
		{X: high.X + side, Y: high.Y},
		{X: high.X - side, Y: high.Y},
		{X: low.X + side, Y: low.Y},
		{X: low.X - side, Y: low.Y},
		{X: high.X + side, Y: (high.Y + low.Y) / 2},
		{X: high.X - side, Y: (high.Y + low.Y) / 2},
		{X: high.X + side, Y: high.Y + up},
		{X: high.X - side, Y: high.Y + up},
		{X: low.X + side, Y: low.Y - up},
		{X: low.X - side, Y: low.Y - up},
	}
}

// noteBound names the vertical line of the information bound.
func (p *pane) noteBound(pl *placer, x vg.Length) {
	const txt = "bound"
	side := noteStyle.Width(txt)/2 + 6
	pl.write(noteStyle, txt, []vg.Point{{X: x + side, Y: p.Max.Y - 10}, {X: x + side, Y: p.Min.Y + 10}, {X: x - side, Y: p.Max.Y - 10}})
}

// noteLimit names the horizontal line of what memory alone takes, in a batch.
func (p *pane) noteLimit(pl *placer, y vg.Length) {
	const txt = "random line reads, batch"
	half := noteStyle.Width(txt)/2 + 10
	pl.write(noteStyle, txt, []vg.Point{
		{X: p.Max.X - half, Y: y + 9}, {X: p.Max.X - half, Y: y - 9}, {X: p.Min.X + half, Y: y + 9}, {X: p.Center().X, Y: y + 9}, {X: p.Center().X, Y: y - 9},
	})
}
