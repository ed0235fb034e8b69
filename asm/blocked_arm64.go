//go:build !purego

package asm

// BlockedLevel returns the level at which ProbeBlocked tests a batch.
func BlockedLevel(lines uint64, k int) Level { return level }

// probeBlocked tests hashes by a kernel and reports whether there is one.
func probeBlocked(lines []byte, k int, hashes, hits []uint64) bool {
	if level == Generic || len(hashes) < fewHashes {
		return false
	}
	count := uint64(len(lines)) / LineBytes
	if whole := len(hashes) / chunkLen; whole > 0 {
		probeBlockedLines128(&lines[0], count, uint64(k), ahead(lines), &hashes[0], uint64(whole), &hits[0])
	}
	if rest := len(hashes) % chunkLen; rest > 0 {
		chunk := padded(hashes[len(hashes)-rest:])
		probeBlockedLines128(&lines[0], count, uint64(k), ahead(lines), &chunk[0], 1, &hits[len(hits)-1])
	}
	return true
}

// insertBlocked adds hashes, whole chunks of them, by a kernel and returns how
// many it added.
func insertBlocked(lines []byte, k int, hashes []uint64) int {
	whole := len(hashes) / chunkLen
	if level == Generic || whole == 0 {
		return 0
	}
	addBlockedLines128(&lines[0], uint64(len(lines))/LineBytes, uint64(k), ahead(lines), &hashes[0], uint64(whole))
	return whole * chunkLen
}

// HasBlocked reports whether the k bits of h are set in lines, of which there may
// be none.
func HasBlocked(lines *[]byte, k int, h uint64) bool { return hasBlockedGeneric(lines, k, h) }

// hasBlockedKernel reports whether HasBlocked is a kernel.
func hasBlockedKernel() bool { return false }

// probeBlockedLines128 tests chunks of 64 hashes: hits gets a word for each. count
// is the number of lines; k is 1 to 16; ahead is 1 to ask for lines early.
//
//go:noescape
func probeBlockedLines128(lines *byte, count uint64, k uint64, ahead uint64, hashes *uint64, chunks uint64, hits *uint64)

// addBlockedLines128 adds chunks of 64 hashes. count, k and ahead are as above.
//
//go:noescape
func addBlockedLines128(lines *byte, count uint64, k uint64, ahead uint64, hashes *uint64, chunks uint64)
