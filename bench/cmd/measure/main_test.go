package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/tamis-filter/tamis/asm"
	"github.com/tamis-filter/tamis/bench/adapter"
	"github.com/tamis-filter/tamis/bench/record"
	"github.com/tamis-filter/tamis/bench/render"
)

// TestMain lets a sweep start this program again, as it would start measure.
func TestMain(m *testing.M) {
	if slices.Contains(os.Args, "-follow") {
		main()
		return
	}
	os.Exit(m.Run())
}

// TestSmoke runs all of it: measure every contestant, keep the results, render
// them twice.
func TestSmoke(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	reports := t.TempDir()
	dir, err := measure(context.Background(), "smoke", reports, "", false)
	if err != nil {
		t.Fatal(err)
	}
	entries, err := os.ReadDir(reports)
	if err != nil {
		t.Fatal(err)
	}
	if len(entries) != 1 || entries[0].Name() != filepath.Base(dir) {
		t.Errorf("%s is not alone below reports: %v", filepath.Base(dir), entries)
	}
	results, err := record.ReadResults(dir)
	if err != nil {
		t.Fatal(err)
	}
	run, err := record.ReadRun(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, a := range adapter.All() {
		cell := record.Cell{Name: a.Name, Keys: 10_000, Rate: 0.01}
		if a.Class == record.Exact {
			cell.Rate = 0
		}
		if _, ok := results.Sizes[cell]; !ok {
			t.Errorf("%s has no size", a.Name)
		}
		if n := len(results.Queries[record.Query{Cell: cell, Mode: record.Single, Hits: 0}]); n != run.Rounds {
			t.Errorf("%s has %d rows of a timing, for %d rounds", a.Name, n, run.Rounds)
		}
		if a.Class != record.Filter {
			continue
		}
		rate := results.Rates[cell]
		if low, high := rate.Interval(); rate.Few() || rate.Exceeds(0.01) || low > high {
			t.Errorf("%s: rate %+v", a.Name, rate)
		}
	}
	first, err := render.Run(dir)
	if err != nil {
		t.Fatal(err)
	}
	again, err := render.Run(dir)
	if err != nil {
		t.Fatal(err)
	}
	for i, f := range first {
		if !bytes.Equal(f.Data, again[i].Data) {
			t.Errorf("%s differs from one rendering to the next", f.Name)
		}
	}
	for _, name := range []string{record.RawFile, record.RunFile} {
		data, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		if bytes.Contains(data, []byte(reports)) {
			t.Errorf("%s names a directory of this machine", name)
		}
	}
}

// TestSweep runs a kernels profile with a process at each level, and renders
// it.
func TestSweep(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	reports := t.TempDir()
	dir, err := measure(context.Background(), "kernels-smoke", reports, "", true)
	if err != nil {
		t.Fatal(err)
	}
	results, err := record.ReadResults(dir)
	if err != nil {
		t.Fatal(err)
	}
	run, err := record.ReadRun(dir)
	if err != nil {
		t.Fatal(err)
	}
	if len(run.LeftOut) > 0 {
		t.Errorf("left out: %+v", run.LeftOut)
	}
	for _, level := range asm.Levels() {
		cell := record.Cell{Name: "blocked", Keys: 10_000, Rate: 0.01, Level: level.String()}
		if n := len(results.Queries[record.Query{Cell: cell, Mode: record.Batch, Hits: 0}]); n != run.Rounds {
			t.Errorf("%d rows of a timing at level %v, for %d rounds", n, level, run.Rounds)
		}
		if n := len(results.Adds[cell]); n != run.Rounds {
			t.Errorf("%d rows of adding at level %v, for %d rounds", n, level, run.Rounds)
		}
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	if len(entries) != 2 {
		t.Errorf("the run leaves %v", entries)
	}
	files, err := render.Run(dir)
	if err != nil {
		t.Fatal(err)
	}
	page := string(render.Named(files, render.KernelsFile))
	for _, text := range []string{"| blocked, batch miss | parquet, single miss | 10⁴ |", "not measured", "| seiflotfy |"} {
		if !strings.Contains(page, text) {
			t.Errorf("the page has no %q", text)
		}
	}
	if strings.Contains(page, "NaN") {
		t.Error("the page has a NaN")
	}
}

func TestSweepRefusesABudget(t *testing.T) {
	if _, err := measure(context.Background(), "quick", t.TempDir(), "", true); err == nil || !strings.Contains(err.Error(), "budget") {
		t.Errorf("error %v", err)
	}
}

func TestMeasureRefuses(t *testing.T) {
	reports := t.TempDir()
	for _, c := range []struct{ profile, only, want string }{
		{"huge", "", "profile"},
		{"smoke", "blocked,none", "none"},
	} {
		if _, err := measure(context.Background(), c.profile, reports, c.only, false); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("profile %s, only %q: error %v", c.profile, c.only, err)
		}
	}
	if entries, _ := os.ReadDir(reports); len(entries) != 0 {
		t.Errorf("left behind: %v", entries)
	}
}
