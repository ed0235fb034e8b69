//go:build purego || !amd64

package asm

func insertRibbon([]uint64, []uint32, []uint64, uint64, uint64, *[RibbonBucket]uint64) (ok, done bool) {
	return false, false
}

func solveRibbon(*RibbonLayer, []uint64, []uint32, uint64, uint64) bool { return false }
