package asm

import (
	"encoding/binary"
	"math/bits"
)

// RibbonLayer is one layer of a ribbon filter, ready to be queried.
//
// The solution is a matrix of bits: a row for each start and 63 more, stored in
// blocks of 64 rows; the fingerprint of a hash is the exclusive or of the rows
// that its coefficients pick from the 64 at its start. The last block has no
// starts, so the block behind that of a start is always there.
//
// The first Narrow blocks have Columns-1 columns, the others Columns. A block
// is stored column by column, a little-endian 64-bit word each, row i in bit
// i%64. Blocks of eight columns can be stored in tiles of eight rows instead: a
// tile is the bytes that hold these rows, the one of the last column first.
type RibbonLayer struct {
	Starts     uint64 // 64 times one less than the number of blocks
	Columns    int    // 1 to 32
	Narrow     uint64 // less than the number of blocks; 0 if Columns is 1
	Tiled      bool   // Columns is 8 then, Narrow 0
	Solution   []byte
	Thresholds []byte // 2 bits for each RibbonBucket starts, in whole words; nil in a layer that bumps nothing
}

// RibbonBucket is the number of starts that share a threshold.
const RibbonBucket = 128

// RibbonThreshold is what the 2 bits of a bucket stand for: keys that start at
// a lower offset in the bucket are bumped to the next layer. All are even, which
// kernels rely on.
var RibbonThreshold = [4]uint64{0, 18, 38, RibbonBucket}

// Odd 64-bit multipliers (Steele and Vigna, 2022) for the coefficients and the
// fingerprint of a hash, and for rehashing.
const (
	coefficientFactor = 0xd1342543de82ef95
	rowFactor         = 0xaf251af3b0f025b5
	roundFactor       = 0x9e6c63d0676a9a99
)

// RibbonRehash returns the hash that a layer uses in place of h: h itself in
// round 0, and a mixed one, distinct for distinct h, in every other.
func RibbonRehash(h, round uint64) uint64 {
	if round == 0 {
		return h
	}
	h += round * roundFactor
	h = (h ^ h>>32) * coefficientFactor
	h = (h ^ h>>29) * rowFactor
	return h ^ h>>32
}

// RibbonRow returns the equation of a hash: its start, and the coefficients of
// the 64 rows from there on, of which the first is always 1. In a layer of tiles,
// those of the eight tiles from the start's on count, so up to seven less.
func RibbonRow(h, starts uint64) (start, coefficients uint64) {
	start, _ = bits.Mul64(h, starts)
	return start, h*coefficientFactor | 1
}

// TileMask returns the coefficients that count in a layer of tiles.
func TileMask(start uint64) uint64 { return ^uint64(0) >> (start % 8) }

// RibbonFingerprint returns the 32 bits of which a solution of r columns
// stores the lowest r.
func RibbonFingerprint(h uint64) uint32 { return uint32(h * rowFactor >> 32) }

// Ribbon is a ribbon filter: one to MaxRibbonLayers layers of as many Columns
// that are all tiled or none. Every layer but the last uses the hash of the round
// that is its index.
type Ribbon struct {
	parts     ribbonParts // the layers as kernels read them, which expect them here
	Layers    []RibbonLayer
	LastRound uint64 // of the last layer
}

// MakeRibbon makes a ribbon of layers, which from then on must not change but for
// the bytes of their arrays.
func MakeRibbon(layers []RibbonLayer, lastRound uint64) Ribbon {
	r := Ribbon{Layers: layers, LastRound: lastRound}
	r.parts.set(&r)
	return r
}

// MaxRibbonLayers bounds the layers of a filter.
const MaxRibbonLayers = 4

// round returns the round of RibbonRehash of a layer.
func (r *Ribbon) round(layer int) uint64 {
	if layer == len(r.Layers)-1 {
		return r.LastRound
	}
	return uint64(layer)
}

