package render

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"image/png"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"gonum.org/v1/plot/vg"

	"github.com/tamis-filter/tamis/bench/record"
	"github.com/tamis-filter/tamis/bench/stat"
)

// made is a contestant with made-up figures.
type made struct {
	name     string
	class    string
	bits     func(rate float64) float64
	ns       float64
	slowdown float64 // per factor of ten in keys
}

var madeUp = []made{
	{"standard", record.Filter, func(p float64) float64 { return 1.44 * math.Log2(1/p) }, 8, 1.6},
	{"blocked", record.Filter, func(p float64) float64 { return 1.6 * math.Log2(1/p) }, 2, 1.7},
	{"split", record.Filter, func(p float64) float64 { return 1.75 * math.Log2(1/p) }, 2.1, 1.7},
	{"cuckoo", record.Filter, func(p float64) float64 { return 1.05*math.Log2(1/p) + 3.2 }, 4, 1.8},
	{"ribbon", record.Filter, func(p float64) float64 { return 1.01 * math.Log2(1/p) }, 9, 1.5},
	{"map", record.Exact, func(float64) float64 { return 300 }, 10, 2.2},
	{"line", record.Line, func(p float64) float64 { return 1.44 * math.Log2(1/p) }, 1, 1.8},
}

// makeRun writes a run with made-up figures into a directory.
func makeRun(t testing.TB, contestants []made) string {
	dir := filepath.Join(t.TempDir(), "2026-01-31-some-cpu")
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	run := record.Run{
		Format: 1, Profile: "made-up", Start: time.Date(2026, 1, 31, 12, 0, 0, 0, time.UTC), Seconds: 100,
		Machine: record.Machine{
			CPU: "Some CPU", LogicalCPUs: 2, PageBytes: 4096, HugePages: "madvise", Governor: record.NotAvailable,
			Hypervisor: "no", Kernel: "6.1", OS: record.NotAvailable,
			Caches: []record.Cache{{Level: 1, Type: "Data", Bytes: 32 << 10}, {Level: 2, Type: "Unified", Bytes: 1 << 20}, {Level: 3, Type: "Unified", Bytes: 32 << 20}},
		},
		Build:  record.GoBuild{Go: "go1.26", GOOS: "linux", GOARCH: "amd64", Settings: map[string]string{"GOAMD64": "v1", "-compiler": "gc", "CGO_ENABLED": "1"}},
		Source: record.Source{Commit: "0123456", Dirty: "no"},
		Grid: []record.GridRow{
			{Keys: 10_000, Rates: []float64{0.01}},
			{Keys: 1_000_000, Rates: []float64{0.1, 0.01, 0.001, 0.0001}},
			{Keys: 50_000_000, Rates: []float64{0.01}},
		},
		RoundsAsked: 10, Rounds: 10, TimingMs: 5, BatchLen: 1024, HitsWanted: 10_000, MaxProbes: 100_000_000,
		LeftOut: []record.LeftOut{{Name: "cuckoo", Keys: 10_000, Rate: 0.001, Reason: "made up"}}, Warnings: []string{"made up"},
	}
	for _, m := range contestants {
		run.Contestants = append(run.Contestants, record.Contestant{Name: m.name, Class: m.class, Version: "1", Summary: "made up", Changes: "static", Kernels: []string{"generic"}})
	}
	if err := record.WriteRun(dir, run); err != nil {
		t.Fatal(err)
	}
	var raw bytes.Buffer
	w := record.NewWriter(&raw, run)
	for _, g := range run.Grid {
		for _, m := range contestants {
			for i, rate := range g.Rates {
				if m.class == record.Exact {
					if i > 0 {
						break
					}
					rate = 0
				}
				m.write(w, record.Cell{Name: m.name, Keys: g.Keys, Rate: rate})
			}
		}
	}
	if err := w.Flush(); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, record.RawFile), raw.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
	return dir
}

