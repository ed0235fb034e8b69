// Package harness measures: for every contestant, number of keys and rate asked
// for, the size, the measured rate, and the time to build and to query.
package harness

import (
	"context"
	"errors"
	"fmt"
	"io"
	"runtime"
	"runtime/debug"
	"slices"
	"time"

	"github.com/tamis-filter/tamis/asm"
	"github.com/tamis-filter/tamis/bench/adapter"
	"github.com/tamis-filter/tamis/bench/record"
	"github.com/tamis-filter/tamis/filters"
)

// What things take before anything is known, in nanoseconds.
const (
	guessBuild = 150 // a key, to build
	guessGate  = 40  // a key, to check
	guessProbe = 15  // a probe
	guessAdd   = 10  // a key, to add in bulk
	guessFill  = 3   // a timing, in terms of what it times
)

// run is a run under way.
type run struct {
	profile  Profile
	out      *record.Writer
	progress *Progress
	record   record.Run
	timer    *timer
	members  []filters.Hash
	cells    []*cell
	kernels  map[string][]string
	turns    Turns
}

// cell is a cell with what was built for it.
type cell struct {
	record.Cell
	adapter adapter.Adapter
	set     adapter.Set
	cost    time.Duration // of this cell in one round
}

// Execute measures the contestants by a profile. Raw rows go to raw, and what
// they rest on is returned. It fails if a filter denies a member. The zero
// value of turns is for a run that no other process takes part in.
func Execute(ctx context.Context, profile Profile, contestants []adapter.Adapter, raw io.Writer, progress *Progress, turns Turns) (record.Run, error) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	// Garbage is collected between timings, never in one.
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	defer progress.finish()

	r := &run{profile: profile, progress: progress, timer: newTimer(), kernels: map[string][]string{}, turns: turns.hook()}
	r.record = record.Run{
		Format:      1,
		Profile:     profile.Name,
		Start:       time.Now().UTC().Truncate(time.Second),
		Machine:     describeMachine(),
		Build:       describeBuild(),
		Source:      describeSource(),
		KeySeed:     keySeed,
		HashSeed:    adapter.HashSeed,
		RoundsAsked: profile.Rounds,
		TimingMs:    float64(profile.Timing.Microseconds()) / 1000,
		BatchLen:    batchLen,
		HitsWanted:  profile.Hits,
		MaxProbes:   profile.MaxProbes,
		Level:       asm.Use().String(),
		LeftOut:     []record.LeftOut{},
		Warnings:    []string{},
	}
	r.out = record.NewWriter(raw, r.record)
	begin := time.Now()
	if err := r.prepare(ctx, contestants, begin); err != nil {
		return r.record, err
	}
	if err := r.rounds(ctx, begin); err != nil {
		return r.record, err
	}
	r.cells = nil // their memory is free for builds
	if err := r.builds(ctx, contestants); err != nil {
		return r.record, err
	}
	for _, a := range contestants {
		r.record.Contestants = append(r.record.Contestants, record.Contestant{
			Name: a.Name, Class: a.Class, Version: a.Version, Summary: a.Summary, Changes: a.Changes,
			Kernels: append([]string{}, r.kernels[a.Name]...),
		})
	}
	r.record.Seconds = time.Since(begin).Round(time.Second / 10).Seconds()
	return r.record, r.out.Flush()
}

// prepare builds every cell's set and measures what needs no repetition: size
// and rate. Rows of the grid that the budget has no time for are left out.
func (r *run) prepare(ctx context.Context, contestants []adapter.Adapter, begin time.Time) error {
	grid := r.profile.Grid
	r.members = make([]filters.Hash, grid[len(grid)-1].Keys)
	hashesFrom(0, r.members)
	slowness := 1.0                              // of what was done so far, against what was expected
	expected, actual := time.Second, time.Second // at first both are taken to agree
	var round time.Duration
	for i, row := range grid {
		cells := r.cellsOf(row, contestants)
		var prepare, rounds time.Duration
		for _, c := range cells {
			prepare += r.prepareCost(c)
			rounds += r.roundCost(c)
		}
		whole := prepare + time.Duration(r.profile.MinRounds)*(round+rounds)
		left := r.profile.Budget - time.Since(begin)
		if r.profile.Budget > 0 && i > 0 && time.Duration(slowness*float64(whole)) > left {
			r.leaveOut(record.LeftOut{Keys: row.Keys, Reason: fmt.Sprintf("did not fit into the %v of profile %s", r.profile.Budget, r.profile.Name)})
			continue
		}
		r.record.Grid = append(r.record.Grid, row)
		r.progress.expect(whole)
		start := time.Now()
		for _, c := range cells {
			if err := ctx.Err(); err != nil {
				return err
			}
			cost := r.prepareCost(c)
			if err := r.prepareCell(c); err != nil {
				return fmt.Errorf("%s, %d keys, rate %v: %w", c.Name, c.Keys, c.Rate, err)
			}
			r.progress.step(cost, fmt.Sprintf("build and check %s, n = %d", c.Name, c.Keys))
		}
		expected += prepare
		actual += time.Since(start)
		round += rounds
		slowness = max(1, float64(actual)/float64(expected))
	}
	return nil
}

