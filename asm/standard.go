package asm

import "math/bits"

// stepFactor multiplies the step of standard's positions: an odd 64-bit
// multiplier with good spectral figures (Steele and Vigna, "Computationally
// easy, spectrally good multipliers", 2022).
const stepFactor = 0xd1342543de82ef95

// The k positions of a hash come from enhanced double hashing (Dillinger and
// Manolios, "Bloom filters in probabilistic verification", 2004) on 64-bit
// state: x starts as the hash, its step y as the hash with its halves swapped;
// each position is mulhi(x, m), then y changes and x += y. The change is a
// multiplication, not an increment: an increment would not reach the high bits
// that mulhi looks at, and positions in arithmetic progression let keys of
// small filters coincide. TestStandardSmall holds it to theory. y is odd, so no
// step is ever 0.
func standardStart(h uint64) (x, y uint64) {
	return h, bits.RotateLeft64(h, 32) | 1
}

// HasStandard reports whether the k bits of h are set in an array of m bits.
// It stops at the first that is not.
func HasStandard(array []byte, m uint64, k int, h uint64) bool {
	x, y := standardStart(h)
	for range k {
		i, _ := bits.Mul64(x, m)
		if array[i>>3]>>(i&7)&1 == 0 {
			return false
		}
		y *= stepFactor
		x += y
	}
	return true
}

// AddStandard sets the k bits of h in an array of m bits.
func AddStandard(array []byte, m uint64, k int, h uint64) {
	x, y := standardStart(h)
	for range k {
		i, _ := bits.Mul64(x, m)
		array[i>>3] |= 1 << (i & 7)
		y *= stepFactor
		x += y
	}
}

// ProbeStandard tests many hashes; see HasStandard.
func ProbeStandard(array []byte, m uint64, k int, hashes, hits []uint64) int {
	if !probeStandard(array, m, k, hashes, hits) {
		probeStandardGeneric(array, m, k, hashes, hits)
	}
	return finish(hits, len(hashes))
}

// standardChunk is how many hashes are tested together.
const standardChunk = 256

// probeStandardGeneric goes through a chunk of hashes in rounds, one position of
// each in a round, and leaves those whose bit is set to the next one. That there is
// no branch on what a bit is, half of which would be guessed wrong, and that the
// reads of a round do not wait for one another, is worth more than what it writes.
func probeStandardGeneric(array []byte, m uint64, k int, hashes, hits []uint64) {
	clear(hits)
	var states, steps [standardChunk]uint64
	var numbers [standardChunk]uint8
	for len(hashes) > 0 {
		left := 0 // of the hashes, so many have had no bit clear
		chunk := hashes[:min(standardChunk, len(hashes))]
		for j, h := range chunk {
			x, y := standardStart(h)
			at, _ := bits.Mul64(x, m)
			y *= stepFactor
			states[uint8(left)], steps[uint8(left)], numbers[uint8(left)] = x+y, y, uint8(j)
			left += int(array[at>>3] >> (at & 7) & 1)
		}
		for range k - 1 {
			n := left
			left = 0
			for j := range n {
				x, y, number := states[uint8(j)], steps[uint8(j)], numbers[uint8(j)]
				at, _ := bits.Mul64(x, m)
				y *= stepFactor
				states[uint8(left)], steps[uint8(left)], numbers[uint8(left)] = x+y, y, number
				left += int(array[at>>3] >> (at & 7) & 1)
			}
		}
		for _, number := range numbers[:left] {
			hits[number/64] |= 1 << (number % 64)
		}
		hashes, hits = hashes[len(chunk):], hits[(len(chunk)+63)/64:]
	}
}
