// Package adapter puts everything that is measured behind one interface: the
// tamis families, the baselines, and rivals, one file each.
package adapter

import (
	"github.com/bits-and-blooms/bitset"

	"github.com/tamis-filter/tamis/bench/record"
	"github.com/tamis-filter/tamis/filters"
)

// Adapter is one contestant.
type Adapter struct {
	Name    string // in rows, tables and charts: lower case, no slash
	Class   string // record.Filter, record.Exact or record.Line
	Version string // of its module
	Summary string // one line: what it is and what its single calls take
	Changes string // what it can do once built: "static", or as "grows, deletes"
	MaxKeys uint64 // leave out larger cells; 0 for no limit
	// Only lists the rates asked for at which it takes part, for one that has
	// the same rate whatever is asked; nil for all.
	Only []float64
	// Levels is true if its times depend on the level of kernels in use.
	Levels bool
	// Build makes the set of all hashes, sized for them at the rate. The rate
	// is 0 for an exact set. A contestant that hashes keys by itself takes the
	// 8 little-endian bytes of a hash for its key.
	Build func(hashes []filters.Hash, rate float64) (Set, error)
	// Empty makes a set with room for so many keys, nil if none can be added
	// to it in one call.
	Empty func(keys uint64, rate float64) (Adder, error)
}

// Set is what a contestant built. The loops are inside, so that a contestant
// is called as its users would call it, by its own type.
type Set interface {
	// Size returns the bytes it takes in a file, or in memory if it has no
	// file form, and the bytes of that which depend on the keys.
	Size() (file, payload uint64)
	// Single asks for each hash in a call of its own and counts the answers
	// that are true. No call waits for the answer of the one before.
	Single(hashes []filters.Hash) (hits int)
	// Chain is Single, but each call waits: see Link.
	Chain(hashes []filters.Hash) (hits int)
}

// Batcher is a Set that answers for many hashes in one call.
type Batcher interface {
	// Batch makes bit i of hits the answer for hashes[i], and returns how many
	// are true. The harness passes hits with room for all.
	Batch(hashes []filters.Hash, hits *bitset.BitSet) int
}

// Adder is a Set that takes many keys in one call.
type Adder interface {
	Set
	Add(hashes []filters.Hash) error
}

// Keyer is a Set that hashes keys by itself, with XXH3-64 unless its Summary
// says otherwise.
type Keyer interface {
	// Keys is Set.Single for keys.
	Keys(keys [][8]byte) (hits int)
}

// Rated is a Set that knows its rate beforehand, which sizes the measurement.
type Rated interface{ ExpectedFPR() float64 }

// Described is a Set that can tell what code answers its batches.
type Described interface{ Kernel() string }

// zero is 0, which neither compiler nor processor knows.
var zero uint64

// Link returns 0, but not before the answer is known. Xored to the next hash
// it keeps a processor from overlapping the two queries.
func Link(answer bool) filters.Hash {
	var bit uint64
	if answer {
		bit = 1
	}
	return filters.Hash(bit & zero)
}

// bit is 1 for true. Counting with it leaves no branch on the answer, which the
// compiler makes of some loops and not of others.
func bit(answer bool) int {
	if answer {
		return 1
	}
	return 0
}

// All returns every contestant that is no rival, in the order of the reports.
func All() []Adapter {
	return append(Families(), Map(), Lines())
}

// Supports reports whether s can be queried in a mode.
func Supports(s Set, m record.Mode) bool {
	switch m {
	case record.Batch:
		_, ok := s.(Batcher)
		return ok
	case record.Key:
		_, ok := s.(Keyer)
		return ok
	}
	return true
}
