package adapter

import (
	"fmt"
	"math"
	"math/bits"

	cuckoo "github.com/seiflotfy/cuckoofilter"

	"github.com/tamis-filter/tamis/bench/record"
	"github.com/tamis-filter/tamis/filters"
)

// Seiflotfy returns the cuckoo filter of seiflotfy. Its fingerprints have 8
// bits and its size is a power of two, so its rate is what the keys make it:
// up to 3 %.
func Seiflotfy() Adapter {
	return Adapter{
		Name:    "seiflotfy",
		Class:   record.Filter,
		Version: moduleVersion("github.com/seiflotfy/cuckoofilter"),
		Summary: "cuckoo filter of seiflotfy/cuckoofilter, fingerprints of 8 bits, a power of two of them; takes a key, which it hashes by MetroHash",
		Changes: "grows, deletes",
		Build:   buildSeiflotfy,
	}
}

func buildSeiflotfy(hashes []filters.Hash, rate float64) (Set, error) {
	// The capacity is rounded up to a power of two. The table may be as good
	// as full then, and an insert that finds no room loses a key: such a table
	// is given up for one twice as large.
	for slots := uint64(1) << bits.Len64(uint64(len(hashes))-1); ; slots *= 2 {
		if reach := seiflotfyRate(float64(len(hashes)) / float64(slots)); reach > rate {
			return nil, fmt.Errorf("%w: its fixed fingerprints give %d keys a rate of %.2g", filters.ErrUnreachable, len(hashes), reach)
		}
		f := cuckoo.NewFilter(uint(slots))
		full := false
		var key [8]byte
		for _, h := range hashes {
			if full = !f.Insert(keyOf(&key, h)); full {
				break
			}
		}
		if !full {
			return seiflotfy{f, slots}, nil
		}
	}
}

// seiflotfyRate returns the rate at a load: a stranger meets the fingerprints
// of two buckets of four, each one of 255.
func seiflotfyRate(load float64) float64 { return -math.Expm1(8 * load * math.Log1p(-1.0/255)) }

type seiflotfy struct {
	filter *cuckoo.Filter
	slots  uint64
}

// Size returns what Encode makes: a byte for each slot.
func (s seiflotfy) Size() (file, payload uint64) { return s.slots, s.slots }

func (s seiflotfy) ExpectedFPR() float64 {
	return seiflotfyRate(float64(s.filter.Count()) / float64(s.slots))
}

func (s seiflotfy) Single(hashes []filters.Hash) (hits int) {
	var key [8]byte
	for _, h := range hashes {
		hits += bit(s.filter.Lookup(keyOf(&key, h)))
	}
	return hits
}

func (s seiflotfy) Chain(hashes []filters.Hash) (hits int) {
	var key [8]byte
	var link filters.Hash
	for _, h := range hashes {
		answer := s.filter.Lookup(keyOf(&key, h^link))
		hits += bit(answer)
		link = Link(answer)
	}
	return hits
}
