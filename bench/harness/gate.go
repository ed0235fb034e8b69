package harness

import (
	"fmt"

	"github.com/bits-and-blooms/bitset"

	"github.com/tamis-filter/tamis/bench/adapter"
	"github.com/tamis-filter/tamis/filters"
)

// batchLen is the number of hashes in a batch call.
const batchLen = 1024

// keyedLen is the number of members that are checked by key as well. The path
// from the hash on is checked with every member.
const keyedLen = 1 << 16

// checkMembers is the gate: it asks set for every member, one at a time and in
// batches, and fails if one is denied.
func checkMembers(set adapter.Set, members []filters.Hash) error {
	batcher, batches := set.(adapter.Batcher)
	hits := bitset.New(batchLen)
	for start := 0; start < len(members); start += batchLen {
		part := members[start:min(start+batchLen, len(members))]
		if got := set.Single(part); got != len(part) {
			return fmt.Errorf("false negative: of the %d members from number %d on, single calls deny %d", len(part), start, len(part)-got)
		}
		if !batches {
			continue
		}
		count := batcher.Batch(part, hits)
		denied := 0
		for i := range part {
			if !hits.Test(uint(i)) {
				denied++
			}
		}
		if denied > 0 || count != len(part) {
			return fmt.Errorf("false negative: of the %d members from number %d on, a batch denies %d and counts %d", len(part), start, denied, count)
		}
	}
	if keyer, ok := set.(adapter.Keyer); ok {
		keys := make([][8]byte, min(keyedLen, len(members)))
		for i := range keys {
			keys[i] = keyBytes(uint64(i))
		}
		if got := keyer.Keys(keys); got != len(keys) {
			return fmt.Errorf("false negative: of the first %d members, calls by key deny %d", len(keys), len(keys)-got)
		}
	}
	return nil
}

// checkAgreement fails if single and batch calls answer differently for one of
// the strangers.
func checkAgreement(set adapter.Set, strangers []filters.Hash) error {
	batcher, ok := set.(adapter.Batcher)
	if !ok {
		return nil
	}
	hits := bitset.New(uint(len(strangers)))
	batcher.Batch(strangers, hits)
	for i := range strangers {
		if single := set.Single(strangers[i:i+1]) == 1; single != hits.Test(uint(i)) {
			return fmt.Errorf("stranger %d: a single call says %v, a batch %v", i, single, !single)
		}
	}
	return nil
}
