package ribbon

import (
	"fmt"
	"math"
	"math/bits"
	"slices"

	"github.com/tamis-filter/tamis/asm"
	"github.com/tamis-filter/tamis/filters"
)

const (
	// maxLayers bounds the layers of a filter. Each holds about a fourteenth
	// of the keys of the one before.
	maxLayers = 4
	// lastLayerKeys is where one more layer would cost more than the spare
	// rows that the last one needs.
	lastLayerKeys = 2000
	// overload is how many keys a bumping layer takes beyond its starts.
	overload = 0.075
	// spareRows is the rows per key of the last layer, at first.
	spareRows = 1.02
	// lastLayerAttempts bounds how often the last layer is tried anew, each
	// time under another hash and with more spare rows.
	lastLayerAttempts = 32
)

// band is a system of equations in echelon form, as asm.InsertRibbon describes
// it.
type band struct {
	starts       uint64
	tiled        bool     // how its layer will be stored
	coefficients []uint64 // of its rows, and of some behind them that stay empty
	fingerprints []uint32
	thresholds   []byte   // nil if nothing may be bumped
	walls        []uint64 // the buckets in which they are
}

// newBand makes an empty band with that many starts, a multiple of 64.
func newBand(starts uint64, tiled bool) *band {
	rows := int(starts + asm.RibbonWindow)
	return &band{starts: starts, tiled: tiled, coefficients: filters.Array[uint64](rows), fingerprints: filters.Array[uint32](rows)}
}

// blocks returns the number of 64-row blocks.
func (b *band) blocks() uint64 { return b.starts/64 + 1 }

// insert adds the equation of a hash. It fails, and changes nothing, if the
// equation contradicts those there.
func (b *band) insert(h uint64) bool {
	row, c := asm.RibbonRow(h, b.starts)
	if b.tiled {
		c &= asm.TileMask(row)
	}
	f := asm.RibbonFingerprint(h)
	for {
		have := b.coefficients[row]
		if have == 0 {
			b.coefficients[row], b.fingerprints[row] = c, f
			return true
		}
		c ^= have
		f ^= b.fingerprints[row]
		if c == 0 {
			return f == 0 // it follows from others
		}
		skip := bits.TrailingZeros64(c)
		c >>= skip
		row += uint64(skip)
	}
}

// layers bands distinct hashes in ascending order: all in one layer if they are
// few, else bumping what does not fit from each layer to the next. It overwrites
// hashes. lastRound is the round of asm.RibbonRehash that the last layer uses;
// every other layer's round is its index. attempts bounds those of the last.
func layers(hashes []uint64, attempts int, tiled bool) (bands []*band, lastRound uint64, err error) {
	if len(hashes) == 0 {
		return nil, 0, nil
	}
	for len(hashes) > lastLayerKeys && len(bands) < maxLayers-1 {
		if round := uint64(len(bands)); round > 0 {
			for i, h := range hashes {
				hashes[i] = asm.RibbonRehash(h, round)
			}
			hashes = filters.SortDistinct([][]uint64{hashes})
		}
		b, bumped := bumping(hashes, stripeBuckets, tiled)
		bands = append(bands, b)
		hashes = slices.Concat(bumped...)
	}
	b, lastRound, err := last(hashes, uint64(len(bands)), attempts, tiled)
	if err != nil {
		return nil, 0, err
	}
	return append(bands, b), lastRound, nil
}

// bumpingStarts and lastStarts return the starts for n keys, a multiple of 64.
func bumpingStarts(n uint64) uint64 { return roundUp64(float64(n) / (1 + overload)) }

func lastStarts(n uint64, attempt int) uint64 {
	return roundUp64(float64(n) * (spareRows + 0.03*float64(attempt)))
}

func roundUp64(starts float64) uint64 { return 64 * max(1, uint64(math.Ceil(starts/64))) }

// last bands hashes in a layer with rows to spare, so that all fit. Under a
// hash that does not suit them it tries the next one.
func last(hashes []uint64, layer uint64, attempts int, tiled bool) (b *band, round uint64, err error) {
	for attempt := range attempts {
		round = layer + uint64(attempt)*maxLayers
		b = newBand(lastStarts(uint64(len(hashes)), attempt), tiled)
		if insertAll(b, hashes, round) {
			return b, round, nil
		}
	}
	return nil, 0, fmt.Errorf("%w: %d hashes do not fit in %d attempts; they are not distinct or not well mixed", filters.ErrBuild, len(hashes), attempts)
}

func insertAll(b *band, hashes []uint64, round uint64) bool {
	for _, h := range hashes {
		if !b.insert(asm.RibbonRehash(h, round)) {
			return false
		}
	}
	return true
}
