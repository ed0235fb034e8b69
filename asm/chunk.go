package asm

import "math/bits"

// chunkLen is the number of hashes that a kernel takes at a time, one word of
// answers.
const chunkLen = 64

// fewHashes is the number from which on a kernel, which takes a whole chunk at
// least, is faster than testing one hash after the other.
const fewHashes = 8

// farBytes is the size of an array from which on kernels ask for memory ahead.
// Below, it is in a cache near enough that asking costs more than it saves.
const farBytes = 2 << 20

// touchBytes is the size from which on portable code, which cannot ask for memory,
// first reads a byte of all blocks of a chunk: those reads do not wait for one
// another, as the tests that follow do for what they find.
const touchBytes = 1 << 20

// ahead tells a kernel whether to ask for memory early.
func ahead(array []byte) uint64 {
	if len(array) >= farBytes {
		return 1
	}
	return 0
}

// padded copies the last hashes, fewer than a chunk, into a whole one.
func padded(hashes []uint64) (chunk [chunkLen]uint64) {
	copy(chunk[:], hashes)
	return chunk
}

// finish clears the answers behind the n-th and counts those that are true.
func finish(hits []uint64, n int) int {
	if rest := n % chunkLen; rest != 0 {
		hits[len(hits)-1] &= 1<<rest - 1
	}
	count := 0
	for _, w := range hits {
		count += bits.OnesCount64(w)
	}
	return count
}
