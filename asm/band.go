package asm

import "math/bits"

// RibbonWindow is how many rows, from the first of a bucket on, InsertRibbon
// and the code that calls it may look at.
const RibbonWindow = 256

// InsertRibbon adds the equations of a bucket's hashes to a band, and reports
// whether they contradict none of those there: if they do, the rows hold
// nothing of use.
//
// Row i of a band is empty, with coefficient 0, or starts with coefficient 1 in
// row i and has what its key's fingerprint became. The rows given are
// RibbonWindow from that of the start first on; only the first RibbonBucket+63
// of them change, and those behind the 63rd must be empty. What is
// there comes from calls before, all of them with values or none. The hashes are in
// ascending order and start at first to first+RibbonBucket-1, which is a multiple
// of RibbonBucket. Of one that starts i behind first, only the coefficients that
// masks[i] has count. The right side of an equation is the hash's fingerprint, plus
// its value where there are values, one for each hash.
//
// Which rows are taken does not depend on the order of the hashes, nor does the
// solution of the band; what is in the rows may differ from kernel to kernel.
func InsertRibbon(coefficients []uint64, fingerprints []uint32, hashes []uint64, values []uint32, starts, first uint64, masks *[RibbonBucket]uint64) bool {
	if values == nil {
		if ok, done := insertRibbon(coefficients, fingerprints, hashes, starts, first, masks); done {
			return ok
		}
	}
	return insertRibbonGeneric(coefficients, fingerprints, hashes, values, starts, first, masks)
}

// equation is one on its way to its row. A zero one has arrived.
type equation struct {
	coefficients uint64 // the first is 1, unless all are 0
	fingerprint  uint32
	row          uint8 // an index of its type needs no check
}

// add adds a row, or nothing, to an equation and moves it to the row of its
// first coefficient.
func (e *equation) add(coefficients uint64, fingerprint uint32) {
	c := e.coefficients ^ coefficients
	skip := bits.TrailingZeros64(c)
	e.coefficients = c >> (skip & 63)
	e.fingerprint ^= fingerprint
	e.row += uint8(skip)
}

// insertRibbonGeneric adds the row that is taken to an equation, again and again,
// until it finds an empty one. Each time it waits for the time before, so it
// takes turns with several equations; their order does not matter.
func insertRibbonGeneric(coefficients []uint64, fingerprints []uint32, hashes []uint64, values []uint32, starts, first uint64, masks *[RibbonBucket]uint64) bool {
	cs, fs := (*[RibbonWindow]uint64)(coefficients), (*[RibbonWindow]uint32)(fingerprints)
	var turns [6]equation
	for len(hashes) > 0 {
		for i := range turns {
			e := &turns[i]
			if e.coefficients != 0 {
				if have := cs[e.row]; have != 0 {
					e.add(have, fs[e.row])
					continue
				}
				cs[e.row], fs[e.row] = e.coefficients, e.fingerprint
			} else if e.fingerprint != 0 {
				return false
			}
			*e = equation{}
			if len(hashes) > 0 {
				start, c := RibbonRow(hashes[0], starts)
				row := uint8(start - first)
				*e = equation{c & masks[row%RibbonBucket], RibbonFingerprint(hashes[0]), row}
				if values != nil {
					e.fingerprint ^= values[0]
					values = values[1:]
				}
				e.add(0, 0)
				hashes = hashes[1:]
			}
		}
	}
	for _, e := range turns {
		for e.coefficients != 0 && cs[e.row] != 0 {
			e.add(cs[e.row], fs[e.row])
		}
		if e.coefficients != 0 {
			cs[e.row], fs[e.row] = e.coefficients, e.fingerprint
		} else if e.fingerprint != 0 {
			return false
		}
	}
	return true
}

// SolveRibbon writes the solution of a band into blocks from to to-1 of a
// layer. Nothing in these blocks depends on the rows behind them.
//
// From the last row to the first, every column's bit is its fingerprint bit plus
// the bits that the coefficients pick from the 63 rows behind; a word for each
// column holds these. Rows that no key took are 0.
func SolveRibbon(l *RibbonLayer, coefficients []uint64, fingerprints []uint32, from, to uint64) {
	var columns [32]uint64 // bit i: row i of the 64 from the current one on
	for block := to; block > from; {
		block--
		rows, fs := (*[64]uint64)(coefficients[64*block:]), (*[64]uint32)(fingerprints[64*block:])
		if !solveBlock(&columns, rows, fs, l.Columns) {
			solveBlockGeneric(&columns, rows, fs, l.Columns)
		}
		l.SetBlock(block, columns[:l.Width(block)])
	}
}

// solveBlockGeneric turns columns from those of the 64 rows behind a block to
// those of the block.
func solveBlockGeneric(columns *[32]uint64, coefficients *[64]uint64, fingerprints *[64]uint32, width int) {
	state := columns[:width]
	for row := 63; row >= 0; row-- {
		c, f := coefficients[row], fingerprints[row]
		for j, z := range state {
			z <<= 1
			state[j] = z | uint64(bits.OnesCount64(z&c)^int(f))&1
			f >>= 1
		}
	}
}
