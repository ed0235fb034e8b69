package render

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/tamis-filter/tamis/bench/record"
)

// makeKernelsRun writes a run of profile kernels with made-up figures: blocked
// at two levels, its rival and the line row.
func makeKernelsRun(t *testing.T) string {
	dir := filepath.Join(t.TempDir(), "2026-01-31-some-cpu")
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	blocked := record.Contestant{Name: "blocked", Class: record.Filter, Kernels: []string{"avx2"}}
	run := record.Run{
		Format: 1, Profile: "kernels", Start: time.Date(2026, 1, 31, 12, 0, 0, 0, time.UTC), Seconds: 100, Rounds: 3, BatchLen: 1024,
		Grid:        []record.GridRow{{Keys: small, Rates: []float64{0.01}}, {Keys: middle, Rates: []float64{0.01}}},
		Contestants: []record.Contestant{blocked, {Name: "line", Class: record.Line}, {Name: "parquet", Class: record.Filter}},
		Level:       "avx2",
		Sweep:       []record.Sweep{{Level: "generic", Contestants: []record.Contestant{{Name: "blocked", Kernels: []string{"generic"}}}}},
	}
	if err := record.WriteRun(dir, run); err != nil {
		t.Fatal(err)
	}
	var raw bytes.Buffer
	w := record.NewWriter(&raw, run)
	write := func(c record.Cell, rate uint64, batch, single, add float64) {
		w.Size(c, record.Size{File: 10, Payload: 10})
		if rate > 0 {
			w.Rate(c, record.Rate{Hits: rate, Probes: 1_000_000})
		}
		for round := range 3 {
			noise := 1 + 0.01*float64(round)
			if batch > 0 {
				w.Query(record.Query{Cell: c, Mode: record.Batch}, 1, batch*noise)
			}
			w.Query(record.Query{Cell: c, Mode: record.Single}, 1, single*noise)
			w.Add(c, c.Keys, add*noise)
		}
	}
	for _, n := range []uint64{small, middle} {
		cell := func(name, level string) record.Cell {
			return record.Cell{Name: name, Keys: n, Rate: 0.01, Level: level}
		}
		write(cell("blocked", "avx2"), 9900, 1, 4, 2)
		write(cell("blocked", "generic"), 9900, 4, 4, 1)
		write(cell("line", ""), 0, 1, 1, 1)
		rate := uint64(9950)
		if n == middle {
			rate = 12_000
		}
		write(cell("parquet", ""), rate, 0, 3, 3)
	}
	for range 3 {
		w.Hash(record.Cell{Name: "bulk", Keys: 1024, Level: "avx2"}, 1024, 0.2)
		w.Hash(record.Cell{Name: "bulk", Keys: 1024, Level: "generic"}, 1024, 0.8)
		w.Hash(record.Cell{Name: "xxh3", Keys: 1024}, 1024, 2)
	}
	if err := w.Flush(); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, record.RawFile), raw.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
	return dir
}

func TestKernels(t *testing.T) {
	files := mustRun(t, makeKernelsRun(t))
	if len(files) != 1 || files[0].Name != KernelsFile {
		t.Fatalf("%d files, of which the first is %s", len(files), files[0].Name)
	}
	page := string(files[0].Data)
	for _, text := range []string{
		"| blocked, batch miss | parquet, single miss | 10⁴ | 0.990 % | 0.995 % | 1.01 | 3.03 | 3.00 | 3.00 to 3.00 | 2.50 | yes |",
		"| blocked, batch miss | parquet, single miss | 10⁶ | 0.990 % | 1.20 % † | 1.01 | 3.03 | 3.00 | 3.00 to 3.00 | 3.50 | **no** |",
		"| blocked, batch miss | parquet, single miss | 5·10⁷ | – | – | – | – | – | – | 3.00 | not measured |",
		"| blocked, single miss | parquet, single miss | 10⁴ | 0.990 % | 0.995 % | 4.04 | 3.03 | 0.75 | 0.75 to 0.75 | 1.00 | **no** |",
		"| blocked, add | parquet, add | 10⁴ | 0.990 % | 0.995 % | 2.02 | 3.03 | 1.50 | 1.50 to 1.50 | 1.30 | yes |",
		"| ribbon at avx512, batch miss | binaryfuse8, single miss | 10⁴ | – | – | – | – | – | – | 1.50 | not measured |",
		"| bulk, hash | xxh3, hash | 1024 | – | – | 0.200 | 2.00 | 10.00 | 10.00 to 10.00 | 5.00 | yes |",
		"| bulk | hash | 1024 | 0.800 | 0.200 | 4.00 |",
		"4 of 49 are met",
		"| blocked | batch miss | 10⁶ | 4.04 | 1.01 | 4.00 |",
		"| blocked | batch miss | avx2 | 4.00 | 4.00 | wins |",
		"| blocked | single miss | avx2 | 1.00 | 1.00 | no difference that counts |",
		"| blocked | add | avx2 | 0.50 | 0.50 | **slower at 10⁴, 10⁶** |",
		"| blocked, generic | 1 % | 0.990 % | 10.00 | 4.04 | 4.04 | – | 1.01 | 1 % |",
		"| parquet | 1 % | 1.20 % | 10.00 | – | 3.03 | – | 3.03 | 1 % |",
		"measure -profile kernels -sweep",
	} {
		if !strings.Contains(page, text) {
			t.Errorf("the page has no %q", text)
		}
	}
	for _, text := range []string{"NaN", "Inf", "%!"} {
		if strings.Contains(page, text) {
			t.Errorf("the page has a %q", text)
		}
	}
	if t.Failed() {
		t.Log(page)
	}
}
