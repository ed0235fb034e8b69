package harness

import (
	"bytes"
	"context"
	"errors"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/bits-and-blooms/bitset"

	"github.com/tamis-filter/tamis/bench/adapter"
	"github.com/tamis-filter/tamis/bench/record"
	"github.com/tamis-filter/tamis/filters"
)

// tiny is a profile for tests.
var tiny = Profile{
	Name:   "tiny",
	Grid:   []record.GridRow{{Keys: 2000, Rates: []float64{0.01}}},
	Rounds: 1, MinRounds: 1,
	Timing: time.Microsecond,
	Hits:   100, MaxProbes: 1 << 17,
}

// faulty is a set that answers by the functions given.
type faulty struct{ single, batch func(filters.Hash) bool }

func (f faulty) Size() (file, payload uint64) { return 2500, 2500 }

func (f faulty) Single(hashes []filters.Hash) (hits int) {
	for _, h := range hashes {
		if f.single(h) {
			hits++
		}
	}
	return hits
}

func (f faulty) Chain(hashes []filters.Hash) int { return f.Single(hashes) }

func (f faulty) Batch(hashes []filters.Hash, hits *bitset.BitSet) (count int) {
	hits.ClearAll()
	for i, h := range hashes {
		if f.batch(h) {
			hits.Set(uint(i))
			count++
		}
	}
	return count
}

// execute runs the tiny profile with one faulty contestant.
func execute(t *testing.T, build func(members map[filters.Hash]bool) faulty) (*record.Results, record.Run, error) {
	t.Helper()
	contestant := adapter.Adapter{
		Name: "faulty", Class: record.Filter, Version: "test",
		Build: func(hashes []filters.Hash, _ float64) (adapter.Set, error) {
			members := map[filters.Hash]bool{}
			for _, h := range hashes {
				members[h] = true
			}
			return build(members), nil
		},
	}
	var raw bytes.Buffer
	run, err := Execute(context.Background(), tiny, []adapter.Adapter{contestant}, &raw, NewProgress(io.Discard), Turns{})
	if err != nil {
		return nil, run, err
	}
	results, err := record.Parse(&raw, "raw.txt")
	if err != nil {
		t.Fatal(err)
	}
	return results, run, nil
}

var cellOfTiny = record.Cell{Name: "faulty", Keys: 2000, Rate: 0.01}

func TestAlwaysTrueIsFlagged(t *testing.T) {
	yes := func(filters.Hash) bool { return true }
	results, run, err := execute(t, func(map[filters.Hash]bool) faulty { return faulty{yes, yes} })
	if err != nil {
		t.Fatal(err)
	}
	rate := results.Rates[cellOfTiny]
	if rate.FPR() != 1 || !rate.Exceeds(0.01) {
		t.Errorf("rate %v is not flagged", rate.FPR())
	}
	if len(run.Warnings) != 1 || !strings.Contains(run.Warnings[0], "above") {
		t.Errorf("warnings %q", run.Warnings)
	}
}

// TestIgnoredHashIsFlagged: a filter that uses a few bits of the hash only has
// soon seen all there are, and then takes everybody for a member.
func TestIgnoredHashIsFlagged(t *testing.T) {
	results, run, err := execute(t, func(members map[filters.Hash]bool) faulty {
		seen := map[filters.Hash]bool{}
		for h := range members {
			seen[h%64] = true
		}
		answer := func(h filters.Hash) bool { return seen[h%64] }
		return faulty{answer, answer}
	})
	if err != nil {
		t.Fatal(err)
	}
	if rate := results.Rates[cellOfTiny]; !rate.Exceeds(0.01) || len(run.Warnings) != 1 {
		t.Errorf("rate %v, warnings %q", rate.FPR(), run.Warnings)
	}
}

