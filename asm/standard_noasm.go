//go:build purego || !amd64

package asm

// StandardLevel returns the level at which ProbeStandard tests a batch.
func StandardLevel() Level { return Generic }

func probeStandard([]byte, uint64, int, []uint64, []uint64) bool { return false }
