package harness

import (
	"math"

	"github.com/bits-and-blooms/bitset"

	"github.com/tamis-filter/tamis/bench/adapter"
	"github.com/tamis-filter/tamis/bench/record"
	"github.com/tamis-filter/tamis/filters"
)

// probesFor returns the number of probes that should bring p.Hits false
// positives from a set whose rate is about the smaller of asked and expected;
// an expected rate of 0 is not known.
func (p Profile) probesFor(asked, expected float64) uint64 {
	rate := asked
	if expected > 0 {
		rate = min(rate, expected)
	}
	want := math.Ceil(float64(p.Hits) / rate)
	return uint64(min(max(want, minProbes), float64(p.MaxProbes)))
}

// measureRate asks set for strangers, each a new one, and counts how often it
// takes one for a member.
func measureRate(set adapter.Set, probes uint64) record.Rate {
	batcher, batches := set.(adapter.Batcher)
	strangers := make([]filters.Hash, batchLen)
	answers := bitset.New(batchLen)
	rate := record.Rate{Probes: probes}
	for done := uint64(0); done < probes; done += batchLen {
		part := strangers[:min(batchLen, probes-done)]
		hashesFrom(firstProbe+done, part)
		if batches {
			rate.Hits += uint64(batcher.Batch(part, answers))
		} else {
			rate.Hits += uint64(set.Single(part))
		}
	}
	return rate
}
