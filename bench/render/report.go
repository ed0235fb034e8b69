package render

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/tamis-filter/tamis/bench/record"
)

// report writes report.md.
func (d *data) report(charts []*chart) string {
	var b strings.Builder
	day := d.run.Start.Format("2006-01-02")
	fmt.Fprintf(&b, "# Approximate-membership filters on %s, %s\n\n", d.run.Machine.CPU, day)
	which := "each filter of tamis takes"
	if d.run.Rivals() {
		which = "each filter, of tamis and of other libraries, takes"
	}
	fmt.Fprintf(&b, "What %s in space and time, and how often it is wrong, measured in one interleaved run: profile %s, %d rounds, %s. Every member of every filter that was built was looked up, singly and in batches, and none was denied.\n",
		which, d.run.Profile, d.run.Rounds, duration(d.run.Seconds))
	d.writeNotes(&b)

	b.WriteString("\n## Choosing\n\n" + d.choosing())
	b.WriteString("\n## Charts\n")
	for _, c := range charts {
		fmt.Fprintf(&b, "\n![%s](%s.svg)\n\n[PNG](%s.png)\n", c.alt, c.name, c.name)
	}
	b.WriteString("\n## Results\n\n")
	b.WriteString("Times are nanoseconds per key, the median of the rounds. In a group of one number of keys and one rate asked for, bold marks the filter of the least size or time, and every filter whose interquartile range meets that one's. The spread is the interquartile range as a share of the median, the widest of the row. Names in italics are no filters; they are there to compare with.\n")
	for _, g := range d.run.Grid {
		d.writeKeys(&b, g.Keys)
	}
	d.writeContestants(&b)
	d.writeMachine(&b)
	d.writeMethod(&b)
	d.writeLimits(&b)
	d.writeReproduce(&b)
	d.writeCite(&b)
	return b.String()
}

// writeNotes lists what a reader must know first: warnings, and what is missing.
func (d *data) writeNotes(b *strings.Builder) {
	switch d.run.Source.Dirty {
	case "yes":
		b.WriteString("\n**The source had changes that are not in the commit stated below.**\n")
	case record.NotAvailable:
		b.WriteString("\n**What state the source was in is not known.**\n")
	}
	if d.run.Rounds < 10 {
		fmt.Fprintf(b, "\n**With %d rounds, medians and spreads of times are rough.** The full profile does more.\n", d.run.Rounds)
	}
	if len(d.run.Warnings) > 0 {
		b.WriteString("\nWarnings of the run:\n\n")
		for _, w := range d.run.Warnings {
			fmt.Fprintf(b, "- %s\n", w)
		}
	}
	if len(d.run.LeftOut) > 0 {
		b.WriteString("\nLeft out:\n\n")
		for _, l := range d.run.LeftOut {
			who, rate := l.Name, asked(l.Rate)
			if who == "" {
				who = "all"
			}
			if l.Rate == 0 {
				rate = "all rates"
			}
			fmt.Fprintf(b, "- %s, %s keys, %s: %s\n", who, keys(l.Keys), rate, l.Reason)
		}
	}
}

// writeKeys writes the tables of one number of keys.
func (d *data) writeKeys(b *strings.Builder, n uint64) {
	rows := d.rows(n)
	fmt.Fprintf(b, "\n### %s keys\n\n", keys(n))
	b.WriteString(d.where(rows))
	var groups [][]row
	for i, r := range rows {
		if i == 0 || r.Rate != rows[i-1].Rate {
			groups = append(groups, nil)
		}
		groups[len(groups)-1] = append(groups[len(groups)-1], r)
	}
	d.writeSpace(b, groups)
	b.WriteString("\nQueries, by the share of members among them:\n\n")
	writeTimes(b, groups, []mode{{record.Single, "single"}, {record.Batch, "batch"}})
	b.WriteString("\nSingle calls of which each waits for the answer before, and single calls by key, hashing included:\n\n")
	writeTimes(b, groups, []mode{{record.Chain, "waiting"}, {record.Key, "by key"}})
}

