package harness

import (
	"fmt"
	"strings"
	"time"

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
			{Keys: 1_000_000, Rates: []float64{0.1, 0.03, 0.01, 0.003, 0.001, 0.0001, 0.00001}},
			{Keys: 10_000_000, Rates: []float64{0.01, 0.001}},
			{Keys: 50_000_000, Rates: []float64{0.01}},
		},
		Rounds: 15, MinRounds: 15,
		Timing: 20 * time.Millisecond,
		Hits:   40_000, MaxProbes: 1_000_000_000,
	},
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
