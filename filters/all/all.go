// Package all is the one table of tamis's families: what a program uses that
// picks the family at run time or opens a file of any of them. A program that
// knows its family imports that family's package instead.
package all

import (
	"fmt"
	"iter"
	"slices"
	"strings"

	"github.com/tamis-filter/tamis/blocked"
	"github.com/tamis-filter/tamis/blocked/split"
	"github.com/tamis-filter/tamis/filters"
	"github.com/tamis-filter/tamis/filters/cuckoo"
	"github.com/tamis-filter/tamis/filters/exact"
	"github.com/tamis-filter/tamis/filters/standard"
	"github.com/tamis-filter/tamis/ribbon"
)

var families = []filters.Family{
	standard.Family(),
	blocked.Family(),
	split.Family(),
	cuckoo.Family(),
	ribbon.Family(),
	exact.Family(),
}

// Families returns the table, in the order of the kinds.
func Families() []filters.Family { return slices.Clone(families) }

// Names returns the names of all families.
func Names() []string {
	names := make([]string, len(families))
	for i, f := range families {
		names[i] = f.Name()
	}
	return names
}

// Find returns the family of a name. The error lists the names there are.
func Find(name string) (filters.Family, error) {
	for _, f := range families {
		if f.Name() == name {
			return f, nil
		}
	}
	return filters.Family{}, &filters.FieldError{Err: filters.ErrConfig, Field: "family", Value: fmt.Sprintf("%q", name), Bound: "must be one of " + strings.Join(Names(), ", ")}
}

// New makes an empty filter that grows, of the family of that name. It refuses
// a static family.
func New(name string, c filters.Config) (filters.Adder, error) {
	f, err := Find(name)
	if err != nil {
		return nil, err
	}
	if f.New == nil {
		return nil, &filters.FieldError{Err: filters.ErrConfig, Field: "family", Value: fmt.Sprintf("%q", name), Bound: "is static: use Build"}
	}
	return f.New(c)
}

// Build makes a filter of all hashes, of the family of that name. A c.Keys of
// 0 has the hashes counted.
func Build(name string, hashes iter.Seq[[]filters.Hash], c filters.Config) (filters.Filter, error) {
	f, err := Find(name)
	if err != nil {
		return nil, err
	}
	return f.Build(hashes, c)
}

// Open makes a read-only view of a filter file of any family, without a copy:
// data must not change while the filter is in use. It may lie at any alignment;
// a payload on a cache line, as in a mapping of the file, is fastest. It reads all
// of data once, for the checksum.
func Open(data []byte) (filters.Filter, error) {
	f, err := familyOf(data)
	if err != nil {
		return nil, err
	}
	return f.Open(data)
}

// OpenUnverified is Open but for the payload's checksum: for bytes that are
// verified elsewhere, as the blocks of a database are. It does not read the
// payload: O(1). Damage there gives wrong answers, false negatives too, and no
// other harm.
func OpenUnverified(data []byte) (filters.Filter, error) {
	f, err := familyOf(data)
	if err != nil {
		return nil, err
	}
	return f.OpenUnverified(data)
}

// familyOf returns the family of a filter file.
func familyOf(data []byte) (filters.Family, error) {
	kind, _, err := filters.ReadHeader(data)
	if err != nil {
		return filters.Family{}, err
	}
	for _, f := range families {
		if f.Kind == kind {
			return f, nil
		}
	}
	return filters.Family{}, filters.Malformed("family", kind, "is no filter; ribbon.OpenRetrieval opens it")
}
