package adapter

import (
	"math"
	"math/bits"
	"runtime"

	"github.com/bits-and-blooms/bitset"

	"github.com/tamis-filter/tamis/bench/record"
	"github.com/tamis-filter/tamis/filters"
)

// Lines returns the machine's own limit: reading one random cache line of an
// array as large as a Bloom filter for the same keys and rate. What a filter
// takes beyond that is its own.
func Lines() Adapter {
	return Adapter{
		Name:    "line",
		Class:   record.Line,
		Version: runtime.Version(),
		Summary: "one random cache-line read a query, in an array as large as a Bloom filter: the machine's limit",
		Changes: "static",
		Build: func(hashes []filters.Hash, rate float64) (Set, error) {
			size := float64(len(hashes)) * -math.Log(rate) / (math.Ln2 * math.Ln2) // bits
			array := make([][8]uint64, uint64(math.Ceil(size/512)))
			for i := range array { // memory never written to is one page, read-only and shared
				array[i][i%8] = 1
			}
			return lines{array}, nil
		},
	}
}

type lines struct{ array [][8]uint64 }

func (l lines) Size() (file, payload uint64) {
	return uint64(len(l.array)) * 64, uint64(len(l.array)) * 64
}

// at reads a word of the line that h selects.
func (l lines) at(h filters.Hash) bool {
	line, _ := bits.Mul64(uint64(h), uint64(len(l.array)))
	return l.array[line][h%8] != 0
}

func (l lines) Single(hashes []filters.Hash) (hits int) {
	for _, h := range hashes {
		if l.at(h) {
			hits++
		}
	}
	return hits
}

func (l lines) Chain(hashes []filters.Hash) (hits int) {
	var link filters.Hash
	for _, h := range hashes {
		answer := l.at(h ^ link)
		if answer {
			hits++
		}
		link = Link(answer)
	}
	return hits
}

func (l lines) Batch(hashes []filters.Hash, _ *bitset.BitSet) int { return l.Single(hashes) }
