package cuckoo

import (
	"encoding/binary"
	"slices"

	"github.com/tamis-filter/tamis/asm"
	"github.com/tamis-filter/tamis/filters"
)

// walkers is how many fingerprints look for a place at once, so that the memory
// of each is on its way while the others are at work.
const walkers = 32

// walker is a fingerprint on its way from bucket to bucket.
type walker struct {
	fp, bucket uint64
	random     uint64
	kicks      int
	ahead      uint64 // what was read to have the bucket in the cache
}

// fill puts ascending hashes into the empty table. It fails with ErrFull where
// one finds no place.
//
// The first pass goes through the buckets from first to last, and puts into
// each what has it as its first and fits. Only the rest goes anywhere else.
func (f *Filter) fill(hashes []uint64, progress *filters.Progress) error {
	table, buckets, fpBits := f.file.Payload, f.file.Size, f.fingerprintBits()
	f.file.Keys = uint64(len(hashes))
	rest := make([]uint64, 0, len(hashes)/5) // hardly more are left over at the highest load
	for chunk := range slices.Chunk(hashes, 1<<16) {
		for _, h := range chunk {
			if fp, bucket := asm.CuckooPlace(h, buckets, fpBits); !f.put(bucket, fp) {
				rest = append(rest, h)
			}
		}
		progress.Add(uint64(len(chunk)))
	}
	next := func() (w walker) {
		fp, bucket := asm.CuckooPlace(rest[0], buckets, fpBits)
		w = walker{fp: fp, bucket: asm.CuckooOther(bucket, fp, buckets), random: rest[0] | 1}
		rest = rest[1:]
		return w
	}
	var group [walkers]walker
	n := min(walkers, len(rest))
	for i := range n {
		group[i] = next()
	}
	for n > 0 {
		for i := range group[:n] {
			w := &group[i]
			w.ahead = binary.LittleEndian.Uint64(table[w.bucket*uint64(asm.CuckooBucketBytes(fpBits)):])
		}
		for i := 0; i < n; i++ {
			w := &group[i]
			if !f.put(w.bucket, w.fp) {
				if w.kicks++; w.kicks > maxKicks {
					return f.full()
				}
				w.random = step(w.random)
				w.fp = f.swap(w.bucket, int(w.random>>62), w.fp)
				w.bucket = asm.CuckooOther(w.bucket, w.fp, buckets)
			} else if len(rest) > 0 {
				*w = next()
			} else {
				n--
				*w = group[n]
				i--
			}
		}
	}
	return nil
}
