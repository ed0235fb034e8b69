package ribbon

import (
	"fmt"
	"math"
	"math/bits"

	"github.com/tamis-filter/tamis/asm"
	"github.com/tamis-filter/tamis/filters"
)

const (
	// maxLayers bounds the layers of a filter. Each holds about a sixteenth
	// of the keys of the one before.
	maxLayers = 4
	// lastLayerKeys is where one more layer would cost more than the spare
	// rows that the last one needs.
	lastLayerKeys = 2000
	// overload is how many keys a bumping layer takes beyond its starts.
	overload = 0.0675
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

// insert adds the equation of a hash that has a value. It fails, and changes
// nothing, if the equation contradicts those there.
func (b *band) insert(h uint64, value uint32) bool {
	row, c := asm.RibbonRow(h, b.starts)
	if b.tiled {
		c &= asm.TileMask(row)
	}
	f := asm.RibbonFingerprint(h) ^ value
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

// layers bands keys with distinct hashes in ascending order: all in one layer if
// they are few, else bumping what does not fit from each layer to the next. It
// overwrites them. lastRound is the round of asm.RibbonRehash that the last layer
// uses; every other layer's round is its index. attempts bounds those of the last.
func layers(left keys, attempts int, tiled bool, progress *filters.Progress) (bands []*band, lastRound uint64, err error) {
	if len(left.hashes) == 0 {
		return nil, 0, nil
	}
	for len(left.hashes) > lastLayerKeys && len(bands) < maxLayers-1 {
		if round := uint64(len(bands)); round > 0 {
			for i, h := range left.hashes {
				left.hashes[i] = asm.RibbonRehash(h, round)
			}
			left, _ = sorted(pairGroup{left})
		}
		var b *band
		b, left = bumping(left, stripeBuckets, tiled, progress)
		bands = append(bands, b)
	}
	b, lastRound, err := last(left, uint64(len(bands)), attempts, tiled)
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

// last bands keys in a layer with rows to spare, so that all fit. Under a hash that
// does not suit them it tries the next one.
func last(left keys, layer uint64, attempts int, tiled bool) (b *band, round uint64, err error) {
	for attempt := range attempts {
		round = layer + uint64(attempt)*maxLayers
		b = newBand(lastStarts(uint64(len(left.hashes)), attempt), tiled)
		if insertAll(b, left, round) {
			return b, round, nil
		}
	}
	return nil, 0, fmt.Errorf("%w: %d hashes do not fit in %d attempts; they are not distinct or not well mixed", filters.ErrBuild, len(left.hashes), attempts)
}

func insertAll(b *band, all keys, round uint64) bool {
	for i, h := range all.hashes {
		if !b.insert(asm.RibbonRehash(h, round), all.value(i)) {
			return false
		}
	}
	return true
}
