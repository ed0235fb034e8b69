//go:build !purego

package asm

// RibbonLevel returns the level at which ProbeRibbon tests a batch.
func RibbonLevel(r *Ribbon) Level {
	if r.Layers[0].Columns == 1 {
		return Generic
	}
	for i := range r.Layers {
		if r.Layers[i].Starts >= 1<<32 {
			return Generic
		}
	}
	return level
}

// HasRibbon reports whether the layer that h is in holds its fingerprint.
func HasRibbon(r *Ribbon, h uint64) bool { return hasRibbonGeneric(r, h) }

// hasRibbonKernel reports whether HasRibbon is a kernel.
func hasRibbonKernel() bool { return false }

func probeRibbonChunks(r *Ribbon, hashes *uint64, chunks int, hits *uint64) {
	first := &r.Layers[0]
	part, far := r.parts.first(), ahead(first.Solution)
	if first.Tiled {
		probeRibbonTiles128(part, far, hashes, uint64(chunks), hits)
	} else {
		probeRibbonColumns128(part, far, hashes, uint64(chunks), hits, uint64(first.Columns))
	}
}

// probeRibbonTiles128 tests chunks of 64 hashes against layers stored in tiles: hits
// gets a word for each. ahead is 1 to ask for tiles early.
//
//go:noescape
func probeRibbonTiles128(parts *byte, ahead uint64, hashes *uint64, chunks uint64, hits *uint64)

// probeRibbonColumns128 is probeRibbonTiles128 for layers stored by columns, two at
// least.
//
//go:noescape
func probeRibbonColumns128(parts *byte, ahead uint64, hashes *uint64, chunks uint64, hits *uint64, columns uint64)
