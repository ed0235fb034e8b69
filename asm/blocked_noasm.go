//go:build purego || !(amd64 || arm64)

package asm

// BlockedLevel returns the level at which ProbeBlocked tests a batch.
func BlockedLevel(lines uint64, k int) Level { return Generic }

func probeBlocked([]byte, int, []uint64, []uint64) bool { return false }

func insertBlocked([]byte, int, []uint64) int { return 0 }

// HasBlocked reports whether the k bits of h are set in lines, of which there may
// be none.
func HasBlocked(lines *[]byte, k int, h uint64) bool { return hasBlockedGeneric(lines, k, h) }

// hasBlockedKernel reports whether HasBlocked is a kernel.
func hasBlockedKernel() bool { return false }
