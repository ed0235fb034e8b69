package harness

import (
	"context"
	"fmt"
	"runtime"
	"time"

	"github.com/tamis-filter/tamis/bench/adapter"
	"github.com/tamis-filter/tamis/bench/record"
)

// builds times constructions on one processor and on all, in rounds of their own
// behind those of queries, which the memory that they give back would disturb. The
// process that leads does it alone.
func (r *run) builds(ctx context.Context, contestants []adapter.Adapter) error {
	if r.turns.follows || len(r.profile.Builds) == 0 {
		return nil
	}
	cost := time.Duration(0)
	for _, n := range r.profile.BuildKeys {
		cost += 3 * time.Duration(n*(guessBuild+guessGate)) * time.Duration(len(r.profile.Builds))
	}
	r.progress.expect(time.Duration(r.record.Rounds) * cost)
	for round := range r.record.Rounds {
		for _, n := range r.profile.BuildKeys {
			for _, a := range contestants {
				rate, ok := r.profile.Builds[a.Name]
				if !ok {
					continue
				}
				if err := ctx.Err(); err != nil {
					return err
				}
				c := record.Cell{Name: a.Name, Keys: n, Rate: rate}
				if r.turns.Level && a.Levels {
					c.Level = r.record.Level
				}
				if err := r.buildOnOneAndAll(c, a); err != nil {
					return fmt.Errorf("%s, %d keys: %w", a.Name, n, err)
				}
			}
		}
		r.progress.step(cost, fmt.Sprintf("builds, round %d of %d", round+1, r.record.Rounds))
	}
	return nil
}

// buildOnOneAndAll times a construction on one processor, then on all. One that is not
// timed goes before, so that memory is the process's already for both.
func (r *run) buildOnOneAndAll(c record.Cell, a adapter.Adapter) error {
	if _, err := a.Build(r.members[:c.Keys], c.Rate); err != nil {
		return err
	}
	runtime.GC()
	all := runtime.GOMAXPROCS(1)
	c.Procs = 1
	err := r.timeBuild(c, a)
	runtime.GOMAXPROCS(all)
	if err != nil {
		return err
	}
	c.Procs = 0
	return r.timeBuild(c, a)
}
