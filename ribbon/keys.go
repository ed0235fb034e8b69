package ribbon

import (
	"math/bits"
	"slices"

	"github.com/tamis-filter/tamis/filters"
)

// keys are what a band is made of: hashes, and the value of each, or nil where all
// values are 0.
type keys struct {
	hashes []uint64
	values []uint32
}

// value returns that of the hash at i.
func (k keys) value(i int) uint32 {
	if k.values == nil {
		return 0
	}
	return k.values[i]
}

// slice returns the keys from begin to end-1, which share k's memory and cannot
// grow out of theirs.
func (k keys) slice(begin, end int) keys {
	part := keys{hashes: k.hashes[begin:end:end]}
	if k.values != nil {
		part.values = k.values[begin:end:end]
	}
	return part
}

// sorted returns the keys of all lists in ascending order of their hashes, each once.
// Of keys with one hash and several values it keeps one of these.
func sorted(lists ...keys) (all keys) {
	hashes := make([][]uint64, len(lists))
	for i, k := range lists {
		hashes[i] = k.hashes
	}
	all.hashes = filters.SortDistinct(hashes)
	for _, k := range lists {
		if k.values == nil {
			continue
		}
		if all.values == nil {
			all.values = make([]uint32, len(all.hashes))
		}
		for i, h := range k.hashes {
			all.values[all.find(h)] = k.values[i]
		}
	}
	return all
}

// find returns the index of a hash that is there, in hashes that ascend and are as
// a rule uniform: it is near where it would be if they were evenly spread.
func (k keys) find(h uint64) int {
	n := len(k.hashes)
	guess, _ := bits.Mul64(h, uint64(n))
	low, high := int(guess), int(guess)+1
	for step := 1; low > 0 && k.hashes[low] > h; step *= 2 {
		low, high = max(0, low-step), low
	}
	for step := 1; high < n && k.hashes[high] <= h; step *= 2 {
		low, high = high, min(n, high+step)
	}
	i, _ := slices.BinarySearch(k.hashes[low:high], h)
	return low + i
}
