//go:build !purego

package asm

// insertRibbon adds hashes by a kernel; done tells whether there is one.
func insertRibbon(coefficients []uint64, fingerprints []uint32, hashes []uint64, starts, first uint64, masks *[RibbonBucket]uint64) (ok, done bool) {
	if level < AVX512 || len(hashes) == 0 {
		return false, false
	}
	rows, fs := (*[RibbonWindow]uint64)(coefficients), (*[RibbonWindow]uint32)(fingerprints)
	return insertRibbon512(&rows[0], &fs[0], &hashes[0], uint64(len(hashes)), starts, first, &masks[0]), true
}

// solveBlock solves the rows of a block by a kernel, and reports whether there
// is one.
func solveBlock(columns *[32]uint64, coefficients *[64]uint64, fingerprints *[64]uint32, width int) bool {
	if level < AVX512 {
		return false
	}
	solveRibbon512(&coefficients[0], &fingerprints[0], &columns[0], uint64(width+7)/8)
	return true
}
