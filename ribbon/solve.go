package ribbon

import (
	"math/bits"

	"github.com/tamis-filter/tamis/asm"
)

// solve writes the solution of a band into l.Solution, whose geometry is set
// and whose bytes are 0.
//
// From the last row to the first, every column's bit is its fingerprint bit plus
// the bits that the coefficients pick from the 63 rows behind; a word for each
// column holds these. Rows that no key took stay 0.
func solve(b *band, l *asm.RibbonLayer) {
	var columns [32]uint64 // bit i: row i of the 64 from the current one on
	for block := int(b.blocks()) - 1; block >= 0; block-- {
		width := l.Width(uint64(block))
		for row := 64*block + 63; row >= 64*block; row-- {
			c, f := b.coefficients[row], b.fingerprints[row]
			for j := range columns[:width] {
				z := columns[j] << 1
				bit := (uint64(bits.OnesCount64(z&c)) ^ uint64(f>>j)) & 1
				columns[j] = z | bit
			}
		}
		l.SetBlock(uint64(block), columns[:width])
	}
}
