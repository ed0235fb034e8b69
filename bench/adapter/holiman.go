package adapter

import (
	"github.com/holiman/bloomfilter/v2"

	"github.com/tamis-filter/tamis/bench/record"
	"github.com/tamis-filter/tamis/filters"
)

// Holiman returns the Bloom filter of holiman/bloomfilter, sized by its own
// estimate. Its constants come from a seed here, so that a run can be repeated;
// the library draws them.
func Holiman() Adapter {
	return Adapter{
		Name:    "holiman",
		Class:   record.Filter,
		Version: moduleVersion("github.com/holiman/bloomfilter/v2"),
		Summary: "Bloom filter of holiman/bloomfilter, safe for writers beside readers; takes a hash",
		Changes: "grows, unites",
		Build: func(hashes []filters.Hash, rate float64) (Set, error) {
			m := v2.OptimalM(uint64(len(hashes)), rate)
			constants := make([]uint64, v2.OptimalK(m, uint64(len(hashes))))
			for i := range constants {
				constants[i] = uint64(filters.Hasher{Seed: HashSeed}.Uint64(uint64(i)))
			}
			f, err := v2.NewWithKeys(m, constants)
			if err != nil {
				return nil, err
			}
			for _, h := range hashes {
				f.AddHash(uint64(h))
			}
			return holiman{f}, nil
		},
	}
}

type holiman struct{ filter *v2.Filter }

// Size counts the bits and constants in memory.
func (f holiman) Size() (file, payload uint64) {
	payload = (f.filter.M() + 63) / 64 * 8
	return payload + 8*f.filter.K(), payload
}

func (f holiman) Single(hashes []filters.Hash) (hits int) {
	for _, h := range hashes {
		hits += bit(f.filter.ContainsHash(uint64(h)))
	}
	return hits
}

func (f holiman) Chain(hashes []filters.Hash) (hits int) {
	var link filters.Hash
	for _, h := range hashes {
		answer := f.filter.ContainsHash(uint64(h ^ link))
		hits += bit(answer)
		link = Link(answer)
	}
	return hits
}
