package ribbon

import (
	"math/bits"
	"slices"

	"github.com/tamis-filter/tamis/asm"
	"github.com/tamis-filter/tamis/filters"
)

const (
	// stripeBuckets is about the buckets of a stripe.
	stripeBuckets = 1024
	// byteBuckets is the buckets whose thresholds share a byte, which one
	// stripe alone must write.
	byteBuckets = 4
	// Between two stripes there is a wall: the rows of a bucket from wallFirst
	// to wallLast stay empty, hence 0, so that no equation to the left depends
	// on a row to the right. What starts on the left side of the wall, but in
	// the bucket of it, is bumped; wallCode is its threshold.
	wallFirst, wallLast = 40, 63
	wallCode            = 2
)

// coefficientMasks has the coefficients that count of a key that starts i
// behind the first row of a bucket: those not of the rows of a wall.
func coefficientMasks(wall bool, distance int) *[asm.RibbonBucket]uint64 {
	var masks [asm.RibbonBucket]uint64
	for i := range masks {
		for j := range 64 {
			if at := i + j - distance; !wall || at < wallFirst || at > wallLast {
				masks[i] |= 1 << j
			}
		}
	}
	return &masks
}

var (
	masksNoWall    = coefficientMasks(false, 0)
	masksWall      = coefficientMasks(true, 0)                // in this bucket
	masksWallAhead = coefficientMasks(true, asm.RibbonBucket) // in the next one
)

// bumping bands sorted hashes in a layer with more keys than starts. It returns
// the hashes that were bumped, in the front of each stripe's memory.
//
// The stripes depend on the number of hashes alone, so the band does not on
// how many processors share them.
func bumping(hashes []uint64) (*band, [][]uint64) {
	b := newBand(bumpingStarts(uint64(len(hashes))))
	b.thresholds = make([]byte, thresholdBytes(b.blocks()))
	buckets := (b.starts + asm.RibbonBucket - 1) / asm.RibbonBucket
	count := max(1, (buckets+stripeBuckets/2)/stripeBuckets)
	for i := range count {
		b.stripes = append(b.stripes, buckets*i/count/byteBuckets*byteBuckets)
	}
	b.stripes = append(b.stripes, buckets)
	lists := make([][]uint64, count) // of each stripe, at first all that start there
	for i := range lists {
		begin, end := b.find(hashes, b.stripes[i]), b.find(hashes, b.stripes[i+1])
		lists[i] = hashes[begin:end:end]
	}
	filters.Parallel(len(lists), func(i int, _ *struct{}) {
		s := stripe{band: b, first: b.stripes[i], end: b.stripes[i+1]}
		lists[i] = s.fill(lists[i])
	})
	return b, lists
}

// find returns the index of the first hash that starts in a bucket or behind it.
func (b *band) find(hashes []uint64, bucket uint64) int {
	least, ok := b.least(bucket * asm.RibbonBucket)
	if !ok {
		return len(hashes)
	}
	i, _ := slices.BinarySearch(hashes, least)
	return i
}

// least returns the least hash that starts at a row or behind it, if there is one.
func (b *band) least(start uint64) (h uint64, ok bool) {
	if start >= b.starts {
		return 0, false
	}
	h, rest := bits.Div64(start, 0, b.starts)
	if rest > 0 {
		h++
	}
	return h, true
}

// stripe is a run of buckets of a band, from first to end-1, that does not
// depend on the others.
type stripe struct {
	*band
	first, end uint64
}

// fill bands the sorted hashes that start in the stripe, bucket by bucket, and
// returns those that are bumped, in the front of the same memory.
//
// Of a bucket whose keys do not all fit, those are bumped that start below the
// lowest threshold that leaves only keys that do. Whether they fit, and hence
// the threshold, does not depend on the order in which they come.
func (s *stripe) fill(hashes []uint64) (bumped []uint64) {
	bumped = hashes[:0]
	begin := 0
	for bucket := s.first; bucket < s.end; bucket++ {
		end := begin + s.count(hashes[begin:], bucket)
		code, keep := s.insert(hashes[begin:end], bucket)
		s.thresholds[bucket/byteBuckets] |= byte(code) << (bucket % byteBuckets * 2)
		bumped = append(bumped, hashes[begin:begin+keep]...)
		begin = end
	}
	return bumped
}

// count returns how many hashes start before the end of a bucket.
func (s *stripe) count(hashes []uint64, bucket uint64) int {
	limit, ok := s.least((bucket + 1) * asm.RibbonBucket)
	if !ok {
		return len(hashes)
	}
	n := min(asm.RibbonBucket*17/16, len(hashes)) // about what is to be expected
	for n < len(hashes) && hashes[n] < limit {
		n++
	}
	for n > 0 && hashes[n-1] >= limit {
		n--
	}
	return n
}

// insert adds the hashes of a bucket, but for the first of them that are bumped:
// it returns how many, and the code of their threshold.
func (s *stripe) insert(hashes []uint64, bucket uint64) (code, keep int) {
	first := bucket * asm.RibbonBucket
	coefficients := s.coefficients[first:][:asm.RibbonWindow]
	fingerprints := s.fingerprints[first:][:asm.RibbonWindow]
	masks, room := masksNoWall, asm.RibbonBucket+63
	switch {
	case bucket == s.first && bucket > 0:
		code, masks = wallCode, masksWall
	case bucket == s.end-1 && s.end != s.stripes[len(s.stripes)-1]:
		room, masks = asm.RibbonBucket+wallFirst, masksWallAhead
	}
	// The rows that the bucket before has taken, in case that they must be
	// restored.
	before, beforeFingerprints := [64]uint64(coefficients), [64]uint32(fingerprints)
	for _, c := range before {
		if c != 0 {
			room--
		}
	}
	for ; ; code++ {
		for keep < len(hashes) {
			if start, _ := asm.RibbonRow(hashes[keep], s.starts); start-first >= asm.RibbonThreshold[code] {
				break
			}
			keep++
		}
		if len(hashes)-keep > room {
			continue
		}
		if asm.InsertRibbon(coefficients, fingerprints, hashes[keep:], s.starts, first, masks) {
			return code, keep
		}
		clear(coefficients)
		clear(fingerprints)
		copy(coefficients, before[:])
		copy(fingerprints, beforeFingerprints[:])
	}
}

// solve writes the solution of a band into l.Solution, whose geometry is set
// and whose bytes are 0.
func solve(b *band, l *asm.RibbonLayer) {
	ends := []uint64{0} // of the blocks up to each wall's
	for i, first := range b.stripes {
		if i > 0 && i < len(b.stripes)-1 {
			ends = append(ends, first*asm.RibbonBucket/64+1)
		}
	}
	ends = append(ends, b.blocks())
	filters.Parallel(len(ends)-1, func(i int, _ *struct{}) {
		asm.SolveRibbon(l, b.coefficients, b.fingerprints, ends[i], ends[i+1])
	})
}
