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
		Summary: "one random cache-line read a query, in an array as large as a Bloom filter: the machine's limit; the reads are independent, in a batch eight at a time without a branch, and nothing is prefetched",
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

// word reads a word, 0 or 1, of the line that h selects.
func (l lines) word(h filters.Hash) uint64 {
	line, _ := bits.Mul64(uint64(h), uint64(len(l.array)))
	return l.array[line][h%8]
}

func (l lines) at(h filters.Hash) bool { return l.word(h) != 0 }

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

// Batch reads eight lines at a time, without a branch on what it reads, so that
// as many reads are under way as the processor can overlap. Go has no prefetch
// instruction to offer: a kernel that prefetches may overlap more.
func (l lines) Batch(hashes []filters.Hash, _ *bitset.BitSet) (hits int) {
	var sum uint64
	for len(hashes) >= 8 {
		h := hashes[:8]
		sum += l.word(h[0]) + l.word(h[1]) + l.word(h[2]) + l.word(h[3]) +
			l.word(h[4]) + l.word(h[5]) + l.word(h[6]) + l.word(h[7])
		hashes = hashes[8:]
	}
	return int(sum) + l.Single(hashes)
}
