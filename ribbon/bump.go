package ribbon

import (
	"math/bits"
	"slices"

	"github.com/tamis-filter/tamis/asm"
	"github.com/tamis-filter/tamis/filters"
)

const (
	// stripeBuckets is the most buckets of a stripe. A wall costs its rows, so
	// stripes are long, but there must be some to share.
	stripeBuckets = 2048
	// fewBuckets is the least buckets of a stripe that is worth a processor.
	fewBuckets = 300
	// byteBuckets is the buckets whose thresholds share a byte, which one
	// stripe alone must write.
	byteBuckets = 4
	// Between two stripes there is a wall: the rows of a bucket from wallFirst
	// to wallLast stay empty, hence 0, so that no equation to the left depends
	// on a row to the right. What starts on the left side of the wall, but in
	// the bucket of it, is bumped; wallCode is its threshold.
	wallFirst, wallLast = 38, 63
	wallCode            = 2
	// used is how many rows, from the first of a bucket on, its keys can take,
	// rounded up.
	used = asm.RibbonBucket + 64
)

// bucketMasks has, for a key that starts i behind the first row of a bucket, the
// coefficients that count: those not of the rows of a wall, nor behind the tiles.
type bucketMasks struct{ noWall, wall, wallAhead [asm.RibbonBucket]uint64 }

func makeBucketMasks(tiled bool) *bucketMasks {
	m := new(bucketMasks)
	for i := range asm.RibbonBucket {
		m.noWall[i] = ^uint64(0)
		if tiled {
			m.noWall[i] = asm.TileMask(uint64(i))
		}
		m.wall[i], m.wallAhead[i] = m.noWall[i], m.noWall[i]
		for row := i; row < i+64; row++ {
			if row >= wallFirst && row <= wallLast {
				m.wall[i] &^= 1 << (row - i)
			}
			if next := row - asm.RibbonBucket; next >= wallFirst && next <= wallLast {
				m.wallAhead[i] &^= 1 << (row - i)
			}
		}
	}
	return m
}

var columnMasks, tileMasks = makeBucketMasks(false), makeBucketMasks(true)

// masks returns those of the band's layout.
func (b *band) masks() *bucketMasks {
	if b.tiled {
		return tileMasks
	}
	return columnMasks
}

// bumping bands sorted keys in a layer with fewer starts than keys, in stripes of
// at most so many buckets. It returns the keys that were bumped; what it was given
// is overwritten.
//
// The stripes depend on the number of keys alone, so the band does not on how many
// processors share them.
func bumping(all keys, stripeBuckets uint64, tiled bool, progress *filters.Progress) (*band, keys) {
	b, stripes := divide(all, stripeBuckets, tiled)
	filters.Parallel(len(stripes), func(i int, _ *struct{}) {
		stripes[i].fill()
		progress.Add(uint64(len(stripes[i].hashes)))
	})
	return b, bumpedOf(stripes)
}

// bumpedOf returns the keys that were bumped out of stripes.
func bumpedOf(stripes []stripe) keys {
	var hashes [][]uint64
	var values [][]uint32
	for _, s := range stripes {
		hashes, values = append(hashes, s.bumped.hashes), append(values, s.bumped.values)
	}
	return keys{slices.Concat(hashes...), slices.Concat(values...)}
}

// divide makes an empty band for sorted keys, and the stripes that fill it, of at
// least byteBuckets if stripeBuckets is twice as many.
func divide(all keys, stripeBuckets uint64, tiled bool) (*band, []stripe) {
	b := newBand(bumpingStarts(uint64(len(all.hashes))), tiled)
	b.thresholds = make([]byte, thresholdBytes(b.blocks()))
	buckets := (b.starts + asm.RibbonBucket - 1) / asm.RibbonBucket
	count := max((buckets+stripeBuckets-1)/stripeBuckets, min(2, buckets/fewBuckets))
	stripes := make([]stripe, count)
	first, begin := uint64(0), 0
	for i := range stripes {
		next := buckets
		if i+1 < len(stripes) {
			next = buckets * uint64(i+1) / count / byteBuckets * byteBuckets
			b.walls = append(b.walls, next)
		}
		end := b.find(all.hashes, next)
		stripes[i] = stripe{band: b, first: first, end: next, last: next == buckets, keys: all.slice(begin, end)}
		first, begin = next, end
	}
	return b, stripes
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
	last       bool // no wall follows
	keys            // that start in it
	bumped     keys // in the front of their memory, when it is full
}

// fill bands the keys of the stripe, bucket by bucket, and collects those that are
// bumped.
//
// Of a bucket whose keys do not all fit, those are bumped that start below the
// lowest threshold that leaves only keys that do. Whether they fit, and hence
// the threshold, does not depend on the order in which they come.
func (s *stripe) fill() {
	rest := s.keys
	s.bumped = keys{rest.hashes[:0], rest.values[:0]}
	for bucket := s.first; bucket < s.end; bucket++ {
		n := s.count(rest.hashes, bucket)
		code, keep := s.insert(rest.slice(0, n), bucket)
		s.thresholds[bucket/byteBuckets] |= byte(code) << (bucket % byteBuckets * 2)
		s.bumped.hashes = append(s.bumped.hashes, rest.hashes[:keep]...)
		if rest.values != nil {
			s.bumped.values = append(s.bumped.values, rest.values[:keep]...)
		}
		rest = rest.slice(n, len(rest.hashes))
	}
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

// insert adds the keys of a bucket, but for the first of them that are bumped: it
// returns how many, and the code of their threshold.
func (s *stripe) insert(in keys, bucket uint64) (code, keep int) {
	hashes := in.hashes
	first := bucket * asm.RibbonBucket
	coefficients := s.coefficients[first:][:asm.RibbonWindow]
	fingerprints := s.fingerprints[first:][:asm.RibbonWindow]
	bucketMasks := s.masks()
	masks, room := &bucketMasks.noWall, asm.RibbonBucket+63
	switch {
	case bucket == s.first && bucket > 0:
		code, masks = wallCode, &bucketMasks.wall
		// The stripe on the other side of the wall may be at work on the rows
		// in front of it, so this one works elsewhere.
		var own [asm.RibbonWindow]uint64
		var ownFingerprints [asm.RibbonWindow]uint32
		behind, behindFingerprints := coefficients[wallLast+1:used], fingerprints[wallLast+1:used]
		coefficients, fingerprints = own[:], ownFingerprints[:]
		defer func() {
			copy(behind, own[wallLast+1:])
			copy(behindFingerprints, ownFingerprints[wallLast+1:])
		}()
	case bucket == s.end-1 && !s.last:
		room, masks = asm.RibbonBucket+wallFirst, &bucketMasks.wallAhead
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
		if asm.InsertRibbon(coefficients, fingerprints, hashes[keep:], in.slice(keep, len(hashes)).values, s.starts, first, masks) {
			return code, keep
		}
		clear(coefficients[:used])
		clear(fingerprints[:used])
		copy(coefficients, before[:])
		copy(fingerprints, beforeFingerprints[:])
	}
}
