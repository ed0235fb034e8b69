package adapter

import (
	"github.com/parquet-go/parquet-go/bloom"

	"github.com/tamis-filter/tamis/bench/record"
	"github.com/tamis-filter/tamis/blocked/split"
	"github.com/tamis-filter/tamis/filters"
)

// Parquet returns parquet-go's split-block filter. Its own sizing takes whole
// bits per key and no rate, so it gets the blocks that package split takes for
// the rate: the layout is the same, and so are the rates measured.
func Parquet() Adapter {
	return Adapter{
		Name:    "parquet",
		Class:   record.Filter,
		Version: moduleVersion("github.com/parquet-go/parquet-go"),
		Summary: "split-block Bloom filter of parquet-go, sized as split; takes a hash, built by InsertBulk",
		Changes: "grows",
		Build: func(hashes []filters.Hash, rate float64) (Set, error) {
			f, err := emptyParquet(uint64(len(hashes)), rate)
			if err != nil {
				return nil, err
			}
			return f, f.Add(hashes)
		},
		Empty: func(keys uint64, rate float64) (Adder, error) { return emptyParquet(keys, rate) },
	}
}

type parquet struct{ filter bloom.SplitBlockFilter }

func emptyParquet(keys uint64, rate float64) (parquet, error) {
	blocks, err := split.Geometry(keys, rate)
	if err != nil {
		return parquet{}, err
	}
	return parquet{make(bloom.SplitBlockFilter, blocks)}, nil
}

func (p parquet) Add(hashes []filters.Hash) error {
	p.filter.InsertBulk(filters.Raw(hashes))
	return nil
}

func (p parquet) Size() (file, payload uint64) {
	n := uint64(len(p.filter.Bytes()))
	return n, n
}

func (p parquet) Single(hashes []filters.Hash) (hits int) {
	for _, h := range hashes {
		hits += bit(p.filter.Check(uint64(h)))
	}
	return hits
}

func (p parquet) Chain(hashes []filters.Hash) (hits int) {
	var link filters.Hash
	for _, h := range hashes {
		answer := p.filter.Check(uint64(h ^ link))
		hits += bit(answer)
		link = Link(answer)
	}
	return hits
}
