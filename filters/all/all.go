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
	"github.com/tamis-filter/tamis/filters/standard"
	"github.com/tamis-filter/tamis/ribbon"
)

// Family is one row of the table.
type Family struct {
	Kind    filters.Kind
	Summary string // one line, for people who choose
	// New makes an empty filter that grows; nil for a static family, which is
	// only built whole.
	New func(filters.Config) (filters.Adder, error)
	// Build makes a filter of all hashes.
	Build func(iter.Seq[[]filters.Hash], filters.Config) (filters.Filter, error)
	// Open makes a read-only view of a filter file, without a copy.
	Open func(data []byte) (filters.Filter, error)
	// Size computes what Build or New would come to.
	Size func(filters.Config) (filters.Size, error)
}

// Name is the family's name, as Build takes it and Info gives it.
func (f Family) Name() string { return f.Kind.String() }

var families = []Family{
	family(filters.Standard, "Bloom filter of one bit array; grows, unites, any rate", standard.New, standard.Build, standard.Open, standard.Size),
	family(filters.Blocked, "Bloom filter of one 64-byte line a key; the fastest; grows, unites", blocked.New, blocked.Build, blocked.Open, blocked.Size),
	family(filters.Split, "Bloom filter of one 32-byte block a key, as in Parquet files; grows, unites", split.New, split.Build, split.Open, split.Size),
	family(filters.Cuckoo, "table of fingerprints; grows, deletes, can be full", cuckoo.New, cuckoo.Build, cuckoo.Open, cuckoo.Size),
	family(filters.Ribbon, "the smallest; static: built whole from all keys", nil, ribbon.Build, ribbon.Open, ribbon.Size),
}

// Families returns the table, in the order of the kinds.
func Families() []Family { return slices.Clone(families) }

// Names returns the names of all families.
func Names() []string {
	names := make([]string, len(families))
	for i, f := range families {
		names[i] = f.Name()
	}
	return names
}

// Find returns the family of a name. The error lists the names there are.
func Find(name string) (Family, error) {
	for _, f := range families {
		if f.Name() == name {
			return f, nil
		}
	}
	return Family{}, &filters.FieldError{Err: filters.ErrConfig, Field: "family", Value: fmt.Sprintf("%q", name), Bound: "must be one of " + strings.Join(Names(), ", ")}
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
// data must not change while the filter is in use.
func Open(data []byte) (filters.Filter, error) {
	kind, err := filters.ReadKind(data)
	if err != nil {
		return nil, err
	}
	for _, f := range families {
		if f.Kind == kind {
			return f.Open(data)
		}
	}
	return nil, filters.Malformed("family", kind, "is not in this build")
}

// family makes a row from a family's own functions, whose results are of its
// own type. A nil pointer must not become a non-nil interface.
func family[F filters.Filter](
	kind filters.Kind, summary string,
	grow func(filters.Config) (F, error),
	build func(iter.Seq[[]filters.Hash], filters.Config) (F, error),
	open func([]byte) (F, error),
	size func(filters.Config) (filters.Size, error),
) Family {
	row := Family{
		Kind:    kind,
		Summary: summary,
		Build: func(hashes iter.Seq[[]filters.Hash], c filters.Config) (filters.Filter, error) {
			return orNil[filters.Filter](build(hashes, c))
		},
		Open: func(data []byte) (filters.Filter, error) { return orNil[filters.Filter](open(data)) },
		Size: size,
	}
	if grow != nil {
		row.New = func(c filters.Config) (filters.Adder, error) { return orNil[filters.Adder](grow(c)) }
	}
	return row
}

func orNil[I, F any](f F, err error) (I, error) {
	if err != nil {
		var none I
		return none, err
	}
	return any(f).(I), nil
}
