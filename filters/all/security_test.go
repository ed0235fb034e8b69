package all_test

import (
	"slices"
	"testing"

	"github.com/tamis-filter/tamis/filters"
	"github.com/tamis-filter/tamis/filters/all"
	"github.com/tamis-filter/tamis/filters/filtertest"
)

// What the README says of adversaries: strangers chosen to be accepted under a seed
// that is known are accepted no more often than others under one that is not.
func TestSeedAgainstChosenKeys(t *testing.T) {
	const members, chosen, p = 10_000, 2000, 0.01
	numbers := func(from, n uint64) []uint64 {
		keys := make([]uint64, n)
		for i := range keys {
			keys[i] = from + uint64(i)
		}
		return keys
	}
	hashed := func(seed uint64, keys []uint64) (hashes []filters.Hash) {
		for batch := range (filters.Hasher{Seed: seed}).Uint64s(slices.Values(keys)) {
			hashes = append(hashes, batch...)
		}
		return hashes
	}
	build := func(name string, seed uint64) filters.Filter {
		t.Helper()
		f, err := all.Build(name, slices.Values([][]filters.Hash{hashed(seed, numbers(0, members))}), filters.Config{FPR: p, Seed: seed})
		if err != nil {
			t.Fatal(err)
		}
		return f
	}
	for _, name := range all.Names() {
		known := build(name, 0)
		var crafted []uint64
		for from := uint64(1 << 32); len(crafted) < chosen; from += 10_000 {
			keys := numbers(from, 10_000)
			for i, h := range hashed(0, keys) {
				if known.MayContainHash(h) {
					crafted = append(crafted, keys[i])
				}
			}
		}
		if got := known.MayContainBatch(hashed(0, crafted), nil); got != len(crafted) {
			t.Fatalf("%s: %d of %d crafted keys are accepted under the known seed", name, got, len(crafted))
		}
		total := 0
		for _, seed := range []uint64{1, 1 << 63, 0x5bd1e995a8a1c0de} {
			total += build(name, seed).MayContainBatch(hashed(seed, crafted), nil)
		}
		if n := float64(3 * len(crafted)); float64(total) > filtertest.Bound(n, 1.03*p) {
			t.Errorf("%s: %d of %.0f crafted keys are accepted under other seeds", name, total, n)
		}
		t.Logf("%s: of %d keys chosen under seed 0, all are accepted there, and under others %.2f %%", name, len(crafted), 100*float64(total)/float64(3*len(crafted)))
	}
}
