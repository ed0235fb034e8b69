//go:build purego || !amd64

package asm

// CuckooLevel returns the level at which ProbeCuckoo tests a batch.
func CuckooLevel(buckets uint64, fingerprintBits int) Level { return Generic }

func probeCuckoo([]byte, uint64, int, []uint64, []uint64) bool { return false }