// cellsOf returns the cells of a row of the grid.
func (r *run) cellsOf(row record.GridRow, contestants []adapter.Adapter) []*cell {
	var cells []*cell
	for _, a := range contestants {
		if a.MaxKeys != 0 && row.Keys > a.MaxKeys {
			continue
		}
		rates := row.Rates
		if a.Class == record.Exact {
			rates = []float64{0}
		}
		level := ""
		if r.turns.Level && a.Levels {
			level = r.record.Level
		}
		for _, p := range rates {
			if !r.profile.takes(a, p) {
				continue
			}
			cells = append(cells, &cell{Cell: record.Cell{Name: a.Name, Keys: row.Keys, Rate: p, Level: level}, adapter: a})
		}
	}
	return cells
}

func (r *run) prepareCost(c *cell) time.Duration {
	cost := c.Keys * (guessBuild + guessGate)
	if c.adapter.Class == record.Filter {
		cost += guessProbe * r.profile.probesFor(c.Rate, 0)
	}
	return time.Duration(cost)
}

// roundCost returns what a cell takes in a round: what it took in the last one,
// if there was one.
func (r *run) roundCost(c *cell) time.Duration {
	if c.cost > 0 {
		return c.cost
	}
	cost := time.Duration(len(r.profile.ways())) * guessFill * r.profile.Timing
	if !r.profile.NoBuilds {
		cost += max(2*r.profile.Timing, time.Duration(c.Keys*(guessBuild+guessGate)))
	}
	if r.adds(c) {
		cost += max(2*r.profile.Timing, time.Duration(c.Keys*guessAdd))
	}
	return cost
}

// prepareCell builds a cell's set and measures its size and rate. A rate out
// of a contestant's reach leaves the cell out.
func (r *run) prepareCell(c *cell) error {
	defer runtime.GC()
	members := r.members[:c.Keys]
	set, err := c.adapter.Build(members, c.Rate)
	if errors.Is(err, filters.ErrUnreachable) {
		r.leaveOut(record.LeftOut{Name: c.Name, Keys: c.Keys, Rate: c.Rate, Reason: err.Error()})
		return nil
	}
	if err != nil {
		return err
	}
	c.set = set
	r.cells = append(r.cells, c)
	if d, ok := set.(adapter.Described); ok && !slices.Contains(r.kernels[c.Name], d.Kernel()) {
		r.kernels[c.Name] = append(r.kernels[c.Name], d.Kernel())
	}
	file, payload := set.Size()
	perKey := 8 / float64(c.Keys)
	r.out.Size(c.Cell, record.Size{File: float64(file) * perKey, Payload: float64(payload) * perKey})
	if c.adapter.Class == record.Line {
		return nil
	}
	if err := checkMembers(set, members); err != nil {
		return err
	}
	strangers := make([]filters.Hash, batchLen)
	hashesFrom(firstStranger, strangers)
	if err := checkAgreement(set, strangers); err != nil {
		return err
	}
	if c.adapter.Class == record.Filter {
		r.measureRate(c)
	}
	return nil
}

// measureRate measures a cell's rate, and warns where it is not what was asked
// for or not well known.
func (r *run) measureRate(c *cell) {
	expected := 0.0
	if rated, ok := c.set.(adapter.Rated); ok {
		expected = rated.ExpectedFPR()
	}
	rate := measureRate(c.set, r.profile.probesFor(c.Rate, expected))
	r.out.Rate(c.Cell, rate)
	if rate.Exceeds(c.Rate) {
		r.warn("%s, %d keys: the measured rate %.3g is above the %v asked for", c.Name, c.Keys, rate.FPR(), c.Rate)
	}
	if rate.Few() {
		r.warn("%s, %d keys, rate %v: only %d false positives in %d probes", c.Name, c.Keys, c.Rate, rate.Hits, rate.Probes)
	}
}

