package asm

import (
	"encoding/binary"
	"math/bits"
)

// LineBytes is the size of a block of the blocked filter: a cache line.
const LineBytes = 64

// MaxBlockedK is the largest number of bits a key can set in its line.
const MaxBlockedK = 16

// Odd 64-bit multipliers (Steele and Vigna, 2022) that spread the low bits of a
// hash, those that did not choose the line, over the fields described below.
const (
	lineFactor  = 0xd1342543de82ef95
	line2Factor = 0xaf251af3b0f025b5
)

// A line is eight 64-bit words. A hash times the number of words in all lines is,
// over 2^64, the word that is its first: that of its line, and one in the line.
//
// The low six bits of byte w of hash·lineFactor are the bit that the key would
// set in word w. A key with k ≤ 8 sets one bit in each of the k words from its
// first on, around the end of the line.
//
// With k > 8 it sets one in every word and a second in k-8 of them, from the
// first on. The second lies 1 to 63 bits further, around the end of the word, so
// that it is never the first again: that distance is in byte w of
// hash·line2Factor rotated by 32 bits, 0 counting as 1. (Without the rotation,
// both bits of word 0 would come from the same six bits of the hash.)
//
// In both cases any given bit is set by a key of the line with probability
// k/512, and the bits of a key are distinct.

// lineOf returns the line of h and the number of its first word.
func lineOf(lines []byte, h uint64) (line *[LineBytes]byte, first uint64) {
	n, rest := bits.Mul64(h, uint64(len(lines))/LineBytes)
	return (*[LineBytes]byte)(lines[n*LineBytes:]), rest >> 61
}

// hasBlockedGeneric reports whether the k bits of h are set in lines.
func hasBlockedGeneric(lines *[]byte, k int, h uint64) bool {
	if len(*lines) == 0 {
		return false
	}
	line, first := lineOf(*lines, h)
	p := h * lineFactor
	all := lineWord(line, 0, p) | lineWord(line, 1, p) | lineWord(line, 2, p) | lineWord(line, 3, p) |
		lineWord(line, 4, p) | lineWord(line, 5, p) | lineWord(line, 6, p) | lineWord(line, 7, p)
	window := bits.RotateLeft8(uint8(1<<min(k, 8)-1), int(first))
	if window&^all != 0 {
		return false
	}
	if k > 8 {
		distances := lineDistances(h)
		for i := range uint64(k - 8) {
			w := (first + i) & 7
			if binary.LittleEndian.Uint64(line[8*w:])>>secondBit(p, distances, w)&1 == 0 {
				return false
			}
		}
	}
	return true
}

// lineWord returns, as bit w, the bit that p chooses in word w.
func lineWord(line *[LineBytes]byte, w int, p uint64) uint8 {
	return uint8(binary.LittleEndian.Uint64(line[8*w:])>>(p>>(8*w)&63)&1) << w
}

// lineDistances returns the word whose bytes hold how far the second bits lie
// from the first ones.
func lineDistances(h uint64) uint64 { return bits.RotateLeft64(h*line2Factor, 32) }

// secondBit returns the second bit of word w.
func secondBit(p, distances, w uint64) uint64 {
	return (p>>(8*w) + max(distances>>(8*w)&63, 1)) & 63
}

// AddBlocked sets the k bits of h in lines.
func AddBlocked(lines []byte, k int, h uint64) {
	line, first := lineOf(lines, h)
	p := h * lineFactor
	for i := range uint64(min(k, 8)) {
		w := (first + i) & 7
		setBit(line, w, p>>(8*w)&63)
	}
	if k > 8 {
		distances := lineDistances(h)
		for i := range uint64(k - 8) {
			w := (first + i) & 7
			setBit(line, w, secondBit(p, distances, w))
		}
	}
}

// setBit sets bit b of the little-endian word w.
func setBit(line *[LineBytes]byte, w, b uint64) {
	line[8*w+b/8] |= 1 << (b % 8)
}

// ProbeBlocked tests many hashes; see HasBlocked.
func ProbeBlocked(lines []byte, k int, hashes, hits []uint64) int {
	if !probeBlocked(lines, k, hashes, hits) {
		probeBlockedGeneric(lines, k, hashes, hits)
	}
	return finish(hits, len(hashes))
}

func probeBlockedGeneric(lines []byte, k int, hashes, hits []uint64) {
	for i := range hits {
		chunk := hashes[64*i : min(64*i+64, len(hashes))]
		if len(lines) >= touchBytes {
			for _, h := range chunk {
				line, _ := lineOf(lines, h)
				hits[i] |= uint64(line[0])
			}
		}
		var word uint64
		for j, h := range chunk {
			if hasBlockedGeneric(&lines, k, h) {
				word |= 1 << j
			}
		}
		hits[i] = word
	}
}

// InsertBlocked adds many hashes; see AddBlocked.
func InsertBlocked(lines []byte, k int, hashes []uint64) {
	done := insertBlocked(lines, k, hashes)
	for _, h := range hashes[done:] {
		AddBlocked(lines, k, h)
	}
}
