package adapter

import (
	"io"

	"github.com/bits-and-blooms/bloom/v3"

	"github.com/tamis-filter/tamis/bench/record"
	"github.com/tamis-filter/tamis/filters"
)

// BitsAndBlooms returns the Bloom filter of bits-and-blooms, sized by its own
// estimate.
func BitsAndBlooms() Adapter {
	return Adapter{
		Name:    "bits-and-blooms",
		Class:   record.Filter,
		Version: moduleVersion("github.com/bits-and-blooms/bloom/v3"),
		Summary: "Bloom filter of bits-and-blooms/bloom; takes a key, which it hashes by MurmurHash3",
		Changes: "grows, unites",
		Build: func(hashes []filters.Hash, rate float64) (Set, error) {
			f := bloom.NewWithEstimates(uint(len(hashes)), rate)
			var key [8]byte
			for _, h := range hashes {
				f.Add(keyOf(&key, h))
			}
			return bitsAndBlooms{f}, nil
		},
	}
}

type bitsAndBlooms struct{ filter *bloom.BloomFilter }

func (b bitsAndBlooms) Size() (file, payload uint64) {
	n, err := b.filter.WriteTo(io.Discard)
	if err != nil {
		return 0, 0
	}
	return uint64(n), uint64(b.filter.Cap()+7) / 8
}

func (b bitsAndBlooms) Single(hashes []filters.Hash) (hits int) {
	var key [8]byte
	for _, h := range hashes {
		hits += bit(b.filter.Test(keyOf(&key, h)))
	}
	return hits
}

func (b bitsAndBlooms) Chain(hashes []filters.Hash) (hits int) {
	var key [8]byte
	var link filters.Hash
	for _, h := range hashes {
		answer := b.filter.Test(keyOf(&key, h^link))
		hits += bit(answer)
		link = Link(answer)
	}
	return hits
}
