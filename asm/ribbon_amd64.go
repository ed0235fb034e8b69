//go:build !purego

package asm

// RibbonLevel returns the level at which ProbeRibbon tests a batch.
func RibbonLevel(r *Ribbon) Level {
	for i := range r.Layers {
		if r.Layers[i].Starts >= 1<<32 {
			return Generic
		}
	}
	return level
}

// hasRibbonKernel reports whether HasRibbon is a kernel.
func hasRibbonKernel() bool { return level == AVX512 }

func probeRibbonChunks(r *Ribbon, hashes *uint64, chunks int, hits *uint64) {
	first := &r.Layers[0]
	solution, part, far := &first.Solution[0], r.parts.first(), ahead(first.Solution)
	switch {
	case level == AVX2 && first.Tiled:
		probeRibbonTiles256(solution, part, far, hashes, uint64(chunks), hits)
	case first.Tiled:
		probeRibbonTiles512(solution, part, far, hashes, uint64(chunks), hits)
	case level == AVX2:
		probeRibbonColumns256(solution, part, far, hashes, uint64(chunks), hits, uint64(first.Columns))
	default:
		probeRibbonColumns512(solution, part, far, hashes, uint64(chunks), hits, uint64(first.Columns))
	}
}
