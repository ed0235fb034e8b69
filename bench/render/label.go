package render

import (
	"cmp"
	"image/color"
	"slices"

	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// sideLabel names a line at its right end.
type sideLabel struct {
	text  string
	color color.RGBA
	end   vg.Point // of the line
}

// labelGap is the least distance of the middles of two labels in a column.
const labelGap = vg.Length(14.5)

// capital lifts text so that the middle of its small letters, not of its box,
// is at a place.
const capital = vg.Length(1.5)

// drawSide writes labels in a column right of the pane, each as near to its
// line's end as the others let it be, and joins the two with a hair line.
func (p *pane) drawSide(labels []sideLabel) {
	slices.SortStableFunc(labels, func(a, b sideLabel) int { return cmp.Compare(a.end.Y, b.end.Y) })
	ys := make([]vg.Length, len(labels))
	for i, l := range labels {
		ys[i] = l.end.Y
	}
	spreadOut(ys, labelGap)
	left := p.Max.X + 14
	for i, l := range labels {
		p.StrokeLine2(draw.LineStyle{Color: l.color, Width: 0.6}, l.end.X+markerRadius+1, l.end.Y, p.Max.X+2, l.end.Y)
		p.StrokeLine2(draw.LineStyle{Color: l.color, Width: 0.6}, p.Max.X+2, l.end.Y, left-3, ys[i])
		p.FillText(labelStyle(l.color), vg.Point{X: left, Y: ys[i] + capital}, l.text)
	}
}

// spreadOut moves ascending values apart until neighbours differ by gap, and
// their mean stays.
func spreadOut(ys []vg.Length, gap vg.Length) {
	type block struct {
		first, n int
		mid      vg.Length
	}
	var blocks []block
	for i, y := range ys {
		b := block{i, 1, y}
		for len(blocks) > 0 {
			last := blocks[len(blocks)-1]
			if b.mid-last.mid >= gap*vg.Length(last.n+b.n)/2 {
				break
			}
			n := last.n + b.n
			b = block{last.first, n, (last.mid*vg.Length(last.n) + b.mid*vg.Length(b.n)) / vg.Length(n)}
			blocks = blocks[:len(blocks)-1]
		}
		blocks = append(blocks, b)
	}
	for _, b := range blocks {
		for i := range b.n {
			ys[b.first+i] = b.mid + gap*(vg.Length(i)-vg.Length(b.n-1)/2)
		}
	}
}

// placer finds free places for labels among what is drawn already.
type placer struct {
	pane  *pane
	taken []vg.Rectangle
}

// take marks a place as drawn on.
func (pl *placer) take(r vg.Rectangle) { pl.taken = append(pl.taken, r) }

// takeLine marks a line as drawn on.
func (pl *placer) takeLine(pts []vg.Point) {
	const step = 5
	for i := 1; i < len(pts); i++ {
		from, to := pts[i-1], pts[i]
		n := 1 + int(max(abs(to.X-from.X), abs(to.Y-from.Y))/step)
		for j := range n + 1 {
			t := vg.Length(j) / vg.Length(n)
			at := vg.Point{X: from.X + t*(to.X-from.X), Y: from.Y + t*(to.Y-from.Y)}
			pl.take(vg.Rectangle{Min: vg.Point{X: at.X - 2, Y: at.Y - 2}, Max: vg.Point{X: at.X + 2, Y: at.Y + 2}})
		}
	}
}

func abs(l vg.Length) vg.Length { return max(l, -l) }

// squareAt is the place of a marker.
func squareAt(at vg.Point) vg.Rectangle {
	const r = ringRadius + 2
	return vg.Rectangle{Min: vg.Point{X: at.X - r, Y: at.Y - r}, Max: vg.Point{X: at.X + r, Y: at.Y + r}}
}

// write puts text at the candidate, a middle, where it covers the least.
func (pl *placer) write(sty text.Style, txt string, candidates []vg.Point) {
	sty.XAlign = draw.XCenter
	w, h := sty.Width(txt)+2, sty.Height(txt)
	var best vg.Rectangle
	least := vg.Length(-1)
	for _, at := range candidates {
		r := vg.Rectangle{Min: vg.Point{X: at.X - w/2, Y: at.Y - h/2}, Max: vg.Point{X: at.X + w/2, Y: at.Y + h/2}}
		if covered := pl.covers(r); least < 0 || covered < least {
			best, least = r, covered
		}
	}
	pl.take(best)
	pl.pane.FillText(sty, vg.Point{X: (best.Min.X + best.Max.X) / 2, Y: (best.Min.Y+best.Max.Y)/2 + capital}, txt)
}

// covers returns the area of r that is taken or outside the pane.
func (pl *placer) covers(r vg.Rectangle) vg.Length {
	covered := area(r) - area(overlap(r, pl.pane.Rectangle))
	for _, t := range pl.taken {
		covered += area(overlap(r, t))
	}
	return covered
}

func overlap(a, b vg.Rectangle) vg.Rectangle {
	return vg.Rectangle{
		Min: vg.Point{X: max(a.Min.X, b.Min.X), Y: max(a.Min.Y, b.Min.Y)},
		Max: vg.Point{X: min(a.Max.X, b.Max.X), Y: min(a.Max.Y, b.Max.Y)},
	}
}

func area(r vg.Rectangle) vg.Length {
	return max(0, r.Max.X-r.Min.X) * max(0, r.Max.Y-r.Min.Y)
}
