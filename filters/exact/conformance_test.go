package exact_test

import (
	"iter"
	"slices"
	"testing"

	"github.com/tamis-filter/tamis/filters"
	"github.com/tamis-filter/tamis/filters/exact"
	"github.com/tamis-filter/tamis/filters/filtertest"
)

// excluding is the family of filters that exclude 70 keys.
func excluding() filters.Family {
	out := filtertest.Hashes(1<<40, 0, 70)
	build := func(hashes iter.Seq[[]filters.Hash], c filters.Config) (*exact.Filter, error) {
		return exact.Build(hashes, slices.Values([][]filters.Hash{out}), c)
	}
	size := func(c filters.Config) (filters.Size, error) { return exact.Size(c, uint64(len(out))) }
	f := filters.Static(filters.Exact, "", build, exact.Open, size)
	f.OpenUnverified = filters.Opener(exact.OpenUnverified)
	return f
}

func TestConformance(t *testing.T) { filtertest.Run(t, excluding()) }

func FuzzReaders(f *testing.F) { filtertest.FuzzReaders(f, excluding()) }
