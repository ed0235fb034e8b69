package filtertest

import (
	"iter"
	"slices"

	"github.com/tamis-filter/tamis/filters"
)

// Hashes returns n hashes, from index from on, of an endless sequence that the
// stream names. Within a stream all differ, and those of different streams are
// unrelated. (SplitMix64 of Steele, Lea and Flood, 2014.)
func Hashes(stream, from uint64, n int) []filters.Hash {
	hashes := make([]filters.Hash, n)
	start := mix(stream)
	for i := range hashes {
		hashes[i] = filters.Hash(mix(start + (from+uint64(i)+1)*0x9e3779b97f4a7c15))
	}
	return hashes
}

func mix(z uint64) uint64 {
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

// seq gives hashes as Build takes them, in batches of uneven length.
func seq(hashes []filters.Hash) iter.Seq[[]filters.Hash] {
	return slices.Chunk(hashes, 1009)
}
