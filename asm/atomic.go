package asm

import (
	"encoding/binary"
	"math/bits"
	"sync/atomic"
	"unsafe"
)

// The functions here are those of other files for an array that others change
// meanwhile: words are read and set by atomic operations, so no bit that was set
// is lost, and a bit once seen stays. An array must start at a multiple of 8
// bytes in memory, as filters.Bytes makes it; TestAtomic runs them where a word
// that is not so aligned would fault or be torn.
//
// Kernels that only read serve here too: a processor never reads a byte that
// another is writing as anything but what it was or what it becomes, and bits are
// only ever set.

// word returns the i-th 64-bit word of an array, as it lies in memory.
func word(array []byte, i uint64) *uint64 {
	return (*uint64)(unsafe.Pointer((*[8]byte)(array[8*i:])))
}

// inMemory turns a little-endian word into one as it lies in this machine's
// memory, and back.
func inMemory(x uint64) uint64 {
	var b [8]byte
	binary.LittleEndian.PutUint64(b[:], x)
	return binary.NativeEndian.Uint64(b[:])
}

// LoadWord reads the i-th word of an array.
func LoadWord(array []byte, i uint64) uint64 { return inMemory(atomic.LoadUint64(word(array, i))) }

// orWord sets the bits of mask in the i-th word of an array. A word that has
// them is not written, which spares other processors its cache line.
func orWord(array []byte, i, mask uint64) {
	if LoadWord(array, i)&mask != mask {
		atomic.OrUint64(word(array, i), inMemory(mask))
	}
}

// HasStandardAtomic is HasStandard beside AddStandardAtomic.
func HasStandardAtomic(array []byte, m uint64, k int, h uint64) bool {
	x, y := standardStart(h)
	for range k {
		i, _ := bits.Mul64(x, m)
		if LoadWord(array, i>>6)>>(i&63)&1 == 0 {
			return false
		}
		y *= stepFactor
		x += y
	}
	return true
}

// AddStandardAtomic is AddStandard by atomic operations.
func AddStandardAtomic(array []byte, m uint64, k int, h uint64) {
	x, y := standardStart(h)
	for range k {
		i, _ := bits.Mul64(x, m)
		orWord(array, i>>6, 1<<(i&63))
		y *= stepFactor
		x += y
	}
}

// ProbeStandardAtomic is ProbeStandard beside AddStandardAtomic.
func ProbeStandardAtomic(array []byte, m uint64, k int, hashes, hits []uint64) int {
	if !probeStandard(array, m, k, hashes, hits) {
		probeEach(hashes, hits, func(h uint64) bool { return HasStandardAtomic(array, m, k, h) })
	}
	return finish(hits, len(hashes))
}

// probeEach tests one hash after the other.
func probeEach(hashes, hits []uint64, has func(h uint64) bool) {
	clear(hits)
	for i, h := range hashes {
		if has(h) {
			hits[i/64] |= 1 << (i % 64)
		}
	}
}

// HasBlockedAtomic is HasBlocked beside AddBlockedAtomic.
func HasBlockedAtomic(lines []byte, k int, h uint64) bool {
	if hasBlockedKernel() {
		return HasBlocked(&lines, k, h)
	}
	n, rest := bits.Mul64(h, uint64(len(lines))/LineBytes)
	for w, mask := range linePattern(k, h, rest>>61) {
		if LoadWord(lines, 8*n+uint64(w))&mask != mask {
			return false
		}
	}
	return true
}

// ProbeBlockedAtomic is ProbeBlocked beside AddBlockedAtomic.
func ProbeBlockedAtomic(lines []byte, k int, hashes, hits []uint64) int {
	if !probeBlocked(lines, k, hashes, hits) {
		probeEach(hashes, hits, func(h uint64) bool { return HasBlockedAtomic(lines, k, h) })
	}
	return finish(hits, len(hashes))
}

// AddBlockedAtomic is AddBlocked by atomic operations.
func AddBlockedAtomic(lines []byte, k int, h uint64) {
	n, rest := bits.Mul64(h, uint64(len(lines))/LineBytes)
	for w, mask := range linePattern(k, h, rest>>61) {
		if mask != 0 {
			orWord(lines, 8*n+uint64(w), mask)
		}
	}
}

// linePattern returns the bits of h in the words of its line.
func linePattern(k int, h, first uint64) (pattern [8]uint64) {
	p, distances := h*lineFactor, lineDistances(h)
	for i := range uint64(min(k, 8)) {
		w := (first + i) & 7
		pattern[w] = 1 << (p >> (8 * w) & 63)
	}
	for i := range uint64(max(k, 8) - 8) {
		w := (first + i) & 7
		pattern[w] |= 1 << secondBit(p, distances, w)
	}
	return pattern
}