func (m made) write(w *record.Writer, c record.Cell) {
	bits := m.bits(c.Rate)
	w.Size(c, record.Size{File: bits + 512/float64(c.Keys), Payload: bits})
	if m.class == record.Filter {
		w.Rate(c, record.Rate{Hits: uint64(c.Rate * 1e7), Probes: 1e7})
	}
	ns := m.ns * math.Pow(m.slowdown, math.Log10(float64(c.Keys))-4)
	for round := range 3 {
		noise := 1 + 0.02*float64(round)
		if m.class != record.Line {
			w.Build(c, c.Keys, record.Build{Ns: 10 * ns * noise, Bytes: 2})
		}
		for i, mode := range record.Modes {
			for _, hits := range record.HitShares {
				w.Query(record.Query{Cell: c, Mode: mode, Hits: hits}, 100_000, ns*noise*(1+0.3*float64(i%3)))
			}
		}
	}
}

func mustRun(t *testing.T, dir string) []File {
	t.Helper()
	files, err := Run(dir)
	if err != nil {
		t.Fatal(err)
	}
	return files
}

func TestSameDataSameBytes(t *testing.T) {
	dir := makeRun(t, madeUp)
	first := mustRun(t, dir)
	for range 3 {
		for i, f := range mustRun(t, dir) {
			if f.Name != first[i].Name || !bytes.Equal(f.Data, first[i].Data) {
				t.Fatalf("%s differs from one rendering to the next", f.Name)
			}
		}
	}
	if stale := Stale(dir, first); len(stale) != len(first) {
		t.Errorf("before writing, %d of %d files are stale", len(stale), len(first))
	}
	if err := Write(dir, first); err != nil {
		t.Fatal(err)
	}
	if stale := Stale(dir, first); len(stale) != 0 {
		t.Errorf("after writing, %q are stale", stale)
	}
}

func TestFiles(t *testing.T) {
	files := mustRun(t, makeRun(t, madeUp))
	var names []string
	for _, f := range files {
		names = append(names, f.Name)
		switch filepath.Ext(f.Name) {
		case ".png":
			if _, err := png.Decode(bytes.NewReader(f.Data)); err != nil {
				t.Errorf("%s: %v", f.Name, err)
			}
			if kib := len(f.Data) >> 10; kib > 150 {
				t.Errorf("%s takes %d KiB", f.Name, kib)
			}
		case ".svg":
			d := xml.NewDecoder(bytes.NewReader(f.Data))
			for {
				if _, err := d.Token(); errors.Is(err, io.EOF) {
					break
				} else if err != nil {
					t.Fatalf("%s: %v", f.Name, err)
				}
			}
		}
	}
	want := []string{"report.md", "choosing.md"}
	for _, chart := range []string{"bits-by-rate", "time-by-bits-1000000", "time-by-bits-50000000", "time-by-keys-batch", "time-by-keys-single"} {
		want = append(want, chart+".svg", chart+".png")
	}
	if !slices.Equal(names, want) {
		t.Errorf("files %q, want %q", names, want)
	}
	report := string(Named(files, ReportFile))
	for _, text := range []string{
		"Some CPU", "made-up", "0123456", "| **10.07** |", "not available", "- cuckoo, 10⁴ keys, 0.1 %: made up", "5·10⁷ keys", "![", "Limits", "Cite",
	} {
		if !strings.Contains(report, text) {
			t.Errorf("the report has no %q", text)
		}
	}
	for _, text := range []string{"NaN", "Inf", "%!", "**–**"} {
		if strings.Contains(report, text) {
			t.Errorf("the report has a %q", text)
		}
	}
}

// TestFewContestants renders runs of a part of the contestants.
func TestFewContestants(t *testing.T) {
	for _, some := range [][]made{madeUp[:1], madeUp[4:5], madeUp[5:], madeUp[3:6]} {
		files := mustRun(t, makeRun(t, some))
		if report := string(Named(files, ReportFile)); strings.Contains(report, "NaN") {
			t.Errorf("%s: the report has a NaN", some[0].name)
		}
	}
}

func TestRunRefuses(t *testing.T) {
	if _, err := Run(t.TempDir()); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("an empty directory: %v", err)
	}
	dir := makeRun(t, madeUp)
	if err := os.WriteFile(filepath.Join(dir, record.RawFile), []byte("BenchmarkSize/family=x 1 y\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := Run(dir); err == nil {
		t.Error("a raw file with a bad row is rendered")
	}
}

