package render

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/tamis-filter/tamis/bench/record"
	"github.com/tamis-filter/tamis/bench/stat"
)

// KernelsFile is the page of a run of a kernels profile, which has no other.
const KernelsFile = "kernels.md"

// ofKernels reports whether a run is of a kernels profile.
func (d *data) ofKernels() bool { return strings.HasPrefix(d.run.Profile, "kernels") }

// kernels writes kernels.md.
func (d *data) kernels() string {
	var b strings.Builder
	fmt.Fprintf(&b, "# Kernels and rivals on %s, %s\n\n", d.run.Machine.CPU, d.run.Start.Format("2006-01-02"))
	fmt.Fprintf(&b, "Ratios of times, measured in one interleaved run: profile %s, %d rounds, %s. Every member of every filter that was built was looked up, and none was denied.\n",
		d.run.Profile, d.run.Rounds, duration(d.run.Seconds))
	d.writeNotes(&b)
	d.writeClaims(&b)
	d.writeSweep(&b)
	d.writeMedians(&b)
	d.writeContestants(&b)
	d.writeMachine(&b)
	fmt.Fprintf(&b, `
## Method

- **Keys** are numbers run through a bijective mixer, 8 bytes each, hashed with XXH3-64. A contestant that takes a hash gets it; one that takes a key gets 8 bytes and its time includes hashing them.
- **Batch** calls take %d hashes; **single** calls take one and may overlap in the processor. A miss is a stranger, a hit is a member. No queries are used twice.
- **Add** puts all keys into an empty filter in one call. Making the filter is not timed.
- **Build** makes a filter of all keys; on one processor, the garbage collector shares that one. A build that is not timed goes before, so that memory is the process's already. Every filter is asked for all its keys. Builds have rounds of their own, behind those of queries.
- **Hash** turns batches of %d keys of 8 bytes into hashes, again and again: bulk by one call for a batch, xxh3 by a loop of calls of zeebo/xxh3.
- **Rounds**: a round measures every cell once; rounds repeat, so that a slow minute of the machine meets all alike. A timing lasts at least %s ms. One thread, but for builds on all processors.
- **Levels**: the level of kernels is chosen once in a process. Each level below the best has a process of its own; the processes take turns, round by round, and never measure at the same time.
- ***line*** reads random cache lines, independently of one another: in single calls without asking for them ahead, in batches each 64 reads ahead.
`, d.run.BatchLen, d.run.BatchLen, strconv.FormatFloat(d.run.TimingMs, 'f', -1, 64))
	sweep := ""
	if len(d.run.Sweep) > 0 {
		sweep = " -sweep"
	}
	fmt.Fprintf(&b, `
## Reproduce

    git checkout %s && cd bench
    go run ./cmd/measure -profile %s%s    # prints the new run's directory
    go run ./cmd/render DIRECTORY

This page is made from [raw.txt](raw.txt) and [run.json](run.json) alone.
`, d.run.Source.Commit, d.run.Profile, sweep)
	return b.String()
}

// find returns the cell of a contestant at n keys that has an entry in a table:
// a kernels profile has one rate for each.
func find[T any](d *data, in map[record.Cell]T, name string, n uint64, level string) (record.Cell, bool) {
	for cell := range in {
		if cell.Name != name || cell.Keys != n {
			continue
		}
		if cell.Level == level || level == "" && cell.Level == d.run.Level || cell.Level == "" && level == d.run.Level {
			return cell, true
		}
	}
	return record.Cell{}, false
}

// times returns the repetitions of a figure at n keys, in the order of rounds.
func (d *data) times(f figure, n uint64) (record.Cell, []float64) {
	if f.way.mode == hash {
		cell, _ := find(d, d.results.Hashes, f.name, n, f.level)
		return cell, d.results.Hashes[cell]
	}
	if f.way.mode == buildOnOne || f.way.mode == buildOnAll {
		return d.builds(f, n)
	}
	cell, ok := find(d, d.results.Sizes, f.name, n, f.level)
	if !ok {
		return cell, nil
	}
	if f.way.mode == add {
		return cell, d.results.Adds[cell]
	}
	return cell, d.results.Queries[record.Query{Cell: cell, Mode: f.way.mode, Hits: f.way.hits}]
}

// builds is times for a construction. These are in no other table: a kernels profile
// has them for numbers of keys of their own.
func (d *data) builds(f figure, n uint64) (cell record.Cell, ns []float64) {
	procs := 0
	if f.way.mode == buildOnOne {
		procs = 1
	}
	for c, list := range d.results.Builds {
		if c.Name == f.name && c.Keys == n && c.Procs == procs {
			for _, b := range list {
				ns = append(ns, b.Ns)
			}
			cell = c
		}
	}
	cell.Procs = 0 // as the other tables have it
	return cell, ns
}

