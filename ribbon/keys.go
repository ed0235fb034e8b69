package ribbon

import (
	"cmp"
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

// conflict is a hash that has two values.
type conflict struct {
	hash   uint64
	values [2]uint32
}

// sorted returns the keys of all lists in ascending order of their hashes, each once.
// Groups share no hash. Of a hash with several values it keeps
// one, and tells of it.
func sorted(groups ...pairGroup) (all keys, two *conflict) {
	var hashes [][]uint64
	values := false
	for _, lists := range groups {
		for _, k := range lists {
			hashes = append(hashes, k.hashes)
			values = values || k.values != nil
		}
	}
	all.hashes = filters.SortDistinct(hashes)
	if !values {
		return all, nil
	}
	all.values = make([]uint32, len(all.hashes))
	placed := make([]bool, len(all.hashes))
	conflicts := make([]*conflict, len(groups))
	filters.Parallel(len(groups), func(group int, _ *struct{}) {
		for _, k := range groups[group] {
			for i, h := range k.hashes {
				at, v := all.find(h), k.values[i]
				if placed[at] && v != all.values[at] {
					conflicts[group] = &conflict{h, [2]uint32{all.values[at], v}}
				}
				placed[at], all.values[at] = true, v
			}
		}
	})
	for _, c := range conflicts {
		two = cmp.Or(two, c)
	}
	return all, two
}

// find returns the index of a hash that is there, in hashes that ascend and are as
// a rule uniform: each step goes as far as it would be if they were evenly spread.
func (k keys) find(h uint64) int {
	n := uint64(len(k.hashes))
	at, _ := bits.Mul64(h, n)
	for range 8 {
		switch have := k.hashes[at]; {
		case have < h:
			step, _ := bits.Mul64(h-have, n)
			at = min(n-1, at+max(step, 1))
		case have > h:
			step, _ := bits.Mul64(have-h, n)
			at -= min(at, max(step, 1))
		default:
			return int(at)
		}
	}
	i, _ := slices.BinarySearch(k.hashes, h)
	return i
}
