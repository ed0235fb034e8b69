package ribbon

import (
	"fmt"
	"math"
	"math/bits"

	"github.com/tamis-filter/tamis/asm"
	"github.com/tamis-filter/tamis/filters"
)

// maxColumns bounds the fingerprint bits: a rate of 2^-32.
const maxColumns = 32

// columns is how many fingerprint bits the rows have: wide, and one less in the
// first narrow/2^32 of the blocks of a layer.
type columns struct {
	wide   int
	narrow uint32
}

// forRate returns the columns that reach rate p, 2^-32 to 1, with the fewest bits.
func forRate(p float64) columns {
	mantissa, exponent := math.Frexp(p) // p = mantissa · 2^exponent, mantissa in [1/2, 1)
	if mantissa == 0.5 || exponent == 0 {
		return columns{wide: max(1, 1-exponent)} // 2^-wide is p, or below every p over 1/2
	}
	// Between 2^-(wide-1) and 2^-wide the rate is linear in the narrow share.
	return columns{wide: 1 - exponent, narrow: uint32((2*mantissa - 1) * (1 << 32))}
}

// forTiles are the columns of a filter that is stored in tiles.
var forTiles = columns{wide: 8}

// tiled reports whether a filter for c will be stored in tiles, which must be known
// before its rows are.
func tiled(c filters.Config) bool {
	_, budget := c.Budget()
	return !budget && forRate(c.FPR) == forTiles
}

// forBits returns the columns, never forTiles, that take at most bitsPerRow bits a
// row.
func forBits(bitsPerRow float64) columns {
	if bitsPerRow >= maxColumns {
		return columns{wide: maxColumns}
	}
	wide := math.Ceil(bitsPerRow)
	if wide == bitsPerRow && int(wide) != forTiles.wide {
		return columns{wide: int(wide)}
	}
	return columns{wide: int(wide), narrow: uint32(min((wide-bitsPerRow)*(1<<32)+1, math.MaxUint32))}
}

// rate is the false-positive rate.
func (c columns) rate() float64 {
	return math.Ldexp(1+float64(c.narrow)/(1<<32), -c.wide)
}

// narrowBlocks is how many of a layer's blocks have a column less.
func (c columns) narrowBlocks(blocks uint64) uint64 {
	n, low := bits.Mul64(uint64(c.narrow), blocks-1)
	return n<<32 | low>>32
}

// solutionBytes is the size of a layer's solution.
func (c columns) solutionBytes(blocks uint64) uint64 {
	return 8 * (blocks*uint64(c.wide) - c.narrowBlocks(blocks))
}

// thresholdBytes is the size of a layer's thresholds, in whole 64-bit words: a
// bucket is two blocks, a threshold two bits.
func thresholdBytes(blocks uint64) uint64 { return (blocks - 1 + 63) / 64 * 8 }

// payloadBytes is the size of the payload of layers of so many blocks, of which
// the last bumps nothing.
func payloadBytes(blocks []uint64, c columns) uint64 {
	total := uint64(tableSize)
	for i, n := range blocks {
		total += c.solutionBytes(n)
		if i < len(blocks)-1 {
			total += thresholdBytes(n)
		}
	}
	return total
}

// bumpedShare is a little more than the share of its keys that a layer bumps.
const bumpedShare = 0.066

// planned estimates the blocks of the layers for n distinct keys. Each is at
// least what layers will use, but for chance.
func planned(n uint64) (blocks []uint64) {
	for n > lastLayerKeys && len(blocks) < maxLayers-1 {
		blocks = append(blocks, bumpingStarts(n)/64+1)
		n = uint64(math.Ceil(float64(n) * bumpedShare))
	}
	return append(blocks, lastStarts(n, 0)/64+1)
}

// solvedBytes is the memory that solved takes for n keys: the bands, and for all
// layers but the first the keys that were bumped, unsorted and sorted.
func solvedBytes(n uint64, values bool) (bytes uint64) {
	for i, blocks := range planned(n) {
		if i > 0 {
			bytes += 8*n + filters.SortBytes(n)
			if values {
				bytes += 9 * n
			}
		}
		bytes += 12*(64*blocks+asm.RibbonWindow) + thresholdBytes(blocks) + 4096
		n = uint64(math.Ceil(float64(n) * bumpedShare))
	}
	return bytes
}

// choose returns the columns for a Config that has passed Check and layers of
// so many blocks.
func choose(c filters.Config, blocks []uint64) (columns, error) {
	budget, ok := c.Budget()
	if !ok {
		return forRate(c.FPR), nil
	}
	if c.BitsPerKey != 0 && len(blocks) <= 1 {
		// A single layer is small, and its fixed parts are left out.
		if bitsPerRow := c.BitsPerKey / spareRows; bitsPerRow >= 1 {
			return forBits(bitsPerRow), nil
		}
		return columns{}, filters.TooSmall("BitsPerKey", c.BitsPerKey, spareRows)
	}
	// Of each layer, up to two blocks may have a column more than their share.
	rows, rest := 0.0, float64(8*payloadBytes(blocks, columns{})+128*uint64(len(blocks)))
	for _, n := range blocks {
		rows += 64 * float64(n)
	}
	if bitsPerRow := (float64(budget) - rest) / rows; bitsPerRow >= 1 {
		return forBits(bitsPerRow), nil
	}
	if c.BitsPerKey != 0 {
		return columns{}, filters.TooSmall("BitsPerKey", c.BitsPerKey, (rest+rows)/float64(c.Keys))
	}
	return columns{}, filters.TooSmall("MaxBytes", c.MaxBytes, math.Ceil(filters.HeaderSize+(rest+rows)/8))
}

// Size estimates what Build comes to for c.Keys distinct keys. The file can be
// a few blocks larger or smaller.
func Size(c filters.Config) (filters.Size, error) {
	if err := c.Check(); err != nil {
		return filters.Size{}, err
	}
	blocks := planned(c.Keys)
	chosen, err := choose(c, blocks)
	if err != nil {
		return filters.Size{}, err
	}
	payload := payloadBytes(blocks, chosen)
	if err := c.CheckPayload(float64(payload)); err != nil {
		return filters.Size{}, err
	}
	memory := filters.DistinctBytes(c.Keys) + solvedBytes(c.Keys, false) + filters.HeaderSize + payload
	return filters.Size{
		Bytes:      filters.HeaderSize + payload,
		BitsPerKey: float64(payload*8) / float64(c.Keys),
		FPR:        chosen.rate(),
		Layout:     layout(chosen, len(blocks)),
		BuildBytes: memory,
	}, nil
}

func layout(c columns, layers int) string {
	width := fmt.Sprint(c.wide)
	if c.narrow != 0 {
		width = fmt.Sprintf("%.3f", float64(c.wide)-float64(c.narrow)/(1<<32))
	}
	return fmt.Sprintf("columns: %s, width: 64, layers: %d", width, layers)
}
