//go:build purego || !(amd64 || arm64)

package asm

// SplitLevel returns the level at which ProbeSplit tests a batch.
func SplitLevel() Level { return Generic }

func probeSplit([]byte, []uint64, []uint64) bool { return false }

func insertSplit([]byte, []uint64) int { return 0 }

func hasSplitKernel() bool { return false }

func hasSplit([]byte, uint64) bool { return false }
