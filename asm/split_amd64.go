//go:build !purego

package asm

// SplitLevel returns the level at which ProbeSplit tests a batch.
func SplitLevel() Level { return level }

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
	count := uint64(len(blocks)) / SplitBytes
	if level == AVX512 {
		probeSplitBlocks512(&blocks[0], count, ahead(blocks), hashes, uint64(chunks), hits)
	} else {
		probeSplitBlocks256(&blocks[0], count, ahead(blocks), hashes, uint64(chunks), hits)
	}
}

// insertSplit adds hashes, eight at a time, by a kernel and returns how many it
// added.
func insertSplit(blocks []byte, hashes []uint64) int {
	rounds := len(hashes) / 8
	if level == Generic || rounds == 0 {
		return 0
	}
	addSplitBlocks256(&blocks[0], uint64(len(blocks))/SplitBytes, ahead(blocks), &hashes[0], uint64(rounds))
	return rounds * 8
}
