package blocked

import (
	"fmt"

	"github.com/tamis-filter/tamis/asm"
	"github.com/tamis-filter/tamis/filters"
)

const (
	lineBits = asm.LineBytes * 8
	// maxBitsPerKey ends the search for a rate: past four keys a line, more
	// space buys little.
	maxBitsPerKey = 128
	// wordRoom is the share of the lines, one in so many, that k = 8 may cost
	// more than the best k: a bit in every word is what kernels are fastest with.
	wordRoom = 50
)

// Geometry returns the number of 512-bit lines and of bits a key, k, for n keys
// at rate p, by the exact occupancy of the lines; see filters.BlockedRate.
func Geometry(n uint64, p float64) (lines uint64, k int, err error) {
	c := filters.Config{Keys: n, FPR: p}
	if err := c.Check(); err != nil {
		return 0, 0, err
	}
	return geometry(c)
}

// geometry resolves a Config that has passed Check.
func geometry(c filters.Config) (lines uint64, k int, err error) {
	k = 8
	lines, err = c.Blocks(lineBits, maxBitsPerKey, func(lines uint64) (least float64) {
		k, least = bestK(lines, c.Keys, k)
		return least
	})
	if err != nil {
		return 0, 0, err
	}
	k, _ = bestK(lines, c.Keys, k)
	if most := lines + lines/wordRoom; c.FPR != 0 && rate(most, c.Keys, 8) <= c.FPR {
		lines, err = c.Blocks(lineBits, maxBitsPerKey, func(lines uint64) float64 { return rate(lines, c.Keys, 8) })
		return lines, 8, err
	}
	// Few keys leave room to spare in their last line, and need fewer bits.
	for k > 1 && rate(lines, c.Keys, k-1) <= c.FPR {
		k--
	}
	return lines, k, nil
}

// Size computes what New(c) would come to.
func Size(c filters.Config) (filters.Size, error) {
	if err := c.Check(); err != nil {
		return filters.Size{}, err
	}
	lines, k, err := geometry(c)
	if err != nil {
		return filters.Size{}, err
	}
	return filters.Size{
		Bytes:      filters.HeaderSize + lines*asm.LineBytes,
		BitsPerKey: float64(lines*lineBits) / float64(c.Keys),
		FPR:        rate(lines, c.Keys, k),
		Layout:     layout(lines, k),
		BuildBytes: filters.HeaderSize + lines*asm.LineBytes,
	}, nil
}

func layout(lines uint64, k int) string { return fmt.Sprintf("k = %d, %d lines of 512 bits", k, lines) }