// String names a figure in a table.
func (f figure) String() string {
	if f.level != "" {
		return f.name + " at " + f.level + ", " + f.way.String()
	}
	return f.name + ", " + f.way.String()
}

func (w way) String() string {
	switch {
	case w.mode == add || w.mode == hash || w.mode == buildOnOne || w.mode == buildOnAll:
		return string(w.mode)
	case w.hits == 0:
		return string(w.mode) + " miss"
	case w.hits == 100:
		return string(w.mode) + " hit"
	}
	return fmt.Sprintf("%s, %d %% hits", w.mode, w.hits)
}

// ratio is how many times as long the other takes: of the medians, and the
// quartiles of what the rounds say one by one.
type ratio struct {
	median float64
	rounds stat.Spread
}

func ratioOf(ours, rival []float64) ratio {
	r := ratio{median: stat.Summarize(rival).Median / stat.Summarize(ours).Median}
	var each []float64
	for i := range min(len(ours), len(rival)) {
		each = append(each, rival[i]/ours[i])
	}
	r.rounds = stat.Summarize(each)
	return r
}

func times(v float64) string { return strconv.FormatFloat(v, 'f', 2, 64) }

func (d *data) writeClaims(b *strings.Builder) {
	b.WriteString("\n## Must show\n\n")
	var cells [][]string
	met, all := 0, 0
	worse := false
	for _, c := range claims {
		for _, g := range c.goals {
			ourCell, ours := d.times(c.ours, g.keys)
			rivalCell, rival := d.times(c.rival, g.keys)
			row := []string{c.ours.String(), c.rival.String(), keys(g.keys)}
			all++
			if len(ours) == 0 || len(rival) == 0 {
				cells = append(cells, append(row, none, none, none, none, none, none, times(g.ratio), "not measured"))
				continue
			}
			r := ratioOf(ours, rival)
			verdict := bold("no")
			if r.median >= g.ratio {
				verdict = "yes"
				met++
			}
			ourRate, rivalRate := d.rateText(ourCell), d.rateText(rivalCell)
			if d.worse(rivalCell, ourCell) {
				rivalRate += " †"
				worse = true
			}
			cells = append(cells, append(row,
				ourRate, rivalRate,
				spreadText(stat.Summarize(ours)), spreadText(stat.Summarize(rival)),
				times(r.median), times(r.rounds.Q1)+" to "+times(r.rounds.Q3), times(g.ratio), verdict))
		}
	}
	table(b, []string{":ours", ":rival", "keys", "our rate", "its rate", "ours, ns", "rival, ns", "ratio", "by rounds", "at least", ":met"}, cells)
	fmt.Fprintf(b, "\n%d of %d are met. A ratio is the rival's median over ours; \"by rounds\" is the range of the middle half of the ratios of the single rounds. Rates are the measured ones.\n", met, all)
	if worse {
		b.WriteString("\n† wrong more often than ours, by more than 3 % and than chance explains: the rival has the easier task.\n")
	}
}

func (d *data) rateText(c record.Cell) string {
	if rate, ok := d.results.Rates[c]; ok {
		return percent(rate.FPR())
	}
	return none
}

// worse reports whether the rate of a is above that of b, for certain.
func (d *data) worse(a, b record.Cell) bool {
	ra, ok := d.results.Rates[a]
	rb, also := d.results.Rates[b]
	if !ok || !also {
		return false
	}
	_, high := rb.Interval()
	return ra.FPR() > 1.03*rb.FPR() && ra.Exceeds(high/1.03)
}

// levels returns the levels of the run, from the lowest up.
func (d *data) levels() []string {
	var list []string
	for _, level := range []string{"generic", "neon", "avx2", "avx512"} {
		swept := slices.ContainsFunc(d.run.Sweep, func(s record.Sweep) bool { return s.Level == level })
		if swept || level == d.run.Level {
			list = append(list, level)
		}
	}
	return list
}

var ways = []way{batchMiss, singleMiss, singleHit, bulkAdd}

// subject is what the levels are compared by.
type subject struct {
	name  string
	way   way
	sizes []uint64
}

// swept returns what can be compared; what has no rows at each level is left
// out of the tables.
func (d *data) swept() []subject {
	var sizes []uint64
	for _, g := range d.run.Grid {
		sizes = append(sizes, g.Keys)
	}
	var list []subject
	for _, c := range d.run.Contestants {
		for _, w := range ways {
			list = append(list, subject{c.Name, w, sizes})
		}
	}
	return append(list, subject{"bulk", hashing, []uint64{uint64(d.run.BatchLen)}})
}

