package filters

import (
	"unsafe"

	"github.com/bits-and-blooms/bitset"
)

// Raw views hashes as plain integers, without a copy, for the functions of
// package asm. Hash is defined as uint64, so both have one memory layout;
// TestRaw guards that.
func Raw(hashes []Hash) []uint64 {
	return unsafe.Slice((*uint64)(unsafe.SliceData(hashes)), len(hashes))
}

// Answers makes hits long enough for n answers, clears what lies beyond them
// and returns the words that hold them: bit i%64 of word i/64 is answer i. The
// caller overwrites every word. A nil hits gives scratch words.
func Answers(n int, hits *bitset.BitSet) []uint64 {
	need := (n + 63) / 64
	if hits == nil {
		return make([]uint64, need)
	}
	if n > 0 && hits.Len() < uint(n) {
		hits.Set(uint(n - 1))
	}
	words := hits.Words()
	clear(words[need:])
	return words[:need]
}