// where tells how large the filters are beside the caches.
func (d *data) where(rows []row) string {
	smallest, largest := math.Inf(1), 0.0
	for _, r := range rows {
		if r.class == record.Filter {
			bytes := r.size.File * float64(r.Keys) / 8
			smallest, largest = min(smallest, bytes), max(largest, bytes)
		}
	}
	if largest == 0 {
		return ""
	}
	text := fmt.Sprintf("Filters of %s to %s.", size(uint64(smallest)), size(uint64(largest)))
	if from, to := d.tier(smallest), d.tier(largest); from == to && from != "" {
		text += fmt.Sprintf(" All fit into %s, by the sizes that the machine states.", from)
	} else if from != "" {
		text += fmt.Sprintf(" The smallest fits into %s, the largest into %s, by the sizes that the machine states.", from, to)
	}
	return text + "\n\n"
}

// writeSpace writes the table of rates, sizes and constructions.
func (d *data) writeSpace(b *strings.Builder, groups [][]row) {
	var cells [][]string
	var few, exceeds bool
	for _, rows := range groups {
		col := newColumns(rows)
		for i, r := range rows {
			rate, interval := none, none
			if r.rate.Probes > 0 {
				low, high := r.rate.Interval()
				rate, interval = percent(r.rate.FPR()), fmt.Sprintf("%s to %s", digits(100*low, 3), percent(high))
				if r.rate.Few() {
					rate, few = rate+" †", true
				}
				if r.rate.Exceeds(r.Rate) {
					rate, exceeds = rate+" ‡", true
				}
			}
			cells = append(cells, []string{
				title(r), rateAsked(r), rate, interval, col.bits[i], bitsPerKey(r.size.Payload), col.overhead[i], col.build[i], allocated(r),
			})
		}
	}
	table(b, []string{
		":family", "rate asked", "measured", "95 % interval", "bits/key", "of which payload", "over the bound", "build, ns/key", "allocated, B/key",
	}, cells)
	if few {
		fmt.Fprintf(b, "\n† fewer than %d false positives in all the probes that the profile allows: the interval is wide.\n", record.FewHits)
	}
	if exceeds {
		b.WriteString("\n‡ above the rate asked for, by more than a tamis filter may be and than chance explains.\n")
	}
}

// mode is a mode with its heading.
type mode struct {
	record.Mode
	heading string
}

// writeTimes writes a table of query times.
func writeTimes(b *strings.Builder, groups [][]row, modes []mode) {
	headings := []string{":family", "rate asked"}
	for _, m := range modes {
		for _, hits := range record.HitShares {
			headings = append(headings, fmt.Sprintf("%s, %d %%", m.heading, hits))
		}
	}
	headings = append(headings, "spread")
	var cells [][]string
	for _, rows := range groups {
		first := len(cells)
		for _, r := range rows {
			cells = append(cells, []string{title(r), rateAsked(r)})
		}
		widest := make([]float64, len(rows))
		col := newColumns(rows)
		for _, m := range modes {
			for _, hits := range record.HitShares {
				for i, text := range col.time(m.Mode, hits) {
					cells[first+i] = append(cells[first+i], text)
					if s := rows[i].queries[query{m.Mode, hits}]; s.N > 0 {
						widest[i] = max(widest[i], s.Relative())
					}
				}
			}
		}
		for i, w := range widest {
			cells[first+i] = append(cells[first+i], fmt.Sprintf("%.0f %%", 100*w))
		}
	}
	table(b, headings, cells)
}

// title is a row's name, in italics if it is no filter.
func title(r row) string {
	if r.class == record.Filter {
		return r.Name
	}
	return "*" + r.Name + "*"
}

func rateAsked(r row) string {
	if r.Rate == 0 {
		return none
	}
	return asked(r.Rate)
}

func allocated(r row) string {
	if r.build.N == 0 {
		return none
	}
	return digits(r.bytes, 3)
}

func (d *data) writeContestants(b *strings.Builder) {
	b.WriteString("\n## Contestants\n\n")
	var cells [][]string
	for _, c := range d.run.Contestants {
		kernels := strings.Join(slices.Sorted(slices.Values(c.Kernels)), ", ")
		if kernels == "" {
			kernels = none
		}
		cells = append(cells, []string{c.Name, c.Summary, c.Changes, kernels, c.Version})
	}
	table(b, []string{":name", ":what it is", ":once built", ":batch kernel", ":version"}, cells)
}

// duration writes seconds for people.
func duration(seconds float64) string {
	if seconds < 100 {
		return digits(seconds, 2) + " s"
	}
	return digits(seconds/60, 2) + " min"
}
