package stat

import (
	"math"
	"slices"
)

// Spread is the middle of a set of repetitions: the median and the quartiles.
type Spread struct {
	Q1, Median, Q3 float64
	N              int
}

// Summarize returns the spread of values, which it leaves as they are. Without
// values the three are NaN.
func Summarize(values []float64) Spread {
	sorted := slices.Clone(values)
	slices.Sort(sorted)
	return Spread{quantile(sorted, 0.25), quantile(sorted, 0.5), quantile(sorted, 0.75), len(sorted)}
}

// Relative returns the interquartile range over the median.
func (s Spread) Relative() float64 { return (s.Q3 - s.Q1) / s.Median }

// Overlaps reports whether the interquartile ranges of s and t meet.
func (s Spread) Overlaps(t Spread) bool { return s.Q1 <= t.Q3 && t.Q1 <= s.Q3 }

// quantile interpolates between the two nearest ranks (type 7 of Hyndman and
// Fan, "Sample quantiles in statistical packages", 1996).
func quantile(sorted []float64, q float64) float64 {
	if len(sorted) == 0 {
		return math.NaN()
	}
	at := q * float64(len(sorted)-1)
	i := int(at)
	if i+1 == len(sorted) {
		return sorted[i]
	}
	return sorted[i] + (at-float64(i))*(sorted[i+1]-sorted[i])
}
