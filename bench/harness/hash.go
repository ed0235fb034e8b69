package harness

import (
	"fmt"
	"time"

	"github.com/tamis-filter/tamis/bench/adapter"
	"github.com/tamis-filter/tamis/bench/record"
	"github.com/tamis-filter/tamis/filters"
)

// timeHashes does one repetition of timing each way to hash, in batches that
// stay in the first-level cache.
func (r *run) timeHashes() error {
	keys, hashes := make([]uint64, batchLen), make([]filters.Hash, batchLen)
	for i := range keys {
		keys[i] = keyAt(firstStranger + uint64(i))
	}
	for _, h := range adapter.Hashings() {
		level := ""
		if r.turns.Level && h.Levels {
			level = r.record.Level
		} else if r.turns.follows {
			continue
		}
		var total time.Duration
		var ops uint64
		for total < r.profile.Timing {
			start := time.Now()
			for range segmentLen / batchLen {
				if err := h.Hash(keys, hashes); err != nil {
					return err
				}
			}
			total += time.Since(start)
			ops += segmentLen
		}
		for i, key := range keys {
			if want := hasher.Uint64(key); hashes[i] != want {
				return fmt.Errorf("%s: hash of key %d is %#x, want %#x", h.Name, i, hashes[i], want)
			}
		}
		cell := record.Cell{Name: h.Name, Keys: batchLen, Level: level}
		r.out.Hash(cell, ops, float64(total.Nanoseconds())/float64(ops))
	}
	return nil
}
