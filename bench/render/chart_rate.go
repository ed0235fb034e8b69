package render

import (
	"fmt"
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// rateChart shows what a rate costs: bits per key against the measured rate,
// over the information bound.
func (d *data) rateChart(n uint64) *chart {
	c := &chart{name: "bits-by-rate", title: "Space: bits per key for a false-positive rate", right: 66}
	lowest, highest, most := 1.0, 0.0, 0.0
	var ends []func(p *pane) sideLabel
	var bars []func(p *pane)
	widest := 1.0 // interval, high over low
	for _, who := range d.contestants() {
		s := series{look: who.look, line: who.look.solid(), marks: true}
		for _, r := range d.rows(n) {
			if r.Name != who.name || r.rate.Hits == 0 {
				continue
			}
			x, y := r.rate.FPR(), r.size.File
			s.points = append(s.points, plotter.XY{X: x, Y: y})
			lowest, highest, most = min(lowest, x), max(highest, x), max(most, y)
			low, high := r.rate.Interval()
			widest = max(widest, high/low)
			bars = append(bars, func(p *pane) {
				p.StrokeLines(draw.LineStyle{Color: who.look.color, Width: 1}, p.ClipLinesXY([]vg.Point{p.at(high, y), p.at(low, y)})...)
			})
		}
		if len(s.points) == 0 {
			continue
		}
		c.series = append(c.series, s)
		last := s.points[len(s.points)-1]
		ends = append(ends, func(p *pane) sideLabel { return sideLabel{who.name, who.look.color, p.at(last.X, last.Y)} })
	}
	c.x = rateAxis("measured false-positive rate", lowest/1.2, min(highest*1.2, 1))
	c.y = linearAxis("bits per key", 0, math.Ceil(most*1.04), 5)
	bound := plotter.XYs{{X: c.x.max, Y: math.Log2(1 / c.x.max)}, {X: c.x.min, Y: math.Log2(1 / c.x.min)}}
	c.under = append(c.under, func(p *pane) { p.drawLine(series{points: bound, line: dashed(ink)}) })
	c.under = append(c.under, bars...)
	c.over = append(c.over, func(p *pane) {
		labels := []sideLabel{{"bound", ink, p.at(bound[1].X, bound[1].Y)}}
		for _, end := range ends {
			labels = append(labels, end(p))
		}
		p.drawSide(labels)
	})
	intervals := "95 % intervals are narrower than the markers"
	if widest > widestHidden {
		intervals = "bars: 95 % intervals, where wider than the markers"
	}
	c.subtitle = fmt.Sprintf("a point for each rate asked for; dashed: log2(1/rate)\n%s; n = %s", intervals, keys(n))
	c.alt = fmt.Sprintf("Bits per key against the measured false-positive rate at %s keys, one line for each family, above the information bound.", keys(n))
	return c
}

// widestHidden is the ratio of an interval's ends up to which a marker hides it.
const widestHidden = 1.2

// rateAxis runs from high rates to low ones, with a tick every decade.
func rateAxis(label string, low, high float64) axis {
	a := axis{label: label, min: low, max: high, log: true, inverted: true}
	for decade := math.Floor(math.Log10(low)); decade <= 0; decade++ {
		for step := 1.0; step < 10; step++ {
			v := step * math.Pow(10, decade)
			if v < low || v > high {
				continue
			}
			t := plot.Tick{Value: v}
			if step == 1 {
				t.Label = asked(v)
			}
			a.ticks = append(a.ticks, t)
		}
	}
	return a
}
