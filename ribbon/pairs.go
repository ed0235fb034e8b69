package ribbon

import (
	"fmt"
	"iter"

	"github.com/tamis-filter/tamis/filters"
)

const (
	// fewPairs are sorted as they come. More are gathered in pairGroups groups, by the
	// first bits of their hashes, so that each is sorted within the cache.
	fewPairs   = 1 << 12
	pairGroups = 256
	// pairsLen is the most pairs of one list of a group.
	pairsLen = 1 << 12
)

// pairGroup is a group's lists, of which the last has room.
type pairGroup []keys

func (g *pairGroup) add(h uint64, v uint32) {
	last := len(*g) - 1
	if last < 0 || len((*g)[last].hashes) == cap((*g)[last].hashes) {
		room := 16
		if last >= 0 {
			room = min(2*cap((*g)[last].hashes), pairsLen)
		}
		*g = append(*g, keys{make([]uint64, 0, room), make([]uint32, 0, room)})
		last++
	}
	list := &(*g)[last]
	list.hashes, list.values = append(list.hashes, h), append(list.values, v)
}

// gatherPairs collects pairs in groups, and tells what memory it takes to sort them.
func gatherPairs(pairs iter.Seq2[filters.Hash, uint32], bits int, c filters.Config) (groups []pairGroup, memory uint64, err error) {
	groups = make([]pairGroup, 1)
	n := uint64(0)
	for h, v := range pairs {
		if v>>(bits-1)>>1 != 0 {
			return nil, 0, badValue(uint64(h), v, fmt.Sprintf("must be less than 2^%d", bits))
		}
		if n%fewPairs == 0 {
			if err := c.CheckBuild(pairBytes(n)); err != nil {
				return nil, 0, err
			}
		}
		if n == fewPairs {
			few := groups[0]
			groups = make([]pairGroup, pairGroups)
			for _, list := range few {
				for i, h := range list.hashes {
					groups[h>>56].add(h, list.values[i])
				}
			}
		}
		if len(groups) == 1 {
			groups[0].add(uint64(h), v)
		} else {
			groups[h>>56].add(uint64(h), v)
		}
		n++
	}
	memory = pairBytes(n)
	return groups, memory, c.CheckBuild(memory)
}

// pairBytes is the memory that n pairs take, unsorted and sorted. Of the lists, the last
// of each group is not full.
func pairBytes(n uint64) uint64 {
	bytes := 12*(3*n+16) + 512 + filters.SortBytes(n) + 5*n
	if n >= fewPairs {
		bytes = 12*(n+2*fewPairs+min(2*n+16*pairGroups, pairsLen*pairGroups)) + 512*pairGroups + n/pairsLen*96 + filters.SortBytes(n) + 5*n
	}
	return bytes
}
