//go:build purego || !amd64

package asm

func insertRibbon([]uint64, []uint32, []uint64, uint64, uint64, *[RibbonBucket]uint64) (ok, done bool) {
	return false, false
}

func solveBlock(*[32]uint64, *[64]uint64, *[64]uint32, int) bool { return false }