// RibbonValue returns the value of a hash that was banded with one, of as many bits
// as there are columns, which must be the same in all blocks. For any other hash it
// is arbitrary. HasRibbon reports whether it is 0.
func RibbonValue(r *Ribbon, h uint64) uint32 {
	for i := range r.Layers {
		h = RibbonRehash(h, r.round(i))
		l := &r.Layers[i]
		if start, coefficients := RibbonRow(h, l.Starts); !l.bumps(start) {
			return (l.product(start, coefficients) ^ RibbonFingerprint(h)) & uint32(1<<l.Columns-1)
		}
	}
	return 0 // no layers
}

func hasRibbonGeneric(r *Ribbon, h uint64) bool {
	for i := range r.Layers {
		h = RibbonRehash(h, r.round(i))
		if has, bumped := r.Layers[i].Has(h); !bumped {
			return has
		}
	}
	return false
}

// bumps reports whether a key that starts at start is in a later layer.
func (l *RibbonLayer) bumps(start uint64) bool {
	if l.Thresholds == nil {
		return false
	}
	bucket := start / RibbonBucket
	code := l.Thresholds[bucket/4] >> (bucket % 4 * 2) & 3
	return start%RibbonBucket < RibbonThreshold[code]
}

// Has reports whether the layer holds the fingerprint of h, or that it does not
// tell because h is bumped.
func (l *RibbonLayer) Has(h uint64) (has, bumped bool) {
	start, coefficients := RibbonRow(h, l.Starts)
	if l.bumps(start) {
		return false, true
	}
	if l.Tiled {
		return tilesHave(l.Solution[start&^7:], coefficients<<(start&7), byte(RibbonFingerprint(h))), false
	}
	return l.columnsHave(start, coefficients, RibbonFingerprint(h)), false
}

// Width returns the number of columns of a block.
func (l *RibbonLayer) Width(block uint64) int {
	if block < l.Narrow {
		return l.Columns - 1
	}
	return l.Columns
}

// BlockOffset returns the byte at which a block starts.
func (l *RibbonLayer) BlockOffset(block uint64) uint64 {
	return 8 * (block*uint64(l.Columns) - min(block, l.Narrow))
}

// SetBlock stores a block, given the words of its columns.
func (l *RibbonLayer) SetBlock(block uint64, columns []uint64) {
	out := l.Solution[l.BlockOffset(block):]
	for i, word := range columns {
		if !l.Tiled {
			binary.LittleEndian.PutUint64(out[8*i:], word)
			continue
		}
		for tile := range 8 {
			out[8*tile+7-i] = byte(word >> (8 * tile))
		}
	}
}

// columnsHave tests eight columns at a time, without a branch on what they hold:
// one that ended at the first column that differs would be guessed wrong by the
// processor half of the time. For the same reason it tests the last column of a
// narrow block too, that is the first one of the next block, and then forgets it.
func (l *RibbonLayer) columnsHave(start, coefficients uint64, fingerprint uint32) bool {
	block, shift := start/64, start%64
	columns := l.Columns
	_, narrow := bits.Sub64(block, l.Narrow, 0) // 1 or 0
	low := l.Solution[l.BlockOffset(block):]
	high := low[8*(uint64(columns)-narrow):]
	// The parity of the rows that the coefficients pick is that of those in
	// this block and of those in the next one together.
	here, there := coefficients<<shift, coefficients>>(64-shift)
	for ; columns > 8; columns -= 8 {
		differs := 0
		these, next := (*[64]byte)(low), (*[64]byte)(high)
		for i := 0; i < 64; i += 8 {
			picked := binary.LittleEndian.Uint64(these[i:])&here ^ binary.LittleEndian.Uint64(next[i:])&there
			differs |= bits.OnesCount64(picked) ^ int(fingerprint)
			fingerprint >>= 1
		}
		if differs&1 != 0 {
			return false
		}
		low, high = low[64:], high[64:]
	}
	differs := 0 // a bit for each column, the last one's is the lowest
	low = low[:8*columns]
	high = high[:len(low)]
	for i := 0; i < len(low)-7; i += 8 {
		picked := binary.LittleEndian.Uint64(low[i:])&here ^ binary.LittleEndian.Uint64(high[i:])&there
		differs = differs<<1 | (bits.OnesCount64(picked)^int(fingerprint))&1
		fingerprint >>= 1
	}
	return differs>>narrow == 0
}