func TestInsert(t *testing.T) {
	const page = "before\n<!-- choosing:begin -->\nold\n<!-- choosing:end -->\nafter\n"
	got, err := Insert([]byte(page), "choosing", "\nnew\n\n")
	if err != nil {
		t.Fatal(err)
	}
	if want := strings.Replace(page, "old", "new", 1); string(got) != want {
		t.Errorf("got %q, want %q", got, want)
	}
	for _, bad := range []string{
		"", "<!-- choosing:begin -->", "<!-- choosing:end --><!-- choosing:begin -->", page + page,
	} {
		if _, err := Insert([]byte(bad), "choosing", "new"); err == nil {
			t.Errorf("%q is taken", bad)
		}
	}
}

func TestFormat(t *testing.T) {
	for _, c := range []struct{ got, want string }{
		{digits(0, 3), "0"},
		{digits(1, 3), "1.00"},
		{digits(9.996, 3), "10.0"},
		{digits(0.00965, 3), "0.00965"},
		{digits(1234, 3), "1230"},
		{digits(0.5, 1), "0.5"},
		{digits(20, 1), "20"},
		{nanoseconds(0.625), "0.625"},
		{nanoseconds(123.4), "123"},
		{percent(0.00998), "0.998 %"},
		{asked(0.01), "1 %"},
		{asked(0.003), "0.3 %"},
		{asked(0.00001), "0.001 %"},
		{over(0.443), "+44.3 %"},
		{over(math.NaN()), none},
		{keys(1000), "10³"},
		{keys(50_000_000), "5·10⁷"},
		{keys(123_000), "123000"},
		{keys(100), "100"},
		{size(512), "512 B"},
		{size(32 << 10), "32 KiB"},
		{size(25_276_502_016), "23.5 GiB"},
		{count(1_000_000), "1 000 000"},
		{count(999), "999"},
		{duration(42), "42 s"},
		{duration(150), "2.5 min"},
	} {
		if c.got != c.want {
			t.Errorf("got %q, want %q", c.got, c.want)
		}
	}
}

func TestBold(t *testing.T) {
	texts := []string{"9.60", "6.70", "6.70", "2.00"}
	boldSmallest(texts, []float64{9.6, 6.699, 6.701, 2}, []bool{true, true, true, false})
	if want := []string{"9.60", "**6.70**", "**6.70**", "2.00"}; !slices.Equal(texts, want) {
		t.Errorf("smallest: %q, want %q", texts, want)
	}
	texts = []string{"4", "5", "7", "1", none}
	spreads := []stat.Spread{{Q1: 3, Median: 4, Q3: 5, N: 9}, {Q1: 4, Median: 5, Q3: 6, N: 9}, {Q1: 6, Median: 7, Q3: 8, N: 9}, {Q1: 1, Median: 1, Q3: 1, N: 9}, {}}
	boldFastest(texts, spreads, []bool{true, true, true, false, true})
	if want := []string{"**4**", "**5**", "7", "1", none}; !slices.Equal(texts, want) {
		t.Errorf("fastest: %q, want %q", texts, want)
	}
	alone := []string{"4"}
	boldFastest(alone, spreads[:1], []bool{true})
	if alone[0] != "4" {
		t.Error("one without rivals does not win")
	}
}

func TestSpreadOut(t *testing.T) {
	for _, c := range []struct{ ys, want []vg.Length }{
		{[]vg.Length{0, 100}, []vg.Length{0, 100}},
		{[]vg.Length{50, 50}, []vg.Length{45, 55}},
		{[]vg.Length{0, 4, 5, 100}, []vg.Length{-7, 3, 13, 100}},
	} {
		got := slices.Clone(c.ys)
		spreadOut(got, 10)
		if fmt.Sprintf("%.3f", got) != fmt.Sprintf("%.3f", c.want) {
			t.Errorf("%v becomes %v, want %v", c.ys, got, c.want)
		}
	}
}
