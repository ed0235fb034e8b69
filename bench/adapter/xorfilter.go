package adapter

import (
	"slices"

	"github.com/FastFilter/xorfilter"

	"github.com/tamis-filter/tamis/bench/record"
	"github.com/tamis-filter/tamis/filters"
)

// The rate of 8-bit fingerprints, which these two have whatever is asked for.
const xorRate = 1.0 / 256

// BinaryFuse8 returns the binary fuse filter of FastFilter.
func BinaryFuse8() Adapter {
	return Adapter{
		Name:    "binaryfuse8",
		Class:   record.Filter,
		Version: moduleVersion("github.com/FastFilter/xorfilter"),
		Summary: "binary fuse filter of FastFilter/xorfilter, its rate fixed at 2^-8; takes a hash, which it mixes again",
		Changes: "static",
		Only:    []float64{xorRate},
		Build: func(hashes []filters.Hash, _ float64) (Set, error) {
			// It may sort its argument to find copies, of which there are none
			// here unless something else is wrong: then it must not spoil the
			// keys of others.
			f, err := xorfilter.PopulateBinaryFuse8(slices.Clone(filters.Raw(hashes)))
			if err != nil {
				return nil, err
			}
			return binaryFuse8{f}, nil
		},
	}
}

type binaryFuse8 struct{ filter *xorfilter.BinaryFuse8 }

// Size returns what Save writes: seed, five numbers and the fingerprints.
func (b binaryFuse8) Size() (file, payload uint64) {
	payload = uint64(len(b.filter.Fingerprints))
	return payload + 8 + 5*4, payload
}

func (b binaryFuse8) Single(hashes []filters.Hash) (hits int) {
	for _, h := range hashes {
		hits += bit(b.filter.Contains(uint64(h)))
	}
	return hits
}

func (b binaryFuse8) Chain(hashes []filters.Hash) (hits int) {
	var link filters.Hash
	for _, h := range hashes {
		answer := b.filter.Contains(uint64(h ^ link))
		hits += bit(answer)
		link = Link(answer)
	}
	return hits
}

// Xor8 returns the xor filter of FastFilter.
func Xor8() Adapter {
	return Adapter{
		Name:    "xor8",
		Class:   record.Filter,
		Version: moduleVersion("github.com/FastFilter/xorfilter"),
		Summary: "xor filter of FastFilter/xorfilter, its rate fixed at 2^-8; takes a hash, which it mixes again",
		Changes: "static",
		Only:    []float64{xorRate},
		Build: func(hashes []filters.Hash, _ float64) (Set, error) {
			f, err := xorfilter.Populate(slices.Clone(filters.Raw(hashes))) // see BinaryFuse8
			if err != nil {
				return nil, err
			}
			return xor8{f}, nil
		},
	}
}

type xor8 struct{ filter *xorfilter.Xor8 }

// Size counts its fields in memory.
func (x xor8) Size() (file, payload uint64) {
	payload = uint64(len(x.filter.Fingerprints))
	return payload + 8 + 4, payload
}

func (x xor8) Single(hashes []filters.Hash) (hits int) {
	for _, h := range hashes {
		hits += bit(x.filter.Contains(uint64(h)))
	}
	return hits
}

func (x xor8) Chain(hashes []filters.Hash) (hits int) {
	var link filters.Hash
	for _, h := range hashes {
		answer := x.filter.Contains(uint64(h ^ link))
		hits += bit(answer)
		link = Link(answer)
	}
	return hits
}
