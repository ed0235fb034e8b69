package render

import (
	"image/color"
	"math"

	xfont "golang.org/x/image/font"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Colours are told apart with each of the common kinds of colour blindness and
// have a contrast of 3:1 or more with the page. In grey some of them are alike:
// shapes and direct labels carry the same information.
var (
	paper  = color.RGBA{0xff, 0xff, 0xff, 0xff}
	ink    = color.RGBA{0x22, 0x22, 0x22, 0xff}
	pale   = color.RGBA{0x5f, 0x5f, 0x5f, 0xff}
	gridly = color.RGBA{0xe4, 0xe4, 0xe4, 0xff}
)

// look is how a contestant is drawn.
type look struct {
	color color.RGBA
	shape shape
}

// looks belong to contestants in the order of the run, so that a family looks
// the same in every chart.
var looks = []look{
	{color.RGBA{0x33, 0x33, 0x33, 0xff}, circle},
	{color.RGBA{0x00, 0x65, 0xad, 0xff}, square},
	{color.RGBA{0x00, 0x8a, 0x63, 0xff}, triangle},
	{color.RGBA{0xc8, 0x50, 0x00, 0xff}, diamond},
	{color.RGBA{0xa6, 0x2f, 0x78, 0xff}, inverted},
	{color.RGBA{0x85, 0x68, 0x00, 0xff}, pentagon},
	{color.RGBA{0x6b, 0x4f, 0xbb, 0xff}, hexagon},
	{color.RGBA{0x00, 0x7c, 0x8c, 0xff}, left},
	{color.RGBA{0xb3, 0x2d, 0x2d, 0xff}, right},
	{color.RGBA{0x55, 0x77, 0x1c, 0xff}, drop},
	{color.RGBA{0x79, 0x5b, 0x47, 0xff}, square},
}

// lookOf returns the look of the i-th filter of a run.
func lookOf(i int) look { return looks[i%len(looks)] }

// shape is a marker: a polygon of so many corners, turned by so much.
type shape struct {
	corners int
	turn    float64 // in radians, from a corner on top
	radius  float64 // so that all shapes weigh alike
}

var (
	circle   = shape{32, 0, 1}
	square   = shape{4, math.Pi / 4, 1.22}
	triangle = shape{3, 0, 1.4}
	diamond  = shape{4, 0, 1.28}
	inverted = shape{3, math.Pi, 1.4}
	pentagon = shape{5, 0, 1.15}
	hexagon  = shape{6, 0, 1.1}
	left     = shape{3, -math.Pi / 2, 1.4}
	right    = shape{3, math.Pi / 2, 1.4}
	drop     = shape{5, math.Pi, 1.15}
)

// The radius of a circle; other shapes are scaled.
const (
	markerRadius = vg.Length(4.2)
	ringRadius   = vg.Length(6.3)
)

func (s shape) outline(at vg.Point, r vg.Length) []vg.Point {
	pts := make([]vg.Point, 0, s.corners+1)
	for i := range s.corners + 1 {
		sin, cos := math.Sincos(s.turn + 2*math.Pi*float64(i%s.corners)/float64(s.corners))
		length := r * vg.Length(s.radius)
		pts = append(pts, vg.Point{X: at.X + length*vg.Length(sin), Y: at.Y + length*vg.Length(cos)})
	}
	return pts
}

// drawMarker draws a marker with a thin edge of paper around it, so that it
// stands out from lines and other markers.
func (l look) drawMarker(c *draw.Canvas, at vg.Point) {
	c.FillPolygon(paper, l.shape.outline(at, markerRadius+1.3))
	c.FillPolygon(l.color, l.shape.outline(at, markerRadius))
}

// drawRing draws a marker's outline, large enough for a marker inside.
func (l look) drawRing(c *draw.Canvas, at vg.Point) {
	outline := l.shape.outline(at, ringRadius)
	c.StrokeLines(draw.LineStyle{Color: paper, Width: 4}, outline)
	c.StrokeLines(draw.LineStyle{Color: l.color, Width: 1.5}, outline)
}

// Fonts. All text is set in one sans-serif that the plotting library brings.
func style(size vg.Length, clr color.Color, weight xfont.Weight) text.Style {
	return text.Style{
		Color:   clr,
		Font:    font.Font{Typeface: "Liberation", Variant: "Sans", Size: size, Weight: weight},
		YAlign:  draw.YCenter,
		Handler: handler,
	}
}

var (
	handler       = text.Plain{Fonts: font.DefaultCache}
	titleStyle    = style(14.5, ink, xfont.WeightBold)
	subtitleStyle = style(11.5, pale, xfont.WeightNormal)
	axisStyle     = style(12, ink, xfont.WeightNormal)
	tickStyle     = style(11.5, ink, xfont.WeightNormal)
	noteStyle     = style(11, pale, xfont.WeightNormal)
)

func labelStyle(clr color.Color) text.Style { return style(12, clr, xfont.WeightBold) }
