package adapter

import (
	"encoding/binary"
	"runtime"

	"github.com/bits-and-blooms/bitset"

	"github.com/tamis-filter/tamis/bench/record"
	"github.com/tamis-filter/tamis/filters"
)

// Map returns Go's own exact set.
func Map() Adapter {
	return Adapter{
		Name:    "map",
		Class:   record.Exact,
		Version: runtime.Version(),
		Summary: "Go map[uint64]struct{} of the hashes: exact, the baseline",
		Changes: "grows, deletes",
		MaxKeys: 1_000_000,
		Build: func(hashes []filters.Hash, _ float64) (Set, error) {
			set := make(map[uint64]struct{}, len(hashes))
			for _, h := range hashes {
				set[uint64(h)] = struct{}{}
			}
			return hashMap{set}, nil
		},
	}
}

type hashMap struct{ set map[uint64]struct{} }

// Size returns the heap that a copy of the map takes.
func (m hashMap) Size() (file, payload uint64) {
	before := heapBytes()
	clone := make(map[uint64]struct{}, len(m.set))
	for h := range m.set {
		clone[h] = struct{}{}
	}
	after := heapBytes()
	runtime.KeepAlive(clone)
	if after < before {
		return 0, 0
	}
	return after - before, after - before
}

func heapBytes() uint64 {
	runtime.GC()
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	return stats.HeapAlloc
}

func (m hashMap) Single(hashes []filters.Hash) (hits int) {
	for _, h := range hashes {
		if _, ok := m.set[uint64(h)]; ok {
			hits++
		}
	}
	return hits
}

func (m hashMap) Chain(hashes []filters.Hash) (hits int) {
	var link filters.Hash
	for _, h := range hashes {
		_, ok := m.set[uint64(h^link)]
		hits += bit(ok)
		link = Link(ok)
	}
	return hits
}

func (m hashMap) Batch(hashes []filters.Hash, hits *bitset.BitSet) (count int) {
	hits.ClearAll()
	for i, h := range hashes {
		if _, ok := m.set[uint64(h)]; ok {
			hits.Set(uint(i))
			count++
		}
	}
	return count
}

func (m hashMap) Keys(keys [][8]byte) (hits int) {
	hasher := filters.Hasher{Seed: HashSeed}
	for _, key := range keys {
		if _, ok := m.set[uint64(hasher.Uint64(binary.LittleEndian.Uint64(key[:])))]; ok {
			hits++
		}
	}
	return hits
}
