package render

import (
	"bytes"
	"fmt"
	"html"
	"image/color"
	"math"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"
	"gonum.org/v1/plot/vg/vgsvg"
)

// Charts are small and their type large, so that they can still be read at a
// width of 400 pixels. They bring their own background.
const (
	chartWidth  = vg.Length(480)
	chartHeight = vg.Length(360)
	pngDPI      = 144
	margin      = vg.Length(12)
	lineHeight  = vg.Length(14.5) // of the subtitle
)

// chart is a picture that can be drawn in both formats.
type chart struct {
	name            string // of the file, without ending
	title, subtitle string
	alt             string // what it shows, in words
	x, y            axis
	right           vg.Length // room beside the plot, for labels
	series          []series
	under, over     []func(p *pane) // what lies between lines and markers, and over both
}

// axis is one axis of a chart.
type axis struct {
	label    string
	min, max float64
	ticks    []plot.Tick
	log      bool
	inverted bool
}

// series is a line with markers.
type series struct {
	look   look
	points plotter.XYs
	line   draw.LineStyle
	marks  bool
}

// pane is where a chart's data are drawn, and what turns data into places.
type pane struct {
	draw.Canvas
	x, y func(float64) vg.Length
}

func (p *pane) at(x, y float64) vg.Point { return vg.Point{X: p.x(x), Y: p.y(y)} }

// places returns where points lie.
func (p *pane) places(points plotter.XYs) []vg.Point {
	var pts []vg.Point
	for _, xy := range points {
		pts = append(pts, p.at(xy.X, xy.Y))
	}
	return pts
}

// draw draws the chart.
func (c *chart) draw(dc draw.Canvas) {
	dc.FillPolygon(paper, []vg.Point{dc.Min, {X: dc.Max.X, Y: dc.Min.Y}, dc.Max, {X: dc.Min.X, Y: dc.Max.Y}})
	dc = draw.Crop(dc, margin, -margin, margin, -margin)
	dc.FillText(titleStyle, vg.Point{X: dc.Min.X, Y: dc.Max.Y - 7}, c.title)
	lines := strings.Split(c.subtitle, "\n")
	for i, line := range lines {
		dc.FillText(subtitleStyle, vg.Point{X: dc.Min.X, Y: dc.Max.Y - 25 - lineHeight*vg.Length(i)}, line)
	}
	head := 37 + lineHeight*vg.Length(len(lines))
	dc.FillText(axisStyle, vg.Point{X: dc.Min.X, Y: dc.Max.Y - head}, c.y.label)
	dc = draw.Crop(dc, 0, -c.right, 20, -(head + 14))

	p := plot.New()
	p.BackgroundColor = color.Transparent
	c.x.apply(&p.X)
	c.y.apply(&p.Y)
	p.X.Tick.Label.XAlign, p.X.Tick.Label.YAlign = draw.XCenter, draw.YTop
	p.Y.Tick.Label.XAlign = draw.XRight
	grid := plotter.NewGrid()
	grid.Horizontal = draw.LineStyle{Color: gridly, Width: 0.8}
	grid.Vertical = grid.Horizontal
	p.Add(grid)
	p.Draw(dc)

	inner := p.DataCanvas(dc)
	sty := axisStyle
	sty.XAlign = draw.XCenter
	dc.FillText(sty, vg.Point{X: inner.Center().X, Y: dc.Min.Y - 11}, c.x.label)
	pa := &pane{Canvas: inner}
	pa.x, pa.y = p.Transforms(&inner)
	for _, s := range c.series {
		pa.drawLine(s)
	}
	for _, f := range c.under {
		f(pa)
	}
	for _, s := range c.series {
		if s.marks {
			for _, xy := range s.points {
				s.look.drawMarker(&pa.Canvas, pa.at(xy.X, xy.Y))
			}
		}
	}
	for _, f := range c.over {
		f(pa)
	}
}

func (a axis) apply(to *plot.Axis) {
	to.Min, to.Max = a.min, a.max
	to.Padding = 0
	to.LineStyle = draw.LineStyle{Color: pale, Width: 0.8}
	to.Tick.Label = tickStyle
	to.Tick.LineStyle = to.LineStyle
	to.Tick.Length = 4
	to.Tick.Marker = plot.ConstantTicks(a.ticks)
	if a.log {
		to.Scale = plot.LogScale{}
	}
	if a.inverted {
		to.Scale = plot.InvertedScale{Normalizer: to.Scale}
	}
}

func (p *pane) drawLine(s series) {
	if s.line.Width == 0 {
		return
	}
	p.StrokeLines(s.line, p.ClipLinesXY(p.places(s.points))...)
}

// fontStack replaces the one font that the library names in SVG: the others
// have the same widths.
const fontStack = "font-family:'Liberation Sans',Arial,Helvetica,sans-serif"

func (c *chart) svg() ([]byte, error) {
	canvas := vgsvg.New(chartWidth, chartHeight)
	c.draw(draw.New(canvas))
	var b bytes.Buffer
	if _, err := canvas.WriteTo(&b); err != nil {
		return nil, err
	}
	svg := strings.ReplaceAll(b.String(), "font-family:Liberation Sans", fontStack)
	head := fmt.Sprintf(" role=\"img\">\n<title>%s</title>\n<desc>%s</desc>\n", html.EscapeString(c.title), html.EscapeString(c.alt))
	const namespace = `xmlns:xlink="http://www.w3.org/1999/xlink"`
	return []byte(strings.Replace(svg, namespace+">\n", namespace+head, 1)), nil
}

func (c *chart) png() ([]byte, error) {
	canvas := vgimg.NewWith(vgimg.UseWH(chartWidth, chartHeight), vgimg.UseDPI(pngDPI))
	c.draw(draw.New(canvas))
	var b bytes.Buffer
	_, err := vgimg.PngCanvas{Canvas: canvas}.WriteTo(&b)
	return b.Bytes(), err
}

// solid is the line of a contestant.
func (l look) solid() draw.LineStyle { return draw.LineStyle{Color: l.color, Width: 1.8} }

// dashed is the line of what is no filter.
func dashed(clr color.Color) draw.LineStyle {
	return draw.LineStyle{Color: clr, Width: 1.5, Dashes: []vg.Length{5, 3}}
}

// Ticks.

// nanosecondAxis spans values on a log scale, with ticks at 1, 2, 5, 10 and so on.
func nanosecondAxis(label string, values []float64) axis {
	lowest, highest := slices.Min(values), slices.Max(values)
	a := axis{label: label, min: lowest / 1.25, max: highest * 1.25, log: true}
	for decade := math.Floor(math.Log10(a.min)); decade <= math.Log10(a.max); decade++ {
		for _, step := range []float64{1, 2, 5} {
			if v := step * math.Pow(10, decade); v >= a.min && v <= a.max {
				a.ticks = append(a.ticks, plot.Tick{Value: v, Label: digits(v, 1)})
			}
		}
	}
	return a
}

// linearAxis spans from low to high with a tick every step.
func linearAxis(label string, low, high, step float64) axis {
	a := axis{label: label, min: low, max: high}
	for v := math.Ceil(low/step) * step; v <= high; v += step {
		a.ticks = append(a.ticks, plot.Tick{Value: v, Label: strconv.FormatFloat(v, 'f', -1, 64)})
	}
	return a
}
