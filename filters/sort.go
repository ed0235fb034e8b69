package filters

import (
	"math/bits"
	"runtime"
	"slices"
)

const (
	// partLen is about the hashes of a part, which is sorted within the
	// second-level cache.
	partLen = 1 << 14
	// maxPartBits bounds the parts, so that the ends of all stay in the cache
	// while hashes are dealt out to them.
	maxPartBits = 11
	// sliceLen is about how many hashes one task deals out.
	sliceLen = 1 << 17
	// digitBits is what one pass sorts by.
	digitBits = 8
	// fewHashes is where sorting by digits no longer pays.
	fewHashes = 64
)

// SortDistinct returns the hashes of all lists in ascending order and without
// repeats, in memory of its own. O(n), on up to GOMAXPROCS goroutines.
//
// Hashes are uniform: their top bits divide them into parts of even sizes, two
// digits more into runs of hardly more than one. Where they are not, a part is
// sorted by comparisons.
func SortDistinct[H ~uint64](lists [][]H) []H {
	n := 0
	for _, list := range lists {
		n += len(list)
	}
	partBits := min(bits.Len(uint(n/partLen)), maxPartBits)
	sorted := Array[H](n)
	ends := deal(lists, sorted, partBits)
	lengths := make([]int, len(ends)) // of the parts, without repeats
	Parallel(len(ends), func(part int, spare *[]H) {
		begin := 0
		if part > 0 {
			begin = ends[part-1]
		}
		lengths[part] = len(sortPart(sorted[begin:ends[part]], partBits, spare))
	})
	at := 0
	for part, length := range lengths {
		begin := 0
		if part > 0 {
			begin = ends[part-1]
		}
		if begin != at {
			copy(sorted[at:], sorted[begin:begin+length])
		}
		at += length
	}
	return sorted[:at]
}

// SortBytes is the most that SortDistinct takes for n hashes.
func SortBytes(n uint64) uint64 {
	partBits := min(bits.Len64(n/partLen), maxPartBits)
	counts := 8 * (min(n/sliceLen+1, 64) + 1) << partBits
	// A goroutine's spare room grows with the longest part that it has met.
	spare := 8 * 3 * (n >> partBits) * uint64(min(runtime.GOMAXPROCS(0), 1<<partBits))
	return 8*n + counts + spare + 4096
}

// deal copies the hashes of all lists into parts by their top bits, and returns
// where each part ends.
func deal[H ~uint64](lists [][]H, sorted []H, partBits int) (ends []int) {
	if partBits == 0 {
		sorted = sorted[:0]
		for _, list := range lists {
			sorted = append(sorted, list...)
		}
		return []int{len(sorted)}
	}
	// Every task has lists of its own, and room of its own in every part.
	tasks := min(len(sorted)/sliceLen+1, 64)
	shares := share(lists, (len(sorted)+tasks-1)/tasks)
	next := make([][]int, len(shares))
	shift := 64 - partBits
	Parallel(len(shares), func(task int, _ *struct{}) {
		counts := make([]int, 1<<partBits)
		for _, list := range shares[task] {
			for _, h := range list {
				counts[h>>(shift&63)]++
			}
		}
		next[task] = counts
	})
	ends = make([]int, 1<<partBits)
	at := 0
	for part := range ends {
		for _, counts := range next {
			counts[part], at = at, at+counts[part]
		}
		ends[part] = at
	}
	Parallel(len(shares), func(task int, _ *struct{}) {
		next := next[task]
		for _, list := range shares[task] {
			for _, h := range list {
				part := h >> (shift & 63)
				sorted[next[part]] = h
				next[part]++
			}
		}
	})
	return ends
}

// share divides lists into groups of about size hashes.
func share[H ~uint64](lists [][]H, size int) (shares [][][]H) {
	var group [][]H
	room := size
	for _, list := range lists {
		for len(list) >= room {
			shares = append(shares, append(group, list[:room]))
			list, group, room = list[room:], nil, size
		}
		if len(list) > 0 {
			group = append(group, list)
			room -= len(list)
		}
	}
	if group != nil {
		shares = append(shares, group)
	}
	return shares
}

// sortPart sorts hashes that agree in their top bits, and returns them without
// repeats.
func sortPart[H ~uint64](part []H, topBits int, room *[]H) []H {
	if len(part) < fewHashes || len(part) > 1<<24 {
		slices.Sort(part)
		return slices.Compact(part)
	}
	*room = slices.Grow((*room)[:0], len(part))
	spare := (*room)[:len(part)]
	high := 64 - topBits - digitBits
	low := high - digitBits
	var lows, highs [1 << digitBits]uint32
	for _, h := range part {
		lows[uint8(h>>(low&63))]++
		highs[uint8(h>>(high&63))]++
	}
	toPlaces(&lows)
	toPlaces(&highs)
	place(spare, part, &lows, low)
	place(part, spare, &highs, high)
	return settle(part)
}

// toPlaces turns counts into the places at which their runs begin.
func toPlaces(counts *[1 << digitBits]uint32) {
	at := uint32(0)
	for digit, n := range counts {
		counts[digit] = at
		at += n
	}
}

// place copies hashes to their places by one digit, and keeps their order where
// it is the same.
func place[H ~uint64](to, from []H, places *[1 << digitBits]uint32, shift int) {
	for _, h := range from {
		digit := uint8(h >> (shift & 63))
		to[places[digit]] = h
		places[digit]++
	}
}

// settle sorts what is almost in order, and returns it without repeats.
func settle[H ~uint64](part []H) []H {
	budget := 4 * len(part) // of steps; what needs more is far from in order
	repeats := false
	for i := 1; i < len(part); i++ {
		h := part[i]
		if h > part[i-1] {
			continue
		}
		j := i
		for ; j > 0 && part[j-1] > h; j-- {
			part[j] = part[j-1]
			budget--
		}
		part[j] = h
		repeats = repeats || j > 0 && part[j-1] == h
		if budget < 0 {
			slices.Sort(part)
			return slices.Compact(part)
		}
	}
	if repeats {
		return slices.Compact(part)
	}
	return part
}
