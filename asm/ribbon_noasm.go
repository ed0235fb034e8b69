//go:build purego || !(amd64 || arm64)

package asm

// RibbonLevel returns the level at which ProbeRibbon tests a batch.
func RibbonLevel(r *Ribbon) Level { return Generic }

func probeRibbon(*Ribbon, []uint64, []uint64) bool { return false }

type ribbonParts struct{}

func (*ribbonParts) set(*Ribbon)     {}
func (*ribbonParts) single() bool    { return false }
func (*ribbonParts) has(uint64) bool { return false }
