//go:build !purego

package asm

// StandardLevel returns the level at which ProbeStandard tests a batch.
func StandardLevel() Level { return min(level, AVX2) }

// probeStandard tests hashes by a kernel and reports whether there is one.
func probeStandard(array []byte, m uint64, k int, hashes, hits []uint64) bool {
	if level == Generic || len(hashes) == 0 {
		return false
	}
	clear(hits)
	probeStandardBits64(&array[0], m, uint64(k), ahead(array), &hashes[0], uint64(len(hashes)), &hits[0])
	return true
}
