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
	table, buckets, fpBits := f.file.Payload, f.file.Size, f.fingerprintBits()
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
		random ^= random << 13 // xorshift (Marsaglia, 2003); the same path for the same table and key
		random ^= random >> 7
		random ^= random << 17
		slot := int(random >> 62)
		path[i] = move{bucket, slot}
		taken := asm.CuckooSlot(table, fpBits, bucket, slot)
		asm.CuckooSetSlot(table, fpBits, bucket, slot, fp)
		fp = taken
		bucket = asm.CuckooOther(bucket, fp, buckets)
		if f.put(bucket, fp) {
			return true
		}
	}
	for i := len(path) - 1; i >= 0; i-- {
		m := path[i]
		taken := asm.CuckooSlot(table, fpBits, m.bucket, m.slot)
		asm.CuckooSetSlot(table, fpBits, m.bucket, m.slot, fp)
		fp = taken
	}
	return false
}

// put stores a fingerprint in an empty slot of a bucket, if there is one.
func (f *Filter) put(bucket, fp uint64) bool {
	return f.replace(bucket, 0, fp)
}

// remove takes one fingerprint out of a bucket, if it is there.
func (f *Filter) remove(bucket, fp uint64) bool {
	return f.replace(bucket, fp, 0)
}

// replace writes a fingerprint over the first slot of a bucket that holds old.
func (f *Filter) replace(bucket, old, fp uint64) bool {
	for slot := range slotsPerBucket {
		if asm.CuckooSlot(f.file.Payload, f.fingerprintBits(), bucket, slot) == old {
			asm.CuckooSetSlot(f.file.Payload, f.fingerprintBits(), bucket, slot, fp)
			return true
		}
	}
	return false
}
