package adapter

import (
	"github.com/tamis-filter/tamis/blocked"
	"github.com/tamis-filter/tamis/blocked/split"
	"github.com/tamis-filter/tamis/filters"
	"github.com/tamis-filter/tamis/filters/cuckoo"
	"github.com/tamis-filter/tamis/filters/exact"
	"github.com/tamis-filter/tamis/filters/standard"
	"github.com/tamis-filter/tamis/ribbon"
)

// single calls MayContainHash for each hash and counts the answers that are
// true. A program that imports one family calls its method directly, and so
// does this. A family not listed is called through the interface: direct is
// false then, which a test refuses.
func single(f filters.Filter, hashes []filters.Hash) (hits int, direct bool) {
	switch f := f.(type) {
	case *standard.Filter:
		for _, h := range hashes {
			hits += bit(f.MayContainHash(h))
		}
	case *blocked.Filter:
		for _, h := range hashes {
			hits += bit(f.MayContainHash(h))
		}
	case *split.Filter:
		for _, h := range hashes {
			hits += bit(f.MayContainHash(h))
		}
	case *cuckoo.Filter:
		for _, h := range hashes {
			hits += bit(f.MayContainHash(h))
		}
	case *exact.Filter:
		for _, h := range hashes {
			hits += bit(f.MayContainHash(h))
		}
	case *ribbon.Filter:
		for _, h := range hashes {
			hits += bit(f.MayContainHash(h))
		}
	default:
		for _, h := range hashes {
			hits += bit(f.MayContainHash(h))
		}
		return hits, false
	}
	return hits, true
}
