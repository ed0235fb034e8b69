package split

import (
	"fmt"

	"github.com/tamis-filter/tamis/asm"
	"github.com/tamis-filter/tamis/filters"
)

const (
	k         = 8 // bits a key
	blockBits = asm.SplitBytes * 8
	// maxBitsPerKey ends the search for a rate: past two keys a block, more
	// space buys little.
	maxBitsPerKey = 128
	// maxBlocks is what the 32 bits of a hash that choose the block can reach
	// evenly, and what a filter's memory allows.
	maxBlocks = min(1<<31, filters.MaxPayload/asm.SplitBytes)
)

// Geometry returns the number of 256-bit blocks for n keys at rate p, by the
// exact occupancy of the blocks; see filters.BlockedRate.
func Geometry(n uint64, p float64) (blocks uint64, err error) {
	c := filters.Config{Keys: n, FPR: p}
	if err := c.Check(); err != nil {
		return 0, err
	}
	return geometry(c)
}

// geometry resolves a Config that has passed Check.
func geometry(c filters.Config) (uint64, error) {
	blocks, err := c.Blocks(blockBits, maxBitsPerKey, func(blocks uint64) float64 {
		return rate(blocks, c.Keys)
	})
	if err == nil && blocks > maxBlocks {
		err = &filters.FieldError{Err: filters.ErrTooLarge, Field: "blocks", Value: blocks, Bound: fmt.Sprintf("must be at most %d", uint64(maxBlocks))}
	}
	return blocks, err
}

// Size computes what New(c) would come to.
func Size(c filters.Config) (filters.Size, error) {
	if err := c.Check(); err != nil {
		return filters.Size{}, err
	}
	blocks, err := geometry(c)
	if err != nil {
		return filters.Size{}, err
	}
	return filters.Size{
		Bytes:      filters.HeaderSize + blocks*asm.SplitBytes,
		BitsPerKey: float64(blocks*blockBits) / float64(c.Keys),
		FPR:        rate(blocks, c.Keys),
		Layout:     layout(blocks),
		BuildBytes: filters.HeaderSize + blocks*asm.SplitBytes,
	}, nil
}

// rate returns the expected false-positive rate of n keys in blocks.
func rate(blocks, n uint64) float64 {
	return filters.BlockedRate(blocks, n, filters.BlockRate(k, blockBits))
}

func layout(blocks uint64) string { return fmt.Sprintf("k = %d, %d blocks of 256 bits", k, blocks) }
