package filters

import (
	"io"

	"github.com/bits-and-blooms/bitset"
)

// Filter is what every family offers. Its methods are safe for any number of
// concurrent callers as long as nobody changes the filter.
type Filter interface {
	// MayContain reports whether key may have been added: false is certain,
	// true is wrong for a stranger with the filter's false-positive rate.
	MayContain(key []byte) bool
	// MayContainString is MayContain for a string key.
	MayContainString(key string) bool
	// MayContainHash is MayContain for a key hashed with Hasher{Info().Seed}; of
	// a filter made or opened as Parquet's, with split.ParquetHash.
	MayContainHash(h Hash) bool
	// MayContainBatch answers for many hashes at once, which is faster than
	// one at a time. It overwrites hits: bit i becomes the answer for
	// hashes[i], and every bit from len(hashes) on becomes 0. It returns how
	// many answers are true. It allocates only when hits is shorter than
	// hashes; a nil hits asks for the count alone, at the price of a scratch
	// set.
	MayContainBatch(hashes []Hash, hits *bitset.BitSet) int
	// Info describes the filter. It may read the whole filter (to count its
	// bits), so it is not for hot paths.
	Info() Info
	// AppendBinary appends the filter's file form to b.
	AppendBinary(b []byte) ([]byte, error)
	// WriteTo writes the filter's file form to w, without a copy of it.
	WriteTo(w io.Writer) (int64, error)
}

// Adder is a Filter that grows. Adding is for one goroutine at a time, with no
// query beside it.
type Adder interface {
	Filter
	// Add adds a key. The error is ErrFull when a family that can fill up is
	// full (the key is then not in, and every earlier key still is), or
	// ErrReadOnly for a filter opened as a view.
	Add(key []byte) error
	// AddString is Add for a string key.
	AddString(key string) error
	// AddHash is Add for a key hashed with Hasher{Info().Seed}.
	AddHash(h Hash) error
	// AddBatch adds hashes in order and returns how many it added before the
	// error, if any.
	AddBatch(hashes []Hash) (int, error)
}

// Deleter is an Adder that can take keys out again.
type Deleter interface {
	Adder
	// Delete takes out one copy of a key and reports whether there was one.
	// Only delete what was added: a stranger that MayContain accepts by
	// mistake shares its mark with a member, and deleting it loses the member.
	Delete(key []byte) bool
	// DeleteString is Delete for a string key.
	DeleteString(key string) bool
	// DeleteHash is Delete for a key hashed with Hasher{Info().Seed}.
	DeleteHash(h Hash) bool
}

// Merger is a filter that can take in another one.
type Merger interface {
	// Union adds every key of other. It refuses, with ErrMismatch, a filter of
	// another family, geometry or seed: the error names what differs and both
	// values, and the receiver is unchanged.
	Union(other Filter) error
}

// Info describes a filter as it is now.
type Info struct {
	Family      string  `json:"family"`       // its name in package all
	Layout      string  `json:"layout"`       // family parameters in words, as "k = 7, 9585059 bits"
	Keys        uint64  `json:"keys"`         // keys in it; families that cannot tell a repeat from a new key count adds
	Capacity    uint64  `json:"capacity"`     // keys it was sized for
	Bits        uint64  `json:"bits"`         // bits of the payload, without the 64-byte header
	BitsPerKey  float64 `json:"bits_per_key"` // Bits over the larger of Keys and 1
	DesignFPR   float64 `json:"design_fpr"`   // fraction of strangers accepted when it holds Capacity keys
	ExpectedFPR float64 `json:"expected_fpr"` // the same for what it holds now
	Fill        float64 `json:"fill"`         // fraction of bits set, of slots taken, or of rows used
	Hash        string  `json:"hash"`         // of the keys: "XXH3-64", a Hasher's, or of Parquet's filters "XXH64"
	Seed        uint64  `json:"seed"`         // of the Hasher
	Kernel      string  `json:"kernel"`       // the code that answers a batch
	BuildBytes  uint64  `json:"build_bytes"`  // memory that Build took, the filter included; 0 for one that grew or was opened
}

// Size is what a Config comes to in one family, before anything is built.
type Size struct {
	Bytes      uint64  `json:"bytes"`        // of the file, header included; for a static family an estimate
	BitsPerKey float64 `json:"bits_per_key"` // payload bits over keys
	FPR        float64 `json:"fpr"`          // expected at Config.Keys keys
	BuildBytes uint64  `json:"build_bytes"`  // memory that Build takes at most if Config.Keys is set, the filter included; see Config.MaxBuildBytes
	Layout     string  `json:"layout"`       // as in Info
}