func TestDroppedKeysAreRefused(t *testing.T) {
	const dropped = 100 // every so many hashes
	for _, c := range []struct {
		name          string
		single, batch bool // drop there
	}{{"both", true, true}, {"single", true, false}, {"batch", false, true}} {
		t.Run(c.name, func(t *testing.T) {
			_, _, err := execute(t, func(members map[filters.Hash]bool) faulty {
				sound := func(h filters.Hash) bool { return members[h] }
				drops := func(h filters.Hash) bool { return members[h] && h%dropped != 0 }
				f := faulty{sound, sound}
				if c.single {
					f.single = drops
				}
				if c.batch {
					f.batch = drops
				}
				return f
			})
			if err == nil || !strings.Contains(err.Error(), "false negative") {
				t.Errorf("error %v", err)
			}
		})
	}
}

func TestDisagreementIsRefused(t *testing.T) {
	_, _, err := execute(t, func(members map[filters.Hash]bool) faulty {
		return faulty{
			func(h filters.Hash) bool { return members[h] },
			func(h filters.Hash) bool { return members[h] || h%100 == 0 },
		}
	})
	if err == nil || !strings.Contains(err.Error(), "stranger") {
		t.Errorf("error %v", err)
	}
}

// TestLaterBuildsAreChecked: the gate holds for what the rounds build, too.
func TestLaterBuildsAreChecked(t *testing.T) {
	builds := 0
	_, _, err := execute(t, func(members map[filters.Hash]bool) faulty {
		builds++
		late := builds > 1
		answer := func(h filters.Hash) bool { return members[h] && !(late && h%100 == 0) }
		return faulty{answer, answer}
	})
	if err == nil || !strings.Contains(err.Error(), "false negative") {
		t.Errorf("error %v", err)
	}
}

func TestFewHitsAreFlagged(t *testing.T) {
	results, run, err := execute(t, func(members map[filters.Hash]bool) faulty {
		answer := func(h filters.Hash) bool { return members[h] || h%10_000 == 0 }
		return faulty{answer, answer}
	})
	if err != nil {
		t.Fatal(err)
	}
	if rate := results.Rates[cellOfTiny]; !rate.Few() || rate.Exceeds(0.01) {
		t.Errorf("rate %+v", rate)
	}
	if len(run.Warnings) != 1 || !strings.Contains(run.Warnings[0], "only") {
		t.Errorf("warnings %q", run.Warnings)
	}
}

func TestUnreachableIsLeftOut(t *testing.T) {
	contestant := adapter.Adapter{
		Name: "limited", Class: record.Filter,
		Build: func([]filters.Hash, float64) (adapter.Set, error) { return nil, filters.Unreachable(0.01, 0.1) },
	}
	run, err := Execute(context.Background(), tiny, []adapter.Adapter{contestant}, io.Discard, NewProgress(io.Discard), Turns{})
	if err != nil {
		t.Fatal(err)
	}
	if len(run.LeftOut) != 1 || run.LeftOut[0].Name != "limited" || run.LeftOut[0].Rate != 0.01 {
		t.Errorf("left out %+v", run.LeftOut)
	}
}

func TestInterrupted(t *testing.T) {
	ctx, stop := context.WithCancel(context.Background())
	stop()
	if _, err := Execute(ctx, tiny, adapter.Families(), io.Discard, NewProgress(io.Discard), Turns{}); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
}

// TestBudget leaves out what the budget has no time for, and says so.
func TestBudget(t *testing.T) {
	p := tiny
	p.Grid = []record.GridRow{{Keys: 1000, Rates: []float64{0.1}}, {Keys: 1_000_000, Rates: []float64{0.1}}}
	p.Budget = 50 * time.Millisecond
	run, err := Execute(context.Background(), p, adapter.Families()[:1], io.Discard, NewProgress(io.Discard), Turns{})
	if err != nil {
		t.Fatal(err)
	}
	if len(run.Grid) != 1 || len(run.LeftOut) != 1 || run.LeftOut[0].Keys != 1_000_000 {
		t.Errorf("grid %+v, left out %+v", run.Grid, run.LeftOut)
	}
}
