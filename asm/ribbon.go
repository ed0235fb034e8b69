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
// i%64. Only a solution of exactly eight columns is stored by rows, one byte each.
type RibbonLayer struct {
	Starts     uint64 // 64 times one less than the number of blocks
	Columns    int    // 1 to 32
	Narrow     uint64 // less than the number of blocks; 0 if Columns is 1
	Solution   []byte
	Thresholds []byte // 2 bits for each RibbonBucket starts, in whole words; nil in a layer that bumps nothing
}

// RibbonBucket is the number of starts that share a threshold.
const RibbonBucket = 128

// RibbonThreshold is what the 2 bits of a bucket stand for: keys that start at
// a lower offset in the bucket are bumped to the next layer.
var RibbonThreshold = [4]uint64{0, 22, 40, RibbonBucket}

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
// the 64 rows from there on, of which the first is always 1.
func RibbonRow(h, starts uint64) (start, coefficients uint64) {
	start, _ = bits.Mul64(h, starts)
	return start, h*coefficientFactor | 1
}

// RibbonFingerprint returns the 32 bits of which a solution of r columns
// stores the lowest r.
func RibbonFingerprint(h uint64) uint32 { return uint32(h * rowFactor >> 32) }

// bumps reports whether a key that starts at start is in a later layer.
func (l *RibbonLayer) bumps(start uint64) bool {
	if l.Thresholds == nil {
		return false
	}
	bucket := start / RibbonBucket
	code := l.Thresholds[bucket/4] >> (bucket % 4 * 2) & 3
	return start%RibbonBucket < RibbonThreshold[code]
}

// HasRibbon reports whether the layer holds the fingerprint of h, or that it
// does not tell because h is bumped.
func HasRibbon(l *RibbonLayer, h uint64) (has, bumped bool) {
	start, coefficients := RibbonRow(h, l.Starts)
	if l.bumps(start) {
		return false, true
	}
	if l.ByRows() {
		return rowsHave(l.Solution[start:], coefficients, byte(RibbonFingerprint(h))), false
	}
	return l.columnsHave(start, coefficients, RibbonFingerprint(h)), false
}

// ByRows reports whether the solution is stored by rows.
func (l *RibbonLayer) ByRows() bool { return l.Columns == 8 && l.Narrow == 0 }

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

// columnsHave tests eight columns at a time, without a branch on what they hold:
// one that ended at the first column that differs would be guessed wrong by the
// processor half of the time.
func (l *RibbonLayer) columnsHave(start, coefficients uint64, fingerprint uint32) bool {
	block, shift := start/64, start%64
	low := l.Solution[l.BlockOffset(block):]
	high := l.Solution[l.BlockOffset(block+1):]
	// The parity of the rows that the coefficients pick is that of those in
	// this block and of those in the next one together.
	here, there := coefficients<<shift, coefficients>>(64-shift)
	for width := l.Width(block); width > 0; width -= 8 {
		differs := 0
		for c := range min(width, 8) {
			picked := binary.LittleEndian.Uint64(low[8*c:])&here ^ binary.LittleEndian.Uint64(high[8*c:])&there
			differs |= bits.OnesCount64(picked) ^ int(fingerprint>>c)
		}
		if differs&1 != 0 {
			return false
		}
		if width > 8 {
			low, high, fingerprint = low[64:], high[64:], fingerprint>>8
		}
	}
	return true
}

// spread[b] has a byte of ones for each bit of b that is 1.
var spread = func() (table [256]uint64) {
	for b := range table {
		for i := range 8 {
			if b>>i&1 == 1 {
				table[b] |= 0xff << (8 * i)
			}
		}
	}
	return table
}()

// rowsHave folds the rows that the coefficients pick, eight at a time.
func rowsHave(rows []byte, coefficients uint64, fingerprint byte) bool {
	r := (*[64]byte)(rows)
	var sum uint64
	for i := range 8 {
		sum ^= binary.LittleEndian.Uint64(r[8*i:]) & spread[byte(coefficients>>(8*i))]
	}
	sum ^= sum >> 32
	sum ^= sum >> 16
	sum ^= sum >> 8
	return byte(sum) == fingerprint
}

// ProbeRibbon tests many hashes against one layer; see HasRibbon. Bit i%64 of
// bumped[i/64] tells that the answer for hash i is in a later layer; its bit in
// hits is then 0.
func ProbeRibbon(l *RibbonLayer, hashes, hits, bumped []uint64) int {
	if !probeRibbon(l, hashes, hits, bumped) {
		probeRibbonGeneric(l, hashes, hits, bumped)
	}
	finish(bumped, len(hashes))
	return finish(hits, len(hashes))
}

func probeRibbonGeneric(l *RibbonLayer, hashes, hits, bumped []uint64) {
	for i := range hits {
		var hitWord, bumpedWord uint64
		for j, h := range hashes[64*i : min(64*i+64, len(hashes))] {
			has, bump := HasRibbon(l, h)
			if has {
				hitWord |= 1 << j
			}
			if bump {
				bumpedWord |= 1 << j
			}
		}
		hits[i], bumped[i] = hitWord, bumpedWord
	}
}
