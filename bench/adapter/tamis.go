package adapter

import (
	"io"
	"iter"
	"slices"
	"strings"

	"github.com/bits-and-blooms/bitset"

	"github.com/tamis-filter/tamis/bench/record"
	"github.com/tamis-filter/tamis/filters"
	"github.com/tamis-filter/tamis/filters/all"
	"github.com/tamis-filter/tamis/filters/exact"
)

// HashSeed is the seed of XXH3-64 for all contestants.
const HashSeed = 0

// buildBatchLen is the number of hashes that a Build function gets at a time,
// as from a Hasher.
const buildBatchLen = 1024

// Families returns the tamis families, by the table of package all.
func Families() []Adapter {
	var list []Adapter
	for _, f := range all.Families() {
		if f.Kind == filters.Exact {
			f.Summary = "two ribbons: certain of as many excluded keys, too; static"
			f.Build = excluding
		}
		a := Adapter{
			Name:    f.Name(),
			Class:   record.Filter,
			Version: record.ThisCommit,
			Summary: f.Summary,
			Changes: changes(f),
			Levels:  true,
			Build: func(hashes []filters.Hash, rate float64) (Set, error) {
				filter, err := f.Build(slices.Chunk(hashes, buildBatchLen), filters.Config{
					Keys: uint64(len(hashes)), FPR: rate, Seed: HashSeed,
				})
				if err != nil {
					return nil, err
				}
				return family{filter}, nil
			},
		}
		if f.New != nil {
			a.Empty = func(keys uint64, rate float64) (Adder, error) {
				filter, err := f.New(filters.Config{Keys: keys, FPR: rate, Seed: HashSeed})
				if err != nil {
					return nil, err
				}
				return growing{family{filter}, filter}, nil
			}
		}
		list = append(list, a)
	}
	return list
}

// excluding makes an exact filter that excludes as many keys as it holds: without
// any it would be a ribbon.
func excluding(hashes iter.Seq[[]filters.Hash], c filters.Config) (filters.Filter, error) {
	excluded := func(yield func([]filters.Hash) bool) {
		for batch := range hashes {
			others := make([]filters.Hash, len(batch))
			for i, h := range batch {
				others[i] = filters.Hasher{Seed: HashSeed}.Uint64(uint64(h))
			}
			if !yield(others) {
				return
			}
		}
	}
	return exact.Build(hashes, excluded, c)
}

// changes tells by the interfaces of a filter what can be done to it.
func changes(f filters.Family) string {
	if f.New == nil {
		return "static"
	}
	filter, err := f.New(filters.Config{Keys: 1, FPR: 0.5})
	if err != nil {
		return record.NotAvailable
	}
	can := []string{"grows"}
	if _, ok := filter.(filters.Deleter); ok {
		can = append(can, "deletes")
	}
	if _, ok := filter.(filters.Merger); ok {
		can = append(can, "unites")
	}
	return strings.Join(can, ", ")
}

// family is a built tamis filter.
type family struct{ filters.Filter }

// growing is a tamis filter that takes keys.
type growing struct {
	family
	adder filters.Adder
}

func (g growing) Add(hashes []filters.Hash) error {
	_, err := g.adder.AddBatch(hashes)
	return err
}

func (f family) Size() (file, payload uint64) {
	n, err := f.WriteTo(io.Discard)
	if err != nil {
		return 0, 0
	}
	return uint64(n), f.Info().Bits / 8
}

func (f family) Single(hashes []filters.Hash) (hits int) {
	hits, _ = single(f.Filter, hashes)
	return hits
}

func (f family) Chain(hashes []filters.Hash) (hits int) {
	var link filters.Hash
	for _, h := range hashes {
		answer := f.MayContainHash(h ^ link)
		hits += bit(answer)
		link = Link(answer)
	}
	return hits
}

func (f family) Batch(hashes []filters.Hash, hits *bitset.BitSet) int {
	return f.MayContainBatch(hashes, hits)
}

func (f family) Keys(keys [][8]byte) (hits int) {
	for i := range keys {
		hits += bit(f.MayContain(keys[i][:]))
	}
	return hits
}

func (f family) ExpectedFPR() float64 { return f.Info().ExpectedFPR }

func (f family) Kernel() string { return f.Info().Kernel }
