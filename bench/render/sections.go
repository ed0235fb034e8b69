package render

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/tamis-filter/tamis/bench/record"
)

// The sections of a report about where its figures come from.

func (d *data) writeMachine(b *strings.Builder) {
	m, g := d.run.Machine, d.run.Build
	var caches []string
	for _, c := range m.Caches {
		caches = append(caches, fmt.Sprintf("%s %s %s", cacheName(c), strings.ToLower(c.Type), size(c.Bytes)))
	}
	var settings []string
	for key, value := range g.Settings {
		settings = append(settings, key+"="+value)
	}
	slices.Sort(settings)
	b.WriteString("\n## Machine and build\n\n")
	table(b, []string{":what", ":value"}, [][]string{
		{"processor", m.CPU},
		{"logical processors", strconv.Itoa(m.LogicalCPUs)},
		{"caches, as one core sees them", orNotAvailable(strings.Join(caches, ", "))},
		{"memory", known(m.MemoryBytes > 0, size(m.MemoryBytes))},
		{"page", size(uint64(m.PageBytes))},
		{"transparent huge pages", m.HugePages},
		{"frequency governor", m.Governor},
		{"virtual machine", m.Hypervisor},
		{"operating system", m.OS},
		{"system kernel", m.Kernel},
		{"Go", fmt.Sprintf("%s %s/%s", g.Go, g.GOOS, g.GOARCH)},
		{"build settings", orNotAvailable(strings.Join(settings, " "))},
		{"commit", d.run.Source.Commit},
		{"changes beside the commit", d.run.Source.Dirty},
		{"start", d.run.Start.Format("2006-01-02 15:04:05 MST")},
		{"duration", duration(d.run.Seconds)},
		{"seed of the keys, of the hash", fmt.Sprintf("%d, %d", d.run.KeySeed, d.run.HashSeed)},
	})
}

func orNotAvailable(s string) string { return known(s != "", s) }

func known(ok bool, s string) string {
	if !ok {
		return record.NotAvailable
	}
	return s
}

func (d *data) writeMethod(b *strings.Builder) {
	r, rivals := d.run, ""
	if r.Rivals() {
		rivals = " Filters of other libraries that take no hash get 8 bytes as a key and hash them in every call."
	}
	fmt.Fprintf(b, `
## Method

- **Keys** are numbers run through a bijective mixer, 8 bytes each, so members and strangers differ by construction. They are hashed with XXH3-64. Families get the hashes; only the times "by key" include hashing.%s
- **Size** is that of the filter's file, header included; of the map, the heap it takes. The bound is log2(1/p) bits per key for the *measured* rate p, which is fair to a filter that does better than asked.
- **Rate**: every probe is a stranger that was not probed before. Their number is chosen for %s false positives, with at most %s probes. The interval is Wilson's, for 95 %%.
- **Gate**: every member is looked up in every filter that is built, in the rounds too, singly and in batches of %d; singly and in batches, strangers get the same answers. One denied member ends the run without a report.
- **Time**: one thread, locked to a system thread. A round measures every cell once; rounds repeat, so that a slow minute of the machine meets all alike. A timing lasts at least %s ms and is a row of segments: draw new queries in random order, warm up with some, time the others. No queries are used twice. Answers are counted. Garbage is collected between timings and never in one.
- **Single** calls are made by the filter's own type, as a program that imports one family makes them, and may overlap in the processor. **Waiting** calls depend on the answer before: each hash is made with it. A filter that answers through a branch can go on all the same by a guess of the processor, so its waiting times may be below what its memory takes.
- **Batch** calls take %d hashes and set bits in a bit set.
- **Build** makes the filter from all hashes, given %d at a time; what it allocates, the filter itself included, is counted by the runtime.
- ***line*** reads one random cache line a query from an array as large as a Bloom filter for the same keys and rate. Its times tell what of a filter's time is the machine's; a filter that is smaller, or luckier in what the caches hold, can be below it.
`, rivals, count(r.HitsWanted), count(r.MaxProbes), r.BatchLen, strconv.FormatFloat(r.TimingMs, 'f', -1, 64), r.BatchLen, r.BatchLen)
}

func (d *data) writeLimits(b *strings.Builder) {
	b.WriteString("\n## Limits of this study\n\n")
	b.WriteString("- One machine, one thread, one compiler. On another one, ratios may differ as well as times: measure yours.\n")
	if d.run.Machine.Hypervisor == "yes" {
		b.WriteString("- The machine is virtual: what its neighbours do, and how its caches are shared, is not visible. The cache sizes are as stated to the guest.\n")
	}
	if d.run.Machine.Governor == record.NotAvailable {
		b.WriteString("- The processor's frequency is neither fixed nor known.\n")
	}
	b.WriteString(`- Keys are uniform and short; hashing long keys adds to every family alike.
- Queries come one after another as fast as they can. In a program that does other work between them, the filter's lines may have left the cache: the times for larger filters are nearer to that.
- The rate is that of one filter per cell. Filters for few keys differ from one another by more than the interval, which is about the probes.
- Differences within the spread are no wins. The table sets both in bold.
`)
}

func (d *data) writeReproduce(b *strings.Builder) {
	checkout := "git checkout " + d.run.Source.Commit
	if d.run.Source.Commit == record.NotAvailable {
		checkout = "# the commit is not available"
	}
	fmt.Fprintf(b, `
## Reproduce

    git clone https://github.com/tamis-filter/tamis && cd tamis
    %s
    cd bench
    go run ./cmd/measure -profile %s    # prints the new run's directory
    go run ./cmd/render DIRECTORY

This page and its charts are made from [raw.txt](raw.txt), one line for each repetition, and [run.json](run.json) alone. The raw lines are in the Go benchmark format: `+"`benchstat -filter '.name:Query' -row .fullname raw.txt`"+` reads them, and compares them with those of another run.
`, checkout, d.run.Profile)
}

func (d *data) writeCite(b *strings.Builder) {
	fmt.Fprintf(b, `
## Cite

> tamis contributors. *Approximate-membership filters on %s, %s.* Report %s of tamis, commit %s. https://github.com/tamis-filter/tamis

State the run's name: figures of two runs are not comparable as they stand.
`, d.run.Machine.CPU, d.run.Start.Format("2006-01-02"), d.name, d.run.Source.Commit)
}