// rounds repeats the timings: every cell once, then every cell again.
func (r *run) rounds(ctx context.Context, begin time.Time) error {
	for round := 1; round <= r.profile.Rounds; round++ {
		var cost time.Duration
		for _, c := range r.cells {
			cost += r.roundCost(c)
		}
		more := r.profile.Rounds - round + 1
		if r.profile.Budget > 0 {
			fit := int((r.profile.Budget - time.Since(begin)) / cost)
			more = min(more, max(fit, r.profile.MinRounds-round+1))
		}
		if more <= 0 {
			return nil
		}
		r.progress.expect(time.Duration(more) * cost)
		if err := r.turns.before(round); err != nil {
			return err
		}
		for _, c := range r.cells {
			if err := ctx.Err(); err != nil {
				return err
			}
			expected, start := r.roundCost(c), time.Now()
			if err := r.measureCell(c); err != nil {
				return fmt.Errorf("%s, %d keys, rate %v: %w", c.Name, c.Keys, c.Rate, err)
			}
			c.cost = time.Since(start)
			r.progress.step(expected, fmt.Sprintf("round %d of %d, %s, n = %d", round, round+more-1, c.Name, c.Keys))
		}
		if r.profile.Hashes {
			if err := r.timeHashes(); err != nil {
				return err
			}
		}
		r.record.Rounds = round
		if err := r.turns.after(round); err != nil {
			return err
		}
	}
	return nil
}

// measureCell does one repetition of a cell's timings.
func (r *run) measureCell(c *cell) error {
	holds := c.adapter.Class != record.Line
	if holds && !r.profile.NoBuilds {
		if err := r.timeBuild(c.Cell, c.adapter); err != nil {
			return err
		}
	}
	if r.adds(c) {
		if err := r.timeAdd(c); err != nil {
			return err
		}
	}
	for _, way := range r.profile.ways() {
		if !adapter.Supports(c.set, way.Mode) {
			continue
		}
		ops, ns, err := r.timer.time(c.set, c.Keys, way.Mode, way.Hits, r.profile.Timing, holds)
		if err != nil {
			return err
		}
		r.out.Query(record.Query{Cell: c.Cell, Mode: way.Mode, Hits: way.Hits}, ops, ns)
	}
	return nil
}

// adds reports whether a cell's bulk insert is timed.
func (r *run) adds(c *cell) bool {
	return c.adapter.Empty != nil && slices.Contains(r.profile.Adds, c.Name)
}

// timeAdd times adding all members to empty sets in one call, as often as a
// timing needs. Making the set is not timed. Memory is collected so often that
// a set gets that of one before, not pages that are new to the process.
func (r *run) timeAdd(c *cell) error {
	defer runtime.GC()
	members := r.members[:c.Keys]
	var total time.Duration
	var keys uint64
	every := max(1, collectLen/len(members))
	for made := 0; total < r.profile.Timing; made++ {
		if made%every == 0 {
			runtime.GC()
		}
		set, err := c.adapter.Empty(c.Keys, c.Rate)
		if err != nil {
			return err
		}
		start := time.Now()
		err = set.Add(members)
		total += time.Since(start)
		if err != nil {
			return err
		}
		if keys == 0 {
			last := members[max(0, len(members)-warmLen):]
			if got := set.Single(last); got != len(last) {
				return fmt.Errorf("false negative: of the last %d members added in bulk, %d are denied", len(last), len(last)-got)
			}
		}
		keys += c.Keys
	}
	r.out.Add(c.Cell, keys, float64(total.Nanoseconds())/float64(keys))
	return nil
}

// collectLen is the number of keys after which the memory of sets is collected.
const collectLen = 1 << 18

// timeBuild times constructions, as many as a timing needs, and checks each.
func (r *run) timeBuild(c record.Cell, a adapter.Adapter) error {
	defer runtime.GC()
	members := r.members[:c.Keys]
	var before, after runtime.MemStats
	var total time.Duration
	var keys, bytes uint64
	for total < r.profile.Timing {
		runtime.ReadMemStats(&before)
		start := time.Now()
		set, err := a.Build(members, c.Rate)
		total += time.Since(start)
		if err != nil {
			return err
		}
		runtime.ReadMemStats(&after)
		keys += c.Keys
		bytes += after.TotalAlloc - before.TotalAlloc
		if err := checkMembers(set, members); err != nil {
			return err
		}
	}
	r.out.Build(c, keys, record.Build{Ns: float64(total.Nanoseconds()) / float64(keys), Bytes: float64(bytes) / float64(keys)})
	return nil
}

func (r *run) leaveOut(l record.LeftOut) {
	r.record.LeftOut = append(r.record.LeftOut, l)
	r.progress.note("left out: %s, %d keys: %s", orAll(l.Name), l.Keys, l.Reason)
}

func orAll(name string) string {
	if name == "" {
		return "everyone"
	}
	return name
}

func (r *run) warn(format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	r.record.Warnings = append(r.record.Warnings, text)
	r.progress.note("warning: %s", text)
}
