package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/tamis-filter/tamis/bench/record"
)

// makeRun writes the smallest run that can be rendered.
func makeRun(t *testing.T, dir string) {
	t.Helper()
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	run := record.Run{
		Format: 1, Profile: "made-up", Start: time.Date(2026, 1, 31, 0, 0, 0, 0, time.UTC), Rounds: 1,
		Grid:        []record.GridRow{{Keys: 1000, Rates: []float64{0.01}}},
		Contestants: []record.Contestant{{Name: "blocked", Class: record.Filter}},
	}
	if err := record.WriteRun(dir, run); err != nil {
		t.Fatal(err)
	}
	raw, err := os.Create(filepath.Join(dir, record.RawFile))
	if err != nil {
		t.Fatal(err)
	}
	w := record.NewWriter(raw, run)
	cell := record.Cell{Name: "blocked", Keys: 1000, Rate: 0.01}
	w.Size(cell, record.Size{File: 10.5, Payload: 10})
	w.Rate(cell, record.Rate{Hits: 1000, Probes: 100_000})
	w.Build(cell, 1000, record.Build{Ns: 20, Bytes: 1.3})
	w.Query(record.Query{Cell: cell, Mode: record.Single}, 1000, 5)
	if err := w.Flush(); err != nil {
		t.Fatal(err)
	}
	if err := raw.Close(); err != nil {
		t.Fatal(err)
	}
}

func TestReadme(t *testing.T) {
	root := t.TempDir()
	dir := filepath.Join(root, "reports", "2026-01-31-some-cpu")
	makeRun(t, dir)
	readme := filepath.Join(root, "README.md")
	if err := os.WriteFile(readme, []byte("# Page\n<!-- choosing:begin -->\n<!-- choosing:end -->\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := run([]string{dir}, readme, true); err == nil || !strings.Contains(err.Error(), "report.md") || !strings.Contains(err.Error(), "README.md") {
		t.Errorf("before rendering, the check says: %v", err)
	}
	if err := run([]string{dir}, readme, false); err != nil {
		t.Fatal(err)
	}
	if err := run([]string{dir}, readme, true); err != nil {
		t.Errorf("after rendering, the check says: %v", err)
	}
	page, err := os.ReadFile(readme)
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{"| blocked |", "(reports/2026-01-31-some-cpu/report.md)"} {
		if !strings.Contains(string(page), text) {
			t.Errorf("the page has no %q:\n%s", text, page)
		}
	}
	if err := os.WriteFile(filepath.Join(dir, "report.md"), []byte("typed by hand"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := run([]string{dir}, readme, true); err == nil || strings.Contains(err.Error(), "README.md") {
		t.Errorf("after a change by hand, the check says: %v", err)
	}
	if err := run(nil, readme, false); err == nil {
		t.Error("a page without a run is accepted")
	}
}
