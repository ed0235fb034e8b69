//go:build !purego

package asm

// RibbonLevel returns the level at which ProbeRibbon tests a batch.
func RibbonLevel(l *RibbonLayer) Level {
	if level == AVX2 && !l.ByRows() || l.Starts >= 1<<32 {
		return Generic
	}
	return level
}

// probeRibbon tests hashes by a kernel and reports whether there is one.
func probeRibbon(l *RibbonLayer, hashes, hits, bumped []uint64) bool {
	if RibbonLevel(l) == Generic || len(hashes) < fewHashes {
		return false
	}
	if whole := len(hashes) / chunkLen; whole > 0 {
		probeLayer(l, &hashes[0], whole, &hits[0], &bumped[0])
	}
	if rest := len(hashes) % chunkLen; rest > 0 {
		chunk := padded(hashes[len(hashes)-rest:])
		probeLayer(l, &chunk[0], 1, &hits[len(hits)-1], &bumped[len(hits)-1])
	}
	return true
}

// noThresholds is read in place of the thresholds of a layer that has none.
var noThresholds [8]byte

func probeLayer(l *RibbonLayer, hashes *uint64, chunks int, hits, bumped *uint64) {
	thresholds, mask := &noThresholds[0], uint64(0)
	if len(l.Thresholds) > 0 {
		thresholds, mask = &l.Thresholds[0], ^uint64(0)
	}
	switch {
	case level == AVX2:
		probeRibbonRows256(&l.Solution[0], l.Starts, thresholds, mask, ahead(l.Solution), hashes, uint64(chunks), hits, bumped)
	case l.ByRows():
		probeRibbonRows512(&l.Solution[0], l.Starts, thresholds, mask, ahead(l.Solution), hashes, uint64(chunks), hits, bumped)
	default:
		probeRibbonColumns512(&l.Solution[0], l.Starts, uint64(l.Columns), l.Narrow, thresholds, mask, ahead(l.Solution), hashes, uint64(chunks), hits, bumped)
	}
}
