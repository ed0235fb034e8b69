package ribbon

import (
	"fmt"
	"math"
	"math/bits"

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

// band is a system of equations in echelon form: row i is empty, or starts with
// coefficient 1 in row i and has what its key's fingerprint became.
type band struct {
	starts       uint64
	coefficients []uint64
	fingerprints []uint32
	thresholds   []byte // nil if nothing may be bumped
}

// newBand makes an empty band with that many starts, a multiple of 64.
func newBand(starts uint64) *band {
	rows := starts + 64
	return &band{starts: starts, coefficients: make([]uint64, rows), fingerprints: make([]uint32, rows)}
}

// blocks returns the number of 64-row blocks.
func (b *band) blocks() uint64 { return b.starts/64 + 1 }

// dependent is what insert returns for an equation that follows from others.
const dependent = -1

// insert adds the equation of a hash and returns the row that it took. It
// fails, and changes nothing, if the equation contradicts those there.
func (b *band) insert(h uint64) (row int, ok bool) {
	start, c := asm.RibbonRow(h, b.starts)
	f := asm.RibbonFingerprint(h)
	row = int(start)
	for {
		have := b.coefficients[row]
		if have == 0 {
			b.coefficients[row], b.fingerprints[row] = c, f
			return row, true
		}
		c ^= have
		f ^= b.fingerprints[row]
		if c == 0 {
			return dependent, f == 0
		}
		skip := bits.TrailingZeros64(c)
		c >>= skip
		row += skip
	}
}

// layers bands distinct hashes: all in one layer if they are few, else bumping
// what does not fit from each layer to the next. It overwrites and reorders
// hashes. lastRound is the round of asm.RibbonRehash that the last layer uses;
// every other layer's round is its index. attempts bounds those of the last.
func layers(hashes []uint64, attempts int) (bands []*band, lastRound uint64, err error) {
	if len(hashes) == 0 {
		return nil, 0, nil
	}
	for len(hashes) > lastLayerKeys && len(bands) < maxLayers-1 {
		if round := uint64(len(bands)); round > 0 {
			for i, h := range hashes {
				hashes[i] = asm.RibbonRehash(h, round)
			}
			filters.Sort(hashes)
		}
		var b *band
		b, hashes = bumping(hashes)
		bands = append(bands, b)
	}
	b, lastRound, err := last(hashes, uint64(len(bands)), attempts)
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

// bumping bands sorted hashes in a layer with more keys than starts. It returns
// the hashes that were bumped, in the front of the same memory.
//
// It fills the buckets from left to right and each from its right end, so that
// the keys that come last, and find the rows taken, are those at its left end.
// At the first that does not fit, the threshold goes up past it, and the keys
// below the threshold that did fit are taken out again: they were the last to
// come, so nothing depends on them.
func bumping(hashes []uint64) (*band, []uint64) {
	b := newBand(bumpingStarts(uint64(len(hashes))))
	buckets := (b.starts + asm.RibbonBucket - 1) / asm.RibbonBucket
	b.thresholds = make([]byte, thresholdBytes(b.blocks()))
	bumped := hashes[:0]
	var rows []int // of the keys of the bucket, in the order in which they came
	offset := func(i int, bucket uint64) uint64 {
		start, _ := asm.RibbonRow(hashes[i], b.starts)
		return start - bucket*asm.RibbonBucket
	}
	begin := 0 // of the bucket's hashes
	for bucket := range buckets {
		end := begin
		for end < len(hashes) && offset(end, bucket) < asm.RibbonBucket {
			end++
		}
		rows = rows[:0]
		for i := end - 1; i >= begin; i-- {
			row, ok := b.insert(hashes[i])
			if ok {
				rows = append(rows, row)
				continue
			}
			code := 1
			for asm.RibbonThreshold[code] <= offset(i, bucket) {
				code++
			}
			keep := i + 1 // the first hash that is not bumped
			for keep < end && offset(keep, bucket) < asm.RibbonThreshold[code] {
				if row := rows[end-1-keep]; row != dependent {
					b.coefficients[row] = 0
					b.fingerprints[row] = 0
				}
				keep++
			}
			b.thresholds[bucket/4] |= byte(code) << (bucket % 4 * 2)
			bumped = append(bumped, hashes[begin:keep]...)
			break
		}
		begin = end
	}
	return b, bumped
}

// last bands hashes in a layer with rows to spare, so that all fit. Under a
// hash that does not suit them it tries the next one.
func last(hashes []uint64, layer uint64, attempts int) (b *band, round uint64, err error) {
	for attempt := range attempts {
		round = layer + uint64(attempt)*maxLayers
		b = newBand(lastStarts(uint64(len(hashes)), attempt))
		if insertAll(b, hashes, round) {
			return b, round, nil
		}
	}
	return nil, 0, fmt.Errorf("%w: %d hashes do not fit in %d attempts; they are not distinct or not well mixed", filters.ErrBuild, len(hashes), attempts)
}

func insertAll(b *band, hashes []uint64, round uint64) bool {
	for _, h := range hashes {
		if _, ok := b.insert(asm.RibbonRehash(h, round)); !ok {
			return false
		}
	}
	return true
}