// writeSweep compares each level with the one below.
func (d *data) writeSweep(b *strings.Builder) {
	levels := d.levels()
	if len(levels) < 2 {
		return
	}
	b.WriteString("\n## Levels of kernels\n\n")
	fmt.Fprintf(b, "Times in nanoseconds, and how many times as long the level below takes. \"Wins\" is by %.0f %% or more at some number of keys, and by more than the spread: the interquartile ranges do not meet. It is nowhere slower by more than the spread.\n\n", 100*(keepRatio-1))
	headings := []string{":family", ":way", "keys"}
	headings = append(headings, levels...)
	for i := 1; i < len(levels); i++ {
		headings = append(headings, levels[i]+" to "+levels[i-1])
	}
	var cells, verdicts [][]string
	for _, f := range d.swept() {
		steps := make([]step, len(levels)-1)
		for _, n := range f.sizes {
			row := []string{f.name, f.way.String(), keys(n)}
			var ratios []string
			var below []float64
			for i, level := range levels {
				_, all := d.times(figure{f.name, f.way, level}, n)
				if len(all) == 0 {
					row = nil
					break
				}
				row = append(row, spreadText(stat.Summarize(all)))
				if i > 0 {
					ratios = append(ratios, steps[i-1].add(all, below, n))
				}
				below = all
			}
			if row != nil {
				cells = append(cells, append(row, ratios...))
			}
		}
		for i, s := range steps {
			if s.n > 0 {
				verdicts = append(verdicts, []string{f.name, f.way.String(), levels[i+1], times(s.best), times(s.worst), s.verdict()})
			}
		}
	}
	table(b, headings, cells)
	b.WriteString("\n")
	table(b, []string{":family", ":way", ":level", "best", "worst", ":against the level below"}, verdicts)
	b.WriteString("\nWhere a level has no kernel of its own, it runs the code of a lower one, and the two are alike but for chance.")
	for _, s := range d.run.Sweep {
		var list []string
		for _, c := range s.Contestants {
			if len(c.Kernels) > 0 {
				list = append(list, c.Name+" "+strings.Join(c.Kernels, ", "))
			}
		}
		fmt.Fprintf(b, " Batches at level %s were answered by: %s.", s.Level, strings.Join(list, "; "))
	}
	b.WriteString("\n")
}

// step is a level against the one below, over the numbers of keys.
type step struct {
	n           int
	best, worst float64
	slower      []string // numbers of keys, by more than the spread
	wins        bool     // at some number of keys, by enough and by more than the spread
}

// add takes in one number of keys and returns the ratio as text.
func (s *step) add(this, below []float64, n uint64) string {
	r := ratioOf(this, below).median
	if s.n == 0 {
		s.best, s.worst = r, r
	}
	s.n++
	s.best, s.worst = max(s.best, r), min(s.worst, r)
	switch clear := !stat.Summarize(this).Overlaps(stat.Summarize(below)); {
	case clear && r < 1:
		s.slower = append(s.slower, keys(n))
	case clear && r >= keepRatio:
		s.wins = true
	}
	return times(r)
}

func (s *step) verdict() string {
	switch {
	case len(s.slower) > 0:
		return bold("slower at " + strings.Join(s.slower, ", "))
	case s.wins:
		return "wins"
	}
	return "no difference that counts"
}

// writeMedians writes every figure of the run.
func (d *data) writeMedians(b *strings.Builder) {
	b.WriteString("\n## All figures\n\nMedians in nanoseconds. The spread is the interquartile range as a share of the median, the widest of the row.\n")
	for _, g := range d.run.Grid {
		fmt.Fprintf(b, "\n### %s keys\n\n", keys(g.Keys))
		headings := []string{":contestant", "rate asked", "measured", "bits/key"}
		for _, w := range ways {
			headings = append(headings, w.String())
		}
		var cells [][]string
		for _, c := range d.run.Contestants {
			levels := d.levels()
			slices.Reverse(levels)
			for _, level := range levels {
				cell, ok := find(d, d.results.Sizes, c.Name, g.Keys, level)
				if !ok || cell.Level == "" && level != d.run.Level {
					continue
				}
				name := c.Name
				if cell.Level != "" {
					name += ", " + cell.Level
				}
				row := []string{name, asked(cell.Rate), d.rateText(cell), bitsPerKey(d.results.Sizes[cell].File)}
				widest := 0.0
				for _, w := range ways {
					_, all := d.times(figure{c.Name, w, level}, g.Keys)
					s := stat.Summarize(all)
					row = append(row, spreadText(s))
					if s.N > 0 {
						widest = max(widest, s.Relative())
					}
				}
				cells = append(cells, append(row, fmt.Sprintf("%.0f %%", 100*widest)))
			}
		}
		table(b, append(headings, "spread"), cells)
	}
}
