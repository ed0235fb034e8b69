//go:build !purego

package asm

// StandardLevel returns the level at which ProbeStandard tests a batch.
func StandardLevel(m uint64) Level {
	if level != AVX512 || m >= 1<<32 {
		return Generic
	}
	return level
}

// probeStandard tests hashes by a kernel and reports whether there is one.
func probeStandard(array []byte, m uint64, k int, hashes, hits []uint64) bool {
	if StandardLevel(m) == Generic || len(hashes) < fewHashes {
		return false
	}
	if whole := len(hashes) / chunkLen; whole > 0 {
		probeStandardBits512(&array[0], m, uint64(k), ahead(array, farStandardBytes), &hashes[0], uint64(whole), &hits[0])
	}
	if rest := len(hashes) % chunkLen; rest > 0 {
		chunk := padded(hashes[len(hashes)-rest:])
		probeStandardBits512(&array[0], m, uint64(k), ahead(array, farStandardBytes), &chunk[0], 1, &hits[len(hits)-1])
	}
	return true
}
