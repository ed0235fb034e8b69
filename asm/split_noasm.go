//go:build purego || !(amd64 || arm64)

package asm

// SplitLevel returns the level at which ProbeSplit tests a batch.
func SplitLevel() Level { return Generic }

func probeSplit([]byte, []uint64, []uint64) bool { return false }

func insertSplit([]byte, []uint64) int { return 0 }

// HasSplit reports whether the eight bits of h are set in blocks, of which there
// are less than 2^32 and may be none.
func HasSplit(blocks *[]byte, h uint64) bool { return hasSplitGeneric(blocks, h) }
