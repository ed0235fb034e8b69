//go:build !purego

package asm

// SplitLevel returns the level at which ProbeSplit tests a batch. A block is as
// wide as a register of AVX2, and AVX-512 gains nothing on it.
func SplitLevel() Level { return min(level, AVX2) }

// probeSplit tests hashes by a kernel and reports whether there is one.
func probeSplit(blocks []byte, hashes, hits []uint64) bool {
	if level == Generic || len(hashes) < fewHashes {
		return false
	}
	if whole := len(hashes) / chunkLen; whole > 0 {
		probeBlocks(blocks, &hashes[0], whole, &hits[0])
	}
	if rest := len(hashes) % chunkLen; rest > 0 {
		chunk := padded(hashes[len(hashes)-rest:])
		probeBlocks(blocks, &chunk[0], 1, &hits[len(hits)-1])
	}
	return true
}

func probeBlocks(blocks []byte, hashes *uint64, chunks int, hits *uint64) {
	probeSplitBlocks256(&blocks[0], uint64(len(blocks))/SplitBytes, ahead(blocks, farBytes), hashes, uint64(chunks), hits)
}

// insertSplit adds hashes, whole chunks of them, by a kernel and returns how
// many it added.
func insertSplit(blocks []byte, hashes []uint64) int {
	whole := len(hashes) / chunkLen
	if level == Generic || whole == 0 {
		return 0
	}
	addSplitBlocks256(&blocks[0], uint64(len(blocks))/SplitBytes, ahead(blocks, farBytes), &hashes[0], uint64(whole))
	return whole * chunkLen
}

// hasSplitKernel reports whether there is a kernel for a single hash.
func hasSplitKernel() bool { return level >= AVX2 }

func hasSplit(blocks []byte, h uint64) bool {
	return hasSplitBlock256(&blocks[0], uint64(len(blocks))/SplitBytes, h)
}
