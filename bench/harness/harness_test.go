package harness

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/tamis-filter/tamis/bench/record"
)

func TestKeysAreDistinct(t *testing.T) {
	seen := map[uint64]uint64{}
	for _, first := range []uint64{0, 1 << 20, firstProbe, firstStranger} {
		for i := range uint64(20_000) {
			key := keyAt(first + i)
			if other, ok := seen[key]; ok {
				t.Fatalf("numbers %d and %d have one key", first+i, other)
			}
			seen[key] = first + i
		}
	}
}

func TestQueries(t *testing.T) {
	const n = 500
	members := map[[8]byte]bool{}
	for i := range uint64(n) {
		members[keyBytes(i)] = true
	}
	q := newQueries(20_000)
	for _, percent := range record.HitShares {
		q.fill(n, percent)
		found := 0
		for i, key := range q.keys {
			if members[key] {
				found++
			}
			if hasher.Bytes(key[:]) != q.hashes[i] {
				t.Fatalf("query %d: key and hash differ", i)
			}
		}
		if found != q.members {
			t.Errorf("%d %%: %d members among the queries, %d counted", percent, found, q.members)
		}
		if share := 100 * float64(found) / float64(len(q.keys)); share < float64(percent)-2 || share > float64(percent)+2 {
			t.Errorf("%d %%: the share is %.1f %%", percent, share)
		}
	}
}

func TestProbesFor(t *testing.T) {
	p := Profile{Hits: 10_000, MaxProbes: 100_000_000}
	for _, c := range []struct {
		asked, expected float64
		want            uint64
	}{
		{0.5, 0, minProbes},
		{0.001, 0, 10_000_000},
		{0.001, 0.0005, 20_000_000},
		{0.001, 0.9, 10_000_000},
		{0.00001, 0, 100_000_000},
	} {
		if got := p.probesFor(c.asked, c.expected); got != c.want {
			t.Errorf("asked %v, expected %v: %d probes, want %d", c.asked, c.expected, got, c.want)
		}
	}
}

func TestProfiles(t *testing.T) {
	for _, name := range ProfileNames() {
		p, err := FindProfile(name)
		if err != nil {
			t.Fatal(err)
		}
		for i, row := range p.Grid {
			if i > 0 && row.Keys <= p.Grid[i-1].Keys {
				t.Errorf("%s: the grid does not ascend at %d keys", name, row.Keys)
			}
			for _, rate := range row.Rates {
				if hits := float64(p.MaxProbes) * rate; !strings.HasSuffix(name, "smoke") && hits < record.FewHits {
					t.Errorf("%s: the probes bring %.0f false positives at rate %v", name, hits, rate)
				}
			}
		}
	}
	if _, err := FindProfile("none"); err == nil || !strings.Contains(err.Error(), "quick") {
		t.Errorf("error %v", err)
	}
}

func TestSlug(t *testing.T) {
	for cpu, want := range map[string]string{
		"AMD EPYC": "amd-epyc",
		"Intel(R) Core(TM) i7-9700 CPU @ 3.00GHz":  "intel-core-i7-9700",
		"AMD Ryzen 9 7950X 16-Core Processor":      "amd-ryzen-9-7950x",
		"Intel(R) Xeon(R) Platinum 8480+ @ 2.0GHz": "intel-xeon-platinum-8480",
	} {
		if got := slug(cpu); got != want {
			t.Errorf("slug(%q) = %q, want %q", cpu, got, want)
		}
	}
}

func TestKeepNeverOverwrites(t *testing.T) {
	reports := t.TempDir()
	r := record.Run{Start: time.Date(2026, 1, 31, 0, 0, 0, 0, time.UTC), Machine: record.Machine{CPU: record.NotAvailable}, Build: record.GoBuild{GOARCH: "arm64"}}
	for _, want := range []string{"2026-01-31-arm64", "2026-01-31-arm64-2", "2026-01-31-arm64-3"} {
		work, err := os.MkdirTemp(reports, ".run-")
		if err != nil {
			t.Fatal(err)
		}
		dir, err := Keep(work, reports, r)
		if err != nil {
			t.Fatal(err)
		}
		if filepath.Base(dir) != want {
			t.Errorf("kept as %s, want %s", filepath.Base(dir), want)
		}
	}
}

func TestMachineText(t *testing.T) {
	if got := chosen("always [madvise] never"); got != "madvise" {
		t.Errorf("chosen: %q", got)
	}
	if got := chosen(""); got != "" {
		t.Errorf("chosen of nothing: %q", got)
	}
	for text, want := range map[string]uint64{"24683604 kB": 24683604 << 10, "32K": 32 << 10, "": 0, "12": 0, "x kB": 0} {
		if got := kibibytes(text); got != want {
			t.Errorf("kibibytes(%q) = %d, want %d", text, got, want)
		}
	}
	const cpuinfo = "processor\t: 0\nmodel name\t: Some CPU\nflags\t\t: fpu hypervisor sse\n"
	if got := field(cpuinfo, "model name"); got != "Some CPU" {
		t.Errorf("field: %q", got)
	}
	if hypervisor(cpuinfo) != "yes" || hypervisor("flags : fpu\n") != "no" || hypervisor("") != record.NotAvailable {
		t.Error("hypervisor")
	}
	if got := assignment("ID=x\nPRETTY_NAME=\"Some OS\"\n", "PRETTY_NAME"); got != `"Some OS"` {
		t.Errorf("assignment: %q", got)
	}
}

func TestProgressLines(t *testing.T) {
	var b bytes.Buffer
	p := NewProgress(&b)
	p.expect(4 * time.Second)
	p.start, p.last = p.start.Add(-30*time.Second), p.last.Add(-lineEvery)
	p.step(time.Second, "one")
	p.step(time.Second, "two, too soon for a line")
	if got, want := b.String(), " 25 %  one; about 90 s left\n"; got != want && got != " 25 %  one; about 2 min left\n" {
		t.Errorf("wrote %q, want %q", got, want)
	}
}
