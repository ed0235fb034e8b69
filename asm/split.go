package asm

import (
	"encoding/binary"
)

// SplitBytes is the size of a split block: eight 32-bit words.
const SplitBytes = 32

// The layout of the Parquet format specification, "Split Block Bloom Filters":
// the high 32 bits of the hash choose the block, and in each of its words one
// bit is chosen by the top 5 bits of the low 32 times that word's salt.
var splitSalt = [8]uint32{
	0x47b6137b, 0x44974d91, 0x8824ad5b, 0xa2b7289d,
	0x705495c7, 0x2df1424b, 0x9efc4947, 0x5c6bfb31,
}

// splitBlock returns the block of h.
func splitBlock(blocks []byte, h uint64) *[SplitBytes]byte {
	n := uint64(len(blocks)) / SplitBytes * (h >> 32) >> 32
	return (*[SplitBytes]byte)(blocks[n*SplitBytes:])
}

// hasSplitGeneric reports whether the eight bits of h are set in blocks, of which
// there are less than 2^32.
func hasSplitGeneric(blocks *[]byte, h uint64) bool {
	if len(*blocks) == 0 {
		return false
	}
	block := splitBlock(*blocks, h)
	x := uint32(h)
	return splitWord(block, 0, x)&splitWord(block, 1, x)&splitWord(block, 2, x)&splitWord(block, 3, x)&
		splitWord(block, 4, x)&splitWord(block, 5, x)&splitWord(block, 6, x)&splitWord(block, 7, x)&1 != 0
}

// splitWord returns word w with the bit that x chooses in it moved to bit 0.
func splitWord(block *[SplitBytes]byte, w int, x uint32) uint32 {
	return binary.LittleEndian.Uint32(block[4*w:]) >> (x * splitSalt[w] >> 27)
}

// AddSplit sets the eight bits of h in blocks, of which there are less than 2^32.
func AddSplit(blocks []byte, h uint64) {
	block := splitBlock(blocks, h)
	for w, salt := range splitSalt {
		word := binary.LittleEndian.Uint32(block[4*w:])
		binary.LittleEndian.PutUint32(block[4*w:], word|1<<(uint32(h)*salt>>27))
	}
}

// ProbeSplit tests many hashes; see HasSplit.
func ProbeSplit(blocks []byte, hashes, hits []uint64) int {
	if !probeSplit(blocks, hashes, hits) {
		probeSplitGeneric(blocks, hashes, hits)
	}
	return finish(hits, len(hashes))
}

func probeSplitGeneric(blocks []byte, hashes, hits []uint64) {
	for i := range hits {
		chunk := hashes[64*i : min(64*i+64, len(hashes))]
		if len(blocks) >= touchBytes {
			for _, h := range chunk {
				hits[i] |= uint64(splitBlock(blocks, h)[0])
			}
		}
		var word uint64
		for j, h := range chunk {
			if hasSplitGeneric(&blocks, h) {
				word |= 1 << j
			}
		}
		hits[i] = word
	}
}

// InsertSplit adds many hashes; see AddSplit.
func InsertSplit(blocks []byte, hashes []uint64) {
	done := insertSplit(blocks, hashes)
	for _, h := range hashes[done:] {
		AddSplit(blocks, h)
	}
}
