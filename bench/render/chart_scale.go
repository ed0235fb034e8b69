package render

import (
	"fmt"
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/tamis-filter/tamis/bench/record"
)

// modeTitles name the modes in titles.
var modeTitles = map[record.Mode]string{
	record.Single: "one a call",
	record.Batch:  "in batches",
}

// scaleChart shows how the time of a miss grows with the number of keys.
func (d *data) scaleChart(rate float64, mode record.Mode) *chart {
	sizes := d.sizes(rate)
	c := &chart{
		name:     "time-by-keys-" + string(mode),
		title:    "Time of a query that misses, " + modeTitles[mode],
		subtitle: fmt.Sprintf("%s asked for; one thread; dashed: no filter, for comparison\ndotted: where a Bloom filter fills a cache", asked(rate)),
		alt:      fmt.Sprintf("Nanoseconds a query, %s, against the number of keys at %s, one line for each contestant.", modeTitles[mode], asked(rate)),
		right:    84,
	}
	var ns []float64
	type named struct {
		series
		label string
	}
	var all []named
	add := func(name, label string, s series) {
		for _, n := range sizes {
			if r, ok := d.find(name, n, rate); ok && r.queries[query{mode, 0}].N > 0 {
				t := r.queries[query{mode, 0}].Median
				s.points = append(s.points, plotter.XY{X: float64(n), Y: t})
				ns = append(ns, t)
			}
		}
		if len(s.points) > 0 {
			c.series = append(c.series, s)
			all = append(all, named{s, label})
		}
	}
	other := look{color: pale, shape: circle}
	if name, ok := d.ofClass(record.Line); ok {
		add(name, "line read", series{look: other, line: dashed(pale)})
	}
	if name, ok := d.ofClass(record.Exact); ok {
		add(name, "Go map", series{look: other, line: dashed(pale)})
	}
	for _, who := range d.contestants() {
		add(who.name, who.name, series{look: who.look, line: who.look.solid(), marks: true})
	}
	c.x = axis{label: "keys (log scale)", min: float64(sizes[0]) / 1.6, max: float64(sizes[len(sizes)-1]) * 1.3, log: true}
	for _, n := range sizes {
		c.x.ticks = append(c.x.ticks, plot.Tick{Value: float64(n), Label: keys(n)})
	}
	c.y = nanosecondAxis("ns per query (log scale)", ns)
	c.over = append(c.over, func(p *pane) {
		pl := &placer{pane: p}
		var labels, inside []sideLabel
		for _, s := range all {
			last := s.points[len(s.points)-1]
			l := sideLabel{s.label, s.look.color, p.at(last.X, last.Y)}
			if last.X == float64(sizes[len(sizes)-1]) {
				labels = append(labels, l)
			} else {
				inside = append(inside, l)
			}
			pl.takeLine(p.places(s.points))
		}
		d.drawCaches(pl, c.x, rate)
		p.drawSide(labels)
		for _, l := range inside {
			sty := labelStyle(l.color)
			side := sty.Width(l.text)/2 + 6
			pl.write(sty, l.text, []vg.Point{
				{X: l.end.X + side, Y: l.end.Y}, {X: l.end.X + side, Y: l.end.Y + 9}, {X: l.end.X + side, Y: l.end.Y - 9},
				{X: l.end.X, Y: l.end.Y + 12}, {X: l.end.X - side, Y: l.end.Y + 9}, {X: l.end.X, Y: l.end.Y - 12},
			})
		}
	})
	return c
}

// drawCaches marks the numbers of keys at which a Bloom filter fills a cache.
func (d *data) drawCaches(pl *placer, x axis, rate float64) {
	p := pl.pane
	perKey := math.Log2(1/rate) / math.Ln2 / 8 // bytes
	for _, cache := range d.dataCaches() {
		n := float64(cache.Bytes) / perKey
		if n <= x.min || n >= x.max {
			continue
		}
		line := []vg.Point{{X: p.x(n), Y: p.Min.Y}, {X: p.x(n), Y: p.Max.Y}}
		p.StrokeLines(draw.LineStyle{Color: pale, Width: 0.8, Dashes: []vg.Length{1.5, 2.5}}, line)
		pl.takeLine(line)
		half := noteStyle.Width(cacheName(cache))/2 + 3
		pl.write(noteStyle, cacheName(cache), []vg.Point{
			{X: p.x(n) - half, Y: p.Max.Y - 8}, {X: p.x(n) + half, Y: p.Max.Y - 8}, {X: p.x(n) + half, Y: p.Min.Y + 8},
		})
	}
}

func cacheName(c record.Cache) string { return fmt.Sprintf("L%d", c.Level) }
