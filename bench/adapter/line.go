package adapter

import (
	"math"
	"math/bits"
	"runtime"
	"unsafe"

	"github.com/bits-and-blooms/bitset"

	"github.com/tamis-filter/tamis/bench/record"
	"github.com/tamis-filter/tamis/filters"
)

// Lines returns what memory alone takes: reading one random cache line of an
// array as large as a Bloom filter for the same keys and rate. What a filter
// takes beyond that is its own.
func Lines() Adapter {
	return Adapter{
		Name:    "line",
		Class:   record.Line,
		Version: runtime.Version(),
		Summary: "one random cache-line read a query, in an array as large as a Bloom filter: what memory alone takes; the reads are independent, and in a batch each line is asked for 64 reads ahead",
		Changes: "static",
		Build: func(hashes []filters.Hash, rate float64) (Set, error) {
			size := float64(len(hashes)) * -math.Log(rate) / (math.Ln2 * math.Ln2) // bits
			lineBytes := filters.Bytes(uint64(math.Ceil(size/512)) * 64)           // as filters have it, on huge pages where there are such
			array := unsafe.Slice((*[8]uint64)(unsafe.Pointer(unsafe.SliceData(lineBytes))), len(lineBytes)/64)
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
		hits += bit(l.at(h))
	}
	return hits
}

func (l lines) Chain(hashes []filters.Hash) (hits int) {
	var link filters.Hash
	for _, h := range hashes {
		answer := l.at(h ^ link)
		hits += bit(answer)
		link = Link(answer)
	}
	return hits
}

// Batch reads ahead where there is a kernel for it, and else eight lines at a time,
// without a branch on what it reads.
func (l lines) Batch(hashes []filters.Hash, _ *bitset.BitSet) (hits int) {
	return int(readLines(l.array, filters.Raw(hashes)))
}

// readLinesGeneric adds up the words that the hashes select.
func readLinesGeneric(array [][8]uint64, hashes []uint64) (sum uint64) {
	word := func(h uint64) uint64 {
		line, _ := bits.Mul64(h, uint64(len(array)))
		return array[line][h%8]
	}
	for ; len(hashes) >= 8; hashes = hashes[8:] {
		h := hashes[:8]
		sum += word(h[0]) + word(h[1]) + word(h[2]) + word(h[3]) + word(h[4]) + word(h[5]) + word(h[6]) + word(h[7])
	}
	for _, h := range hashes {
		sum += word(h)
	}
	return sum
}
