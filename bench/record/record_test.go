package record

import (
	"bytes"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/perf/benchfmt"
)

var testRun = Run{
	Format:      1,
	Profile:     "smoke",
	Start:       time.Date(2026, 1, 31, 12, 0, 0, 0, time.UTC),
	Machine:     Machine{CPU: "Some CPU", Caches: []Cache{{1, "Data", 32 << 10}}},
	Build:       GoBuild{Go: "go1.26", GOOS: "linux", GOARCH: "amd64", Settings: map[string]string{"GOAMD64": "v1"}},
	Source:      Source{"0123", "no"},
	Grid:        []GridRow{{1_000_000, []float64{0.01, 0.0001}}},
	Contestants: []Contestant{{Name: "blocked", Class: Filter, Kernels: []string{"generic"}}},
	LeftOut:     []LeftOut{},
	Warnings:    []string{},
}

func TestRoundTrip(t *testing.T) {
	cell := Cell{"blocked", 1_000_000, 0.0001, "", 0}
	exact := Cell{"map", 123_456, 0, "", 0}
	low := Cell{"blocked", 1_000_000, 0.01, "avx2", 0}
	want := &Results{
		Sizes:  map[Cell]Size{cell: {21.5, 21.4375}, exact: {300, 300}},
		Rates:  map[Cell]Rate{cell: {1003, 10_000_000}},
		Builds: map[Cell][]Build{cell: {{12.125, 3.5}, {13.25, 3.5}}, {"blocked", 1_000_000, 0.01, "avx2", 1}: {{9.5, 2}}},
		Adds:   map[Cell][]float64{cell: {1.5}, low: {2.5, 2.25}},
		Hashes: map[Cell][]float64{{"bulk", 1024, 0, "avx2", 0}: {0.25, 0.5}},
		Queries: map[Query][]float64{
			{cell, Batch, 0}:    {3.125, 0.625},
			{cell, Single, 100}: {5},
			{low, Single, 100}:  {6},
			{exact, Chain, 50}:  {44.5},
		},
	}
	var b bytes.Buffer
	w := NewWriter(&b, testRun)
	for c, s := range want.Sizes {
		w.Size(c, s)
	}
	for c, r := range want.Rates {
		w.Rate(c, r)
	}
	for c, list := range want.Builds {
		for _, one := range list {
			w.Build(c, c.Keys, one)
		}
	}
	for c, list := range want.Adds {
		for _, ns := range list {
			w.Add(c, c.Keys, ns)
		}
	}
	for c, list := range want.Hashes {
		for _, ns := range list {
			w.Hash(c, 65536, ns)
		}
	}
	for q, list := range want.Queries {
		for _, ns := range list {
			w.Query(q, 65536, ns)
		}
	}
	if err := w.Flush(); err != nil {
		t.Fatal(err)
	}
	got, err := Parse(bytes.NewReader(b.Bytes()), "raw.txt")
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v\nwant %+v", got, want)
	}
}

// TestRawIsBenchmarkFormat reads raw rows as benchstat does: configuration,
// name parts and units must come out, and nothing may look like a GOMAXPROCS.
func TestRawIsBenchmarkFormat(t *testing.T) {
	var b bytes.Buffer
	w := NewWriter(&b, testRun)
	w.Rate(Cell{Name: "blocked", Keys: 50_000_000, Rate: 0.00001}, Rate{99, 10_000_000})
	w.Query(Query{Cell{Name: "blocked", Keys: 1_000_000, Rate: 0.01}, Batch, 50}, 1_000_000, 3.21)
	if err := w.Flush(); err != nil {
		t.Fatal(err)
	}
	if want := "BenchmarkQuery/family=blocked/n=1e6/p=0.01/hits=50/mode=batch 1000000 3.21 ns/op\n"; !strings.Contains(b.String(), want) {
		t.Errorf("no line %q in\n%s", want, b.String())
	}
	r := benchfmt.NewReader(&b, "raw.txt")
	var names []string
	units := map[string]float64{}
	for r.Scan() {
		switch rec := r.Result().(type) {
		case *benchfmt.Result:
			_, parts := rec.Name.Parts()
			for _, p := range parts {
				names = append(names, string(p))
			}
			for _, v := range rec.Values {
				units[v.Unit] = v.Value
			}
			if got := rec.GetConfig("cpu"); got != "Some CPU" {
				t.Errorf("cpu is %q", got)
			}
		case *benchfmt.SyntaxError:
			t.Error(rec)
		}
	}
	if want := []string{
		"/family=blocked", "/n=5e7", "/p=0.00001",
		"/family=blocked", "/n=1e6", "/p=0.01", "/hits=50", "/mode=batch",
	}; !slices.Equal(names, want) {
		t.Errorf("name parts %q, want %q", names, want)
	}
	if got, want := slices.Sorted(maps.Keys(units)), []string{unitHits, unitFew, unitRate, unitHigh, unitLow, "sec/op"}; !slices.Equal(got, slices.Sorted(slices.Values(want))) {
		t.Errorf("units %q, want %q", got, want)
	}
	if units[unitRate] != 9.9e-6 || units[unitHits] != 99 {
		t.Errorf("values %v", units)
	}
}

func TestParseRefuses(t *testing.T) {
	for _, text := range []string{
		"",
		"goos: linux\n",
		"BenchmarkSize/family=a/n=1e6/p=0.01 1 10 bits/key\n",
		"BenchmarkSize/n=1e6/p=0.01 1 10 bits/key 10 payload-bits/key\n",
		"BenchmarkSize/family=a/n=zero/p=0.01 1 10 bits/key 10 payload-bits/key\n",
		"BenchmarkSize/family=a/n=1e6/p=2 1 10 bits/key 10 payload-bits/key\n",
		"BenchmarkFPR/family=a/n=1e6/p=0.01 10 0.1 fpr 11 false-positives\n",
		"BenchmarkQuery/family=a/n=1e6/p=0.01/mode=batch 10 1 ns/op\n",
		"BenchmarkOther/family=a/n=1e6 1 1 ns/op\n",
		"BenchmarkSize/blocked 1 1 bits/key\n",
	} {
		if res, err := Parse(strings.NewReader(text), "raw.txt"); err == nil {
			t.Errorf("%q: no error, but %+v", text, res)
		}
	}
}

func TestRunRoundTrip(t *testing.T) {
	dir := t.TempDir()
	if err := WriteRun(dir, testRun); err != nil {
		t.Fatal(err)
	}
	got, err := ReadRun(dir)
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(got, testRun) {
		t.Errorf("got %+v\nwant %+v", got, testRun)
	}
	newer := testRun
	newer.Format = 2
	if err := WriteRun(dir, newer); err != nil {
		t.Fatal(err)
	}
	if _, err := ReadRun(dir); err == nil {
		t.Error("format 2 is read")
	}
}

func TestRate(t *testing.T) {
	for _, c := range []struct {
		rate         Rate
		asked        float64
		few, exceeds bool
	}{
		{Rate{1000, 100_000}, 0.01, false, false},
		{Rate{1030, 100_000}, 0.01, false, false},
		{Rate{1200, 100_000}, 0.01, false, true},
		{Rate{99, 10_000}, 0.01, true, false},
		{Rate{100_000, 100_000}, 0.01, false, true},
		{Rate{0, 100_000}, 0.01, true, false},
	} {
		if c.rate.Few() != c.few || c.rate.Exceeds(c.asked) != c.exceeds {
			t.Errorf("%+v at %v: few %v, exceeds %v", c.rate, c.asked, c.rate.Few(), c.rate.Exceeds(c.asked))
		}
	}
}
