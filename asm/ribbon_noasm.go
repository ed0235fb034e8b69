//go:build purego || !amd64

package asm

// RibbonLevel returns the level at which ProbeRibbon tests a batch.
func RibbonLevel(l *RibbonLayer) Level { return Generic }

func probeRibbon(*RibbonLayer, []uint64, []uint64, []uint64) bool { return false }
