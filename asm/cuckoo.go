package asm

import (
	"encoding/binary"
	"math/bits"
)

// A bucket is four fingerprints of 8, 12, 16 or 32 bits, the first in the
// lowest bits of the little-endian bucket; an empty slot is 0, and no
// fingerprint is. Behind the last bucket there are CuckooPadding zero bytes, so
// that a bucket of up to 8 bytes can be read as one word.

// CuckooPadding is the number of bytes behind the last bucket.
const CuckooPadding = 8

// CuckooBucketBytes returns the size of a bucket of four fingerprints.
func CuckooBucketBytes(fingerprintBits int) int { return fingerprintBits / 2 }

// Odd 64-bit multipliers (Steele and Vigna, 2022) that hash a fingerprint. One
// alone would put the sums of short fingerprints at even distances, and tables
// of 8-bit ones would fill up at a lower load; TestRoom would show it.
const (
	fingerprintFactor  = 0xd1342543de82ef95
	fingerprintFactor2 = 0xaf251af3b0f025b5
)

// CuckooPlace returns the fingerprint of a hash, made of its low 32 bits, 1 to
// 2^fingerprintBits - 1, and the first of its two buckets, chosen by its high
// bits, of buckets.
func CuckooPlace(h, buckets uint64, fingerprintBits int) (fingerprint, bucket uint64) {
	fingerprint = uint64(uint32(h))*(1<<fingerprintBits-1)>>32 + 1
	bucket, _ = bits.Mul64(h, buckets)
	return fingerprint, bucket
}

// CuckooOther returns the other bucket of a fingerprint: the two add up, modulo
// buckets, to a number that the fingerprint alone decides, so that each is the
// other's other for any number of buckets.
func CuckooOther(bucket, fingerprint, buckets uint64) uint64 {
	mixed := fingerprint * fingerprintFactor
	mixed = (mixed ^ mixed>>32) * fingerprintFactor2
	sum, _ := bits.Mul64(mixed, buckets)
	other := sum - bucket
	if sum < bucket {
		other += buckets
	}
	return other
}

// HasCuckoo reports whether either bucket of h holds its fingerprint.
func HasCuckoo(table []byte, buckets uint64, fingerprintBits int, h uint64) bool {
	fp, i := CuckooPlace(h, buckets, fingerprintBits)
	return bucketHas(table, fingerprintBits, i, fp) ||
		bucketHas(table, fingerprintBits, CuckooOther(i, fp, buckets), fp)
}

// Lanes of the bucket words: the lowest bit of each slot.
const (
	low8  = 0x01010101
	low12 = 0x001001001001
	low16 = 0x0001000100010001
)

// bucketHas reports whether a bucket has a slot that holds fingerprint fp. The
// words are searched for a zero slot of word^fp by the carry trick of Mycroft.
func bucketHas(table []byte, fingerprintBits int, bucket, fp uint64) bool {
	b := table[bucket*uint64(fingerprintBits/2):]
	switch fingerprintBits {
	case 8:
		x := uint64(binary.LittleEndian.Uint32(b)) ^ fp*low8
		return (x-low8)&^x&(low8<<7) != 0
	case 12:
		x := binary.LittleEndian.Uint64(b)&(1<<48-1) ^ fp*low12
		return (x-low12)&^x&(low12<<11) != 0
	case 16:
		x := binary.LittleEndian.Uint64(b) ^ fp*low16
		return (x-low16)&^x&(low16<<15) != 0
	default:
		le := binary.LittleEndian
		f := uint32(fp)
		return le.Uint32(b) == f || le.Uint32(b[4:]) == f || le.Uint32(b[8:]) == f || le.Uint32(b[12:]) == f
	}
}

// CuckooSlot returns the fingerprint in a slot, 0 to 3, of a bucket.
func CuckooSlot(table []byte, fingerprintBits int, bucket uint64, slot int) uint64 {
	b := table[bucket*uint64(fingerprintBits/2):]
	if fingerprintBits == 32 {
		return uint64(binary.LittleEndian.Uint32(b[4*slot:]))
	}
	return binary.LittleEndian.Uint64(b) >> (slot * fingerprintBits) & (1<<fingerprintBits - 1)
}

// CuckooSetSlot puts a fingerprint, or 0, into a slot of a bucket.
func CuckooSetSlot(table []byte, fingerprintBits int, bucket uint64, slot int, fingerprint uint64) {
	b := table[bucket*uint64(fingerprintBits/2):]
	if fingerprintBits == 32 {
		binary.LittleEndian.PutUint32(b[4*slot:], uint32(fingerprint))
		return
	}
	shift := slot * fingerprintBits
	word := binary.LittleEndian.Uint64(b) &^ ((1<<fingerprintBits - 1) << shift)
	binary.LittleEndian.PutUint64(b, word|fingerprint<<shift)
}

// CuckooReplace writes a fingerprint over the first slot of a bucket that holds
// old, and reports whether there is one. Either may be 0.
func CuckooReplace(table []byte, fingerprintBits int, bucket, old, fingerprint uint64) bool {
	if fingerprintBits == 32 {
		for slot := range 4 {
			if CuckooSlot(table, fingerprintBits, bucket, slot) == old {
				CuckooSetSlot(table, fingerprintBits, bucket, slot, fingerprint)
				return true
			}
		}
		return false
	}
	low := uint64(low16)
	switch fingerprintBits {
	case 8:
		low = low8
	case 12:
		low = low12
	}
	b := table[bucket*uint64(fingerprintBits/2):]
	word := binary.LittleEndian.Uint64(b)
	// The lowest bit that the trick of bucketHas finds is right; only those
	// above may be of slots that differ by 1.
	x := word ^ old*low
	found := (x - low) & ^x & (low << (fingerprintBits - 1))
	if fingerprintBits == 8 {
		found &= 1<<32 - 1
	}
	if found == 0 {
		return false
	}
	shift := bits.TrailingZeros64(found) + 1 - fingerprintBits
	binary.LittleEndian.PutUint64(b, word^(old^fingerprint)<<shift)
	return true
}

// CuckooTaken counts the slots of a table that are not empty.
func CuckooTaken(table []byte, fingerprintBits int) uint64 {
	taken := uint64(0)
	for b := range uint64(len(table)-CuckooPadding) / uint64(CuckooBucketBytes(fingerprintBits)) {
		for slot := range 4 {
			if CuckooSlot(table, fingerprintBits, b, slot) != 0 {
				taken++
			}
		}
	}
	return taken
}

// ProbeCuckoo tests many hashes; see HasCuckoo.
func ProbeCuckoo(table []byte, buckets uint64, fingerprintBits int, hashes, hits []uint64) int {
	if !probeCuckoo(table, buckets, fingerprintBits, hashes, hits) {
		probeCuckooGeneric(table, buckets, fingerprintBits, hashes, hits)
	}
	return finish(hits, len(hashes))
}

func probeCuckooGeneric(table []byte, buckets uint64, fingerprintBits int, hashes, hits []uint64) {
	for i := range hits {
		var word uint64
		for j, h := range hashes[64*i : min(64*i+64, len(hashes))] {
			if HasCuckoo(table, buckets, fingerprintBits, h) {
				word |= 1 << j
			}
		}
		hits[i] = word
	}
}
