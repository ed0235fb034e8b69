// Package record is what a run leaves behind, and all that a report is made
// from: raw.txt, the measurements in the Go benchmark text format, and
// run.json, where they come from.
package record

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"
)

// The files of a run's directory.
const (
	RawFile = "raw.txt"
	RunFile = "run.json"
)

// NotAvailable stands for what the system did not tell.
const NotAvailable = "not available"

// Run is the provenance of one run.
type Run struct {
	Format      int          `json:"format"` // of both files: 1
	Profile     string       `json:"profile"`
	Start       time.Time    `json:"start"`
	Seconds     float64      `json:"seconds"`
	Machine     Machine      `json:"machine"`
	Build       GoBuild      `json:"build"`
	Source      Source       `json:"source"`
	KeySeed     uint64       `json:"key_seed"`        // of the generated keys
	HashSeed    uint64       `json:"hash_seed"`       // of XXH3-64
	Level       string       `json:"level,omitempty"` // of kernels, the best that rows are of
	Sweep       []Sweep      `json:"sweep,omitempty"` // the levels that were measured as well
	Grid        []GridRow    `json:"grid"`
	RoundsAsked int          `json:"rounds_asked"`
	Rounds      int          `json:"rounds"`
	TimingMs    float64      `json:"timing_ms"` // a timing lasts at least this
	BatchLen    int          `json:"batch_len"` // hashes in a batch call
	HitsWanted  uint64       `json:"hits_wanted"`
	MaxProbes   uint64       `json:"max_probes"` // for one rate
	Contestants []Contestant `json:"contestants"`
	LeftOut     []LeftOut    `json:"left_out"`
	Warnings    []string     `json:"warnings"`
}

// Machine is the hardware and the system. Text fields hold NotAvailable and
// numbers 0 where the system did not tell.
type Machine struct {
	CPU         string  `json:"cpu"`
	LogicalCPUs int     `json:"logical_cpus"`
	Caches      []Cache `json:"caches"`
	MemoryBytes uint64  `json:"memory_bytes"`
	PageBytes   int     `json:"page_bytes"`
	HugePages   string  `json:"transparent_huge_pages"`
	Governor    string  `json:"frequency_governor"`
	Hypervisor  string  `json:"hypervisor"`
	Kernel      string  `json:"kernel"`
	OS          string  `json:"os"`
}

// Cache is one cache as a core sees it.
type Cache struct {
	Level int    `json:"level"`
	Type  string `json:"type"` // Data, Instruction or Unified
	Bytes uint64 `json:"bytes"`
}

// GoBuild is how the measuring program was compiled.
type GoBuild struct {
	Go       string            `json:"go"`
	GOOS     string            `json:"goos"`
	GOARCH   string            `json:"goarch"`
	Settings map[string]string `json:"settings"` // flags and architecture level
}

// Source is the state of the code that was measured.
type Source struct {
	Commit string `json:"commit"`
	Dirty  string `json:"dirty"` // "yes", "no" or NotAvailable; files under reports do not count
}

// GridRow is one number of keys and the rates asked for at it.
type GridRow struct {
	Keys  uint64    `json:"keys"`
	Rates []float64 `json:"rates"`
}

// Sweep is a lower level of kernels that was measured beside the best one, in a
// process of its own whose rounds took turns with those of the others.
type Sweep struct {
	Level       string       `json:"level"`
	Contestants []Contestant `json:"contestants"`
}

// Contestant describes whose rows bear its name.
type Contestant struct {
	Name    string   `json:"name"`
	Class   string   `json:"class"` // filter, exact or line
	Version string   `json:"version"`
	Summary string   `json:"summary"`
	Changes string   `json:"changes"` // what it can do after it is built
	Kernels []string `json:"kernels"` // code that answered batches, over all cells
}

// ThisCommit is the version of a contestant that is part of the source.
const ThisCommit = "this commit"

// The classes of contestants.
const (
	Filter = "filter" // wrong about strangers at a rate, never about members
	Exact  = "exact"  // never wrong
	Line   = "line"   // no set at all: the machine's random-line rate
)

// LeftOut is a part of the grid that has no rows, and why.
type LeftOut struct {
	Name   string  `json:"name"` // of the contestant; empty for all of them
	Keys   uint64  `json:"keys"`
	Rate   float64 `json:"rate"` // 0 for all rates
	Reason string  `json:"reason"`
}

// Contestant returns the description of the one of that name.
func (r *Run) Contestant(name string) (Contestant, bool) {
	for _, c := range r.Contestants {
		if c.Name == name {
			return c, true
		}
	}
	return Contestant{}, false
}

// Rivals reports whether filters of other libraries took part.
func (r *Run) Rivals() bool {
	return slices.ContainsFunc(r.Contestants, func(c Contestant) bool { return c.Class == Filter && c.Version != ThisCommit })
}

// WriteRun writes run.json into dir.
func WriteRun(dir string, r Run) error {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(r); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, RunFile), b.Bytes(), 0o644)
}

// ReadRun reads run.json from dir.
func ReadRun(dir string) (Run, error) {
	var r Run
	data, err := os.ReadFile(filepath.Join(dir, RunFile))
	if err != nil {
		return r, err
	}
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	if err := d.Decode(&r); err != nil {
		return r, fmt.Errorf("%s: %w", filepath.Join(dir, RunFile), err)
	}
	if r.Format != 1 {
		return r, fmt.Errorf("%s: format is %d, this program reads 1", filepath.Join(dir, RunFile), r.Format)
	}
	return r, nil
}
