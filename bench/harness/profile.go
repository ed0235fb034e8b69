package harness

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/tamis-filter/tamis/bench/adapter"
	"github.com/tamis-filter/tamis/bench/record"
)

// Profile says how much is measured, and how long.
type Profile struct {
	Name string
	// Grid rows are in ascending order of keys: with a budget, the last ones
	// are left out first.
	Grid []record.GridRow
	// Rounds is the number of repetitions. A budget may end the run after
	// MinRounds.
	Rounds, MinRounds int
	// Budget is the time that the run should take at most; 0 for no limit.
	Budget time.Duration
	// Timing is the least time that one timing lasts.
	Timing time.Duration
	// Hits is the number of false positives that a rate is measured by, as far
	// as MaxProbes allows.
	Hits, MaxProbes uint64
	// Rivals is true if filters of other libraries take part.
	Rivals bool
	// Cells lists the contestants and the rates that each takes part at; nil
	// for all at all rates.
	Cells map[string][]float64
	// Queries lists the timings of queries; nil for every mode and hit share.
	Queries []Way
	// NoBuilds leaves out timing constructions.
	NoBuilds bool
	// Builds lists contestants, each with a rate, whose construction is timed on one
	// processor and on all, for BuildKeys keys, when all else is done.
	Builds    map[string]float64
	BuildKeys []uint64
	// Adds lists the contestants whose bulk insert is timed.
	Adds []string
	// Hashes is true if hashing is timed.
	Hashes bool
}

// Way is a way to query.
type Way struct {
	Mode record.Mode
	Hits int // percent
}

// ways returns the timings of queries.
func (p Profile) ways() []Way {
	if p.Queries != nil {
		return p.Queries
	}
	var all []Way
	for _, mode := range record.Modes {
		for _, hits := range record.HitShares {
			all = append(all, Way{mode, hits})
		}
	}
	return all
}

// takes reports whether a contestant takes part at a rate.
func (p Profile) takes(a adapter.Adapter, rate float64) bool {
	if p.Cells != nil && !slices.Contains(p.Cells[a.Name], rate) {
		return false
	}
	return a.Only == nil || slices.Contains(a.Only, rate)
}

// Contestants returns those that take part.
func (p Profile) Contestants() []adapter.Adapter {
	list := adapter.All()
	if p.Rivals {
		list = append(list, adapter.Rivals()...)
	}
	return slices.DeleteFunc(list, func(a adapter.Adapter) bool {
		return p.Cells != nil && p.Cells[a.Name] == nil
	})
}

// minProbes is the least number of probes for a rate.
const minProbes = 1 << 20

var profiles = []Profile{
	{
		Name: "quick",
		Grid: []record.GridRow{
			{Keys: 10_000, Rates: []float64{0.01}},
			{Keys: 1_000_000, Rates: []float64{0.1, 0.01, 0.001, 0.0001}},
			{Keys: 10_000_000, Rates: []float64{0.01}},
		},
		Rounds: 10, MinRounds: 3,
		Budget: 180 * time.Second,
		Timing: 4 * time.Millisecond,
		Hits:   10_000, MaxProbes: 50_000_000,
	},
	{
		Name: "full",
		Grid: []record.GridRow{
			{Keys: 10_000, Rates: []float64{0.1, 0.01, 0.001, 0.0001}},
			{Keys: 100_000, Rates: []float64{0.01}},
			{Keys: 1_000_000, Rates: []float64{0.1, 0.03, 0.01, 1.0 / 256, 0.003, 0.001, 0.0001, 0.00001}},
			{Keys: 10_000_000, Rates: []float64{0.01, 1.0 / 256, 0.001}},
			{Keys: 50_000_000, Rates: []float64{0.01}},
		},
		Rounds: 15, MinRounds: 15,
		Timing: 20 * time.Millisecond,
		Hits:   40_000, MaxProbes: 1_000_000_000,
		Rivals: true,
	},
	kernels("kernels", []uint64{10_000, 1_000_000, 50_000_000}, 10, 20*time.Millisecond, 10_000),
	kernels("kernels-smoke", []uint64{3000, 10_000}, 2, 50*time.Microsecond, 100),
	{
		Name: "smoke",
		Grid: []record.GridRow{
			{Keys: 1000, Rates: []float64{0.1, 0.01}},
			{Keys: 10_000, Rates: []float64{0.1, 0.01}},
		},
		Rounds: 2, MinRounds: 2,
		Timing: 50 * time.Microsecond,
		Hits:   100, MaxProbes: 1 << 17,
	},
}

// kernels is a profile for ratios: the batch kernels and single calls of every
// family, each beside the rival of its kind.
func kernels(name string, sizes []uint64, rounds int, timing time.Duration, hits uint64) Profile {
	const percent, byte8, cuckoo12, cuckoo8 = 0.01, 1.0 / 256, 0.002, 0.03
	p := Profile{
		Name:   name,
		Rounds: rounds, MinRounds: rounds,
		Timing: timing,
		Hits:   hits, MaxProbes: 50_000_000,
		Rivals: true,
		Cells: map[string][]float64{
			"standard": {percent}, "blocked": {percent}, "split": {percent}, "line": {percent},
			"cuckoo": {cuckoo12}, "ribbon": {byte8},
			"parquet": {percent}, "bits-and-blooms": {percent}, "holiman": {percent},
			"binaryfuse8": {byte8}, "seiflotfy": {cuckoo8},
		},
		Queries:  []Way{{record.Batch, 0}, {record.Single, 0}, {record.Single, 100}},
		NoBuilds: true,
		Builds:   map[string]float64{"ribbon": byte8, "binaryfuse8": byte8},
		Adds:     []string{"blocked", "split", "parquet"},
		Hashes:   true,
	}
	p.BuildKeys = []uint64{sizes[1], min(10*sizes[1], sizes[len(sizes)-1])}
	for _, n := range sizes {
		p.Grid = append(p.Grid, record.GridRow{Keys: n, Rates: []float64{cuckoo8, percent, byte8, cuckoo12}})
	}
	return p
}

// ProfileNames lists the profiles.
func ProfileNames() []string {
	var names []string
	for _, p := range profiles {
		names = append(names, p.Name)
	}
	return names
}

// FindProfile returns the profile of that name.
func FindProfile(name string) (Profile, error) {
	for _, p := range profiles {
		if p.Name == name {
			return p, nil
		}
	}
	return Profile{}, fmt.Errorf("profile is %q, must be one of %s", name, strings.Join(ProfileNames(), ", "))
}
