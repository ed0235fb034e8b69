package harness

import (
	"fmt"
	"time"

	"github.com/bits-and-blooms/bitset"

	"github.com/tamis-filter/tamis/bench/adapter"
	"github.com/tamis-filter/tamis/bench/record"
)

// A timing is a row of segments: draw new queries, warm up with some of them,
// then time the others. A segment lasts ten microseconds at least, against which
// reading the clock is little, and its inputs take a small part of a second-level
// cache: drawing them does not drive out a filter that lies there.
const (
	warmLen    = 1 << 13
	segmentLen = 1 << 14
)

// timer times queries of one thread.
type timer struct {
	queries *queries
	answers *bitset.BitSet
}

func newTimer() *timer {
	return &timer{newQueries(warmLen + segmentLen), bitset.New(batchLen)}
}

// time returns how many operations it timed and the nanoseconds that one took.
// For a set that holds the members, it fails if a member is denied.
func (t *timer) time(set adapter.Set, n uint64, mode record.Mode, hitPercent int, least time.Duration, holds bool) (ops uint64, ns float64, err error) {
	var total time.Duration
	for total < least {
		t.queries.fill(n, hitPercent)
		hits := t.run(set, mode, 0, warmLen)
		start := time.Now()
		timed := t.run(set, mode, warmLen, warmLen+segmentLen)
		total += time.Since(start)
		ops += segmentLen
		if hits += timed; holds && hits < t.queries.members {
			return 0, 0, fmt.Errorf("false negative: %d queries are members, %s calls find %d", t.queries.members, mode, hits)
		}
	}
	return ops, float64(total.Nanoseconds()) / float64(ops), nil
}

// run asks set for the queries from from to to, and returns the hits.
func (t *timer) run(set adapter.Set, mode record.Mode, from, to int) (hits int) {
	hashes := t.queries.hashes[from:to]
	switch mode {
	case record.Single:
		return set.Single(hashes)
	case record.Chain:
		return set.Chain(hashes)
	case record.Key:
		return set.(adapter.Keyer).Keys(t.queries.keys[from:to])
	}
	batcher := set.(adapter.Batcher)
	for len(hashes) > 0 {
		n := min(batchLen, len(hashes))
		hits += batcher.Batch(hashes[:n], t.answers)
		hashes = hashes[n:]
	}
	return hits
}