// product returns what the coefficients pick from the rows at start, column i in
// bit i.
func (l *RibbonLayer) product(start, coefficients uint64) (sum uint32) {
	if l.Tiled {
		return uint32(tilesProduct(l.Solution[start&^7:], coefficients<<(start&7)))
	}
	block, shift := start/64, start%64
	low := l.Solution[l.BlockOffset(block):]
	high := l.Solution[l.BlockOffset(block+1):]
	here, there := coefficients<<shift, coefficients>>(64-shift)
	for c := range l.Columns {
		picked := binary.LittleEndian.Uint64(low[8*c:])&here ^ binary.LittleEndian.Uint64(high[8*c:])&there
		sum |= uint32(bits.OnesCount64(picked)&1) << c
	}
	return sum
}

func tilesHave(tiles []byte, coefficients uint64, fingerprint byte) bool {
	return tilesProduct(tiles, coefficients) == fingerprint
}

// tilesProduct adds up what the coefficients pick from the 64 rows of eight tiles,
// all columns at once.
func tilesProduct(tiles []byte, coefficients uint64) byte {
	const low = 0x0101010101010101 // of each byte
	t := (*[64]byte)(tiles)
	picked := func(i int) uint64 {
		return binary.LittleEndian.Uint64(t[8*i:]) & (coefficients >> (8 * i) & 0xff * low)
	}
	sum := picked(0) ^ picked(1) ^ picked(2) ^ picked(3) ^ picked(4) ^ picked(5) ^ picked(6) ^ picked(7)
	sum ^= sum >> 4
	sum ^= sum >> 2
	sum ^= sum >> 1
	// Column i is the lowest bit of byte 7-i and becomes bit i.
	return byte(sum & low * 0x8040201008040201 >> 56)
}

// ProbeRibbon tests many hashes; see HasRibbon.
func ProbeRibbon(r *Ribbon, hashes, hits []uint64) int {
	if !probeRibbon(r, hashes, hits) {
		probeRibbonSingly(r, hashes, hits)
	}
	return finish(hits, len(hashes))
}

func probeRibbonSingly(r *Ribbon, hashes, hits []uint64) {
	first := &r.Layers[0]
	touch := len(first.Solution) >= touchRibbonBytes && !hasRibbonKernel()
	for i := range hits {
		chunk := hashes[64*i : min(64*i+64, len(hashes))]
		if touch {
			for _, h := range chunk {
				hits[i] |= uint64(first.touch(RibbonRehash(h, r.round(0))))
			}
		}
		var word uint64
		for j, h := range chunk {
			if HasRibbon(r, h) {
				word |= 1 << j
			}
		}
		hits[i] = word
	}
}

// touchRibbonBytes is touchBytes for a ribbon, of which several bytes must be read
// for each hash.
const touchRibbonBytes = 6 << 20

// touch reads where the rows of h begin and end, in the layer's first eight
// columns: more than these are not read for most hashes that are not in the filter.
func (l *RibbonLayer) touch(h uint64) byte {
	start, _ := RibbonRow(h, l.Starts)
	if l.Tiled {
		return l.Solution[start] | l.Solution[start+56]
	}
	low, high := l.BlockOffset(start/64), l.BlockOffset(start/64+1)
	end := min(high-low, 64) - 1
	return l.Solution[low] | l.Solution[low+end] | l.Solution[high] | l.Solution[high+end]
}
