//go:build !purego && (amd64 || arm64)

package asm

import "unsafe"

// ribbonPart is a layer as the kernels read it: a cache line of numbers.
type ribbonPart struct {
	solution   *byte
	starts     uint64
	thresholds *byte
	shift      uint64 // start >> shift is the byte of thresholds that has that of start
	add        uint64 // what RibbonRehash adds to a hash
	narrow     uint64
	columns    uint64 // 0 if it is tiled
	tileStarts uint64 // starts if HasRibbon begins here, with tiles and the hash as it is; else 0
}

type ribbonParts [MaxRibbonLayers]ribbonPart

func (p *ribbonParts) set(r *Ribbon) {
	for i := range r.Layers {
		l := &r.Layers[i]
		part := ribbonPart{
			solution:   &l.Solution[0],
			starts:     l.Starts,
			thresholds: &noThresholds[0],
			shift:      63,
			add:        r.round(i) * roundFactor,
			narrow:     l.Narrow,
			columns:    uint64(l.Columns),
		}
		if i < len(r.Layers)-1 && len(l.Thresholds) > 0 { // kernels go down a layer wherever they find a threshold
			part.thresholds, part.shift = &l.Thresholds[0], 9
		}
		if l.Tiled {
			part.columns = 0
			if i == 0 && part.add == 0 {
				part.tileStarts = l.Starts
			}
		}
		p[i] = part
	}
}

// first returns the first part, for kernels.
func (p *ribbonParts) first() *byte { return (*byte)(unsafe.Pointer(p)) }

// noThresholds is read in place of the thresholds of a layer that has none.
var noThresholds [8]byte

// fewRibbonHashes is fewHashes for ribbons, singleRibbonHashes where there is a kernel
// for one hash.
const fewRibbonHashes, singleRibbonHashes = 12, 28

// probeRibbon tests hashes by a kernel and reports whether there is one.
func probeRibbon(r *Ribbon, hashes, hits []uint64) bool {
	few := fewRibbonHashes
	if hasRibbonKernel() {
		few = singleRibbonHashes
	}
	if len(hashes) < few || RibbonLevel(r) == Generic {
		return false
	}
	round := r.round(0)
	if round == 0 {
		probeRibbonHashes(r, hashes, hits)
		return true
	}
	// The only layer, not built at the first attempt: kernels do not rehash for it.
	var rehashed [8 * chunkLen]uint64
	for len(hashes) > 0 {
		n := min(len(hashes), len(rehashed))
		for i, h := range hashes[:n] {
			rehashed[i] = RibbonRehash(h, round)
		}
		probeRibbonHashes(r, rehashed[:n], hits)
		hashes, hits = hashes[n:], hits[(n+chunkLen-1)/chunkLen:]
	}
	return true
}

func probeRibbonHashes(r *Ribbon, hashes, hits []uint64) {
	whole := len(hashes) / chunkLen
	if whole > 0 {
		probeRibbonChunks(r, &hashes[0], whole, &hits[0])
	}
	if rest := len(hashes) % chunkLen; rest > 0 {
		chunk := padded(hashes[whole*chunkLen:])
		for i := rest; i < chunkLen; i++ {
			chunk[i] = 1<<64 - 1 // starts at the end of a bucket: it is hardly ever bumped, which takes time
		}
		probeRibbonChunks(r, &chunk[0], 1, &hits[whole])
	}
}
