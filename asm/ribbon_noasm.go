//go:build purego || !(amd64 || arm64)

package asm

// RibbonLevel returns the level at which ProbeRibbon tests a batch.
func RibbonLevel(r *Ribbon) Level { return Generic }

func probeRibbon(*Ribbon, []uint64, []uint64) bool { return false }

// HasRibbon reports whether the layer that h is in holds its fingerprint.
func HasRibbon(r *Ribbon, h uint64) bool { return hasRibbonGeneric(r, h) }

// hasRibbonKernel reports whether HasRibbon is a kernel.
func hasRibbonKernel() bool { return false }

type ribbonParts struct{}

func (*ribbonParts) set(*Ribbon) {}
