//go:build !purego

package asm

// SplitLevel returns the level at which ProbeSplit tests a batch.
func SplitLevel() Level { return level }

// probeSplit tests hashes by a kernel and reports whether there is one.
func probeSplit(blocks []byte, hashes, hits []uint64) bool {
	if level == Generic || len(hashes) < fewHashes {
		return false
	}
	count := uint64(len(blocks)) / SplitBytes
	if whole := len(hashes) / chunkLen; whole > 0 {
		probeSplitBlocks128(&blocks[0], count, ahead(blocks), &hashes[0], uint64(whole), &hits[0])
	}
	if rest := len(hashes) % chunkLen; rest > 0 {
		chunk := padded(hashes[len(hashes)-rest:])
		probeSplitBlocks128(&blocks[0], count, ahead(blocks), &chunk[0], 1, &hits[len(hits)-1])
	}
	return true
}

// insertSplit adds hashes, whole chunks of them, by a kernel and returns how
// many it added.
func insertSplit(blocks []byte, hashes []uint64) int {
	whole := len(hashes) / chunkLen
	if level == Generic || whole == 0 {
		return 0
	}
	addSplitBlocks128(&blocks[0], uint64(len(blocks))/SplitBytes, ahead(blocks), &hashes[0], uint64(whole))
	return whole * chunkLen
}

// HasSplit reports whether the eight bits of h are set in blocks, of which there
// are less than 2^32 and may be none.
func HasSplit(blocks *[]byte, h uint64) bool { return hasSplitGeneric(blocks, h) }

// probeSplitBlocks128 tests chunks of 64 hashes: hits gets a word for each. count
// is the number of blocks, below 2^32; ahead is 1 to ask for blocks early.
//
//go:noescape
func probeSplitBlocks128(blocks *byte, count uint64, ahead uint64, hashes *uint64, chunks uint64, hits *uint64)

// addSplitBlocks128 adds chunks of 64 hashes. count and ahead are as above.
//
//go:noescape
func addSplitBlocks128(blocks *byte, count uint64, ahead uint64, hashes *uint64, chunks uint64)
