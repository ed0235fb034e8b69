package render

import (
	"math"

	"github.com/tamis-filter/tamis/bench/stat"
)

// A figure is bold where it wins its group: the rows of filters of one number
// of keys and one rate asked for.

// boldSmallest sets in bold the smallest of the values that compete, and those
// that are written alike. With fewer than two competitors nobody wins.
func boldSmallest(texts []string, values []float64, competes []bool) {
	best, n := -1, 0
	for i, v := range values {
		if !competes[i] || math.IsNaN(v) {
			continue
		}
		if n++; best < 0 || v < values[best] {
			best = i
		}
	}
	if n < 2 {
		return
	}
	won := texts[best]
	for i := range texts {
		if competes[i] && texts[i] == won {
			texts[i] = bold(won)
		}
	}
}

// boldFastest sets in bold the smallest median of those that compete, and those
// whose interquartile ranges meet that one's: they are as fast for all that
// was measured.
func boldFastest(texts []string, spreads []stat.Spread, competes []bool) {
	best, n := -1, 0
	for i, s := range spreads {
		if !competes[i] || s.N == 0 {
			continue
		}
		if n++; best < 0 || s.Median < spreads[best].Median {
			best = i
		}
	}
	if n < 2 {
		return
	}
	for i, s := range spreads {
		if competes[i] && s.N > 0 && s.Overlaps(spreads[best]) {
			texts[i] = bold(texts[i])
		}
	}
}
