package filters

import "iter"

// Family describes a family to programs that pick one at run time; package all
// lists them.
type Family struct {
	Kind    Kind
	Summary string // one line, for people who choose
	// New makes an empty filter that grows; nil for a static family, which is
	// only built whole.
	New func(Config) (Adder, error)
	// Build makes a filter of all hashes.
	Build func(iter.Seq[[]Hash], Config) (Filter, error)
	// Open makes a read-only view of a filter file, without a copy.
	Open func(data []byte) (Filter, error)
	// OpenUnverified is Open but for the payload's checksum. It does not read the
	// payload: O(1).
	OpenUnverified func(data []byte) (Filter, error)
	// Size computes what New or Build would come to.
	Size func(Config) (Size, error)
}

// Name is the family's name, as Info gives it.
func (f Family) Name() string { return f.Kind.String() }

// Grower makes the Family of a type that grows from the functions of its package.
func Grower[F Adder](kind Kind, summary string, grow func(Config) (F, error), build func(iter.Seq[[]Hash], Config) (F, error), open func([]byte) (F, error), size func(Config) (Size, error)) Family {
	f := Static(kind, summary, build, open, size)
	f.New = func(c Config) (Adder, error) { return orNil[Adder](grow(c)) }
	return f
}

// Static makes the Family of a type that is only built whole.
func Static[F Filter](kind Kind, summary string, build func(iter.Seq[[]Hash], Config) (F, error), open func([]byte) (F, error), size func(Config) (Size, error)) Family {
	return Family{
		Kind:    kind,
		Summary: summary,
		Build: func(hashes iter.Seq[[]Hash], c Config) (Filter, error) {
			return orNil[Filter](build(hashes, c))
		},
		Open: Opener(open),
		Size: size,
	}
}

// Opener makes a function of a Family from one of its package.
func Opener[F Filter](open func([]byte) (F, error)) func([]byte) (Filter, error) {
	return func(data []byte) (Filter, error) { return orNil[Filter](open(data)) }
}

// orNil keeps the nil pointer that comes with an error from becoming an
// interface that is not nil.
func orNil[I, F any](f F, err error) (I, error) {
	if err != nil {
		var none I
		return none, err
	}
	return any(f).(I), nil
}
