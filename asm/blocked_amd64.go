//go:build !purego

package asm

// BlockedLevel returns the level at which ProbeBlocked tests a batch.
func BlockedLevel(lines uint64, k int) Level {
	if lines >= 1<<32 {
		return min(level, AVX2)
	}
	return level
}

// probeBlocked tests hashes by a kernel and reports whether there is one.
func probeBlocked(lines []byte, k int, hashes, hits []uint64) bool {
	count := uint64(len(lines)) / LineBytes
	if BlockedLevel(count, k) == Generic || len(hashes) < fewHashes {
		return false
	}
	if whole := len(hashes) / chunkLen; whole > 0 {
		probeLines(lines, count, k, &hashes[0], whole, &hits[0])
	}
	if rest := len(hashes) % chunkLen; rest > 0 {
		chunk := padded(hashes[len(hashes)-rest:])
		probeLines(lines, count, k, &chunk[0], 1, &hits[len(hits)-1])
	}
	return true
}

func probeLines(lines []byte, count uint64, k int, hashes *uint64, chunks int, hits *uint64) {
	if BlockedLevel(count, k) == AVX512 {
		probeBlockedLines512(&lines[0], count, uint64(k), ahead(lines), hashes, uint64(chunks), hits)
	} else {
		probeBlockedLines256(&lines[0], count, uint64(k), ahead(lines), hashes, uint64(chunks), hits)
	}
}

// insertBlocked adds hashes, eight at a time, by a kernel and returns how many it
// added.
func insertBlocked(lines []byte, k int, hashes []uint64) int {
	rounds := len(hashes) / 8
	if level == Generic || rounds == 0 {
		return 0
	}
	count := uint64(len(lines)) / LineBytes
	if level == AVX512 {
		addBlockedLines512(&lines[0], count, uint64(k), ahead(lines), &hashes[0], uint64(rounds))
	} else {
		addBlockedLines256(&lines[0], count, uint64(k), ahead(lines), &hashes[0], uint64(rounds))
	}
	return rounds * 8
}

// hasBlockedKernel reports whether HasBlocked is a kernel.
func hasBlockedKernel() bool { return level >= AVX2 }
