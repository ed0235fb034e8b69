package cuckoo

import "github.com/tamis-filter/tamis/asm"

// maxKicks bounds how many fingerprints one insertion moves before it gives up.
const maxKicks = 500

// move is one step of an insertion: the slot whose fingerprint was taken.
type move struct {
	bucket uint64
	slot   int
}

// insert puts the fingerprint of h into one of its buckets, moving others to
// their other bucket if both are full, and reports whether it could. If it
// could not, the table is as before.
func (f *Filter) insert(h uint64) bool {
	buckets, fpBits := f.file.Size, f.fingerprintBits()
	fp, bucket := asm.CuckooPlace(h, buckets, fpBits)
	if f.put(bucket, fp) {
		return true
	}
	bucket = asm.CuckooOther(bucket, fp, buckets)
	if f.put(bucket, fp) {
		return true
	}
	var path [maxKicks]move
	random := h | 1
	for i := range path {
		random = step(random) // the same path for the same table and key
		slot := int(random >> 62)
		path[i] = move{bucket, slot}
		fp = f.swap(bucket, slot, fp)
		bucket = asm.CuckooOther(bucket, fp, buckets)
		if f.put(bucket, fp) {
			return true
		}
	}
	for i := len(path) - 1; i >= 0; i-- {
		m := path[i]
		fp = f.swap(m.bucket, m.slot, fp)
	}
	return false
}

// step is the next of a series of random numbers: xorshift (Marsaglia, 2003).
func step(random uint64) uint64 {
	random ^= random << 13
	random ^= random >> 7
	random ^= random << 17
	return random
}

// swap puts a fingerprint into a slot and returns the one that was there.
func (f *Filter) swap(bucket uint64, slot int, fp uint64) uint64 {
	taken := asm.CuckooSlot(f.file.Payload, f.fingerprintBits(), bucket, slot)
	asm.CuckooSetSlot(f.file.Payload, f.fingerprintBits(), bucket, slot, fp)
	return taken
}

// put stores a fingerprint in an empty slot of a bucket, if there is one.
func (f *Filter) put(bucket, fp uint64) bool {
	return asm.CuckooReplace(f.file.Payload, f.fingerprintBits(), bucket, 0, fp)
}

// remove takes one fingerprint out of a bucket, if it is there.
func (f *Filter) remove(bucket, fp uint64) bool {
	return asm.CuckooReplace(f.file.Payload, f.fingerprintBits(), bucket, fp, 0)
}
