package ribbon

import (
	"fmt"
	"io"
	"iter"
	"math"

	"github.com/bits-and-blooms/bitset"

	"github.com/tamis-filter/tamis/asm"
	"github.com/tamis-filter/tamis/filters"
)

// Retrieval is a static function from keys to values of a few bits. It does not
// hold the keys: for a key that it was not built with, the value is arbitrary. It
// takes the same space, and is built and laid out in the same way, as a [Filter],
// which is the retrieval of zeros. Nothing changes it, so its methods are safe for
// any number of goroutines. The zero value returns 0 for all keys.
type Retrieval struct{ filter Filter }

// BuildRetrieval makes the function of pairs of a key's hash and its value, of 1 to
// 32 bits. Two pairs may be equal, but not of one hash and two values. Of c it takes
// Seed, MaxBuildBytes and Progress; the rest must be 0: the bits say how large it
// will be. O(n), on up to GOMAXPROCS goroutines. It takes 25 bytes for each pair to
// sort them, and then what Build does, but is slower: that has faster code for values
// that are all 0.
func BuildRetrieval(pairs iter.Seq2[filters.Hash, uint32], bits int, c filters.Config) (*Retrieval, error) {
	if c.Keys != 0 || c.FPR != 0 || c.BitsPerKey != 0 || c.MaxBytes != 0 {
		return nil, &filters.FieldError{Err: filters.ErrConfig, Field: "Keys, FPR, BitsPerKey, MaxBytes", Value: fmt.Sprintf("%d, %g, %g, %d", c.Keys, c.FPR, c.BitsPerKey, c.MaxBytes), Bound: "must be 0: bits decides"}
	}
	if bits < 1 || bits > maxColumns {
		return nil, badBits(bits)
	}
	if pairs == nil {
		return nil, &filters.FieldError{Err: filters.ErrConfig, Field: "pairs", Value: "nil", Bound: "must be a sequence; maps.All(nil) is an empty one"}
	}
	groups, memory, err := gatherPairs(pairs, bits, c)
	if err != nil {
		return nil, err
	}
	all, two := sorted(groups...)
	if two != nil {
		return nil, badValue(two.hash, two.values[1], fmt.Sprintf("but it is %d too; give each key one value", two.values[0]))
	}
	c.FPR = math.Ldexp(1, -bits)
	f, err := solved(filters.Retrieval, all, memory, c, lastLayerAttempts)
	if err != nil {
		return nil, err
	}
	return &Retrieval{*f}, nil
}

func badValue(h uint64, v uint32, bound string) error {
	return &filters.FieldError{Err: filters.ErrConfig, Field: fmt.Sprintf("value of hash %#x", h), Value: v, Bound: bound}
}

// RetrievalSize estimates what BuildRetrieval comes to for so many keys. The file can
// be a few blocks larger or smaller.
func RetrievalSize(keys uint64, bits int) (filters.Size, error) {
	if bits < 1 || bits > maxColumns {
		return filters.Size{}, badBits(bits)
	}
	size, err := Size(filters.Config{Keys: keys, FPR: math.Ldexp(1, -bits)})
	if err == nil {
		size.BuildBytes = pairBytes(keys) + solvedBytes(keys, true) + size.Bytes
	}
	return size, err
}

func badBits(bits int) error {
	return &filters.FieldError{Err: filters.ErrConfig, Field: "bits", Value: bits, Bound: "must be 1 to 32"}
}

// OpenRetrieval makes a view of a file, without a copy: data must not change while
// the view is in use. It reads all of data once, for the checksum.
func OpenRetrieval(data []byte) (*Retrieval, error) {
	return viewRetrieval(filters.Decode(data, filters.Retrieval))
}

// OpenRetrievalUnverified is OpenRetrieval but for the payload's checksum; see
// [OpenUnverified].
func OpenRetrievalUnverified(data []byte) (*Retrieval, error) {
	return viewRetrieval(filters.DecodeUnverified(data, filters.Retrieval))
}

func viewRetrieval(file filters.Envelope, err error) (*Retrieval, error) {
	f, err := view(file, err)
	if err != nil {
		return nil, err
	}
	if f.columns.narrow != 0 {
		return nil, filters.Malformed("columns", fmt.Sprintf("%d, narrow %d", f.columns.wide, f.columns.narrow), "must not be narrow anywhere, so that all values have as many bits")
	}
	return &Retrieval{*f}, nil
}

// Get returns the value of a key, or an arbitrary one for a key that was not among
// the pairs. It does not allocate.
func (r *Retrieval) Get(key []byte) uint32 { return r.GetHash(r.filter.hasher().Bytes(key)) }

// GetString is Get for a string key.
func (r *Retrieval) GetString(key string) uint32 { return r.GetHash(r.filter.hasher().String(key)) }

// GetHash is Get for a key hashed with filters.Hasher{Info().Seed}.
func (r *Retrieval) GetHash(h filters.Hash) uint32 {
	return asm.RibbonValue(&r.filter.ribbon, uint64(h))
}

// Zero reports whether the value of a key is 0, sooner than GetHash does.
func (r *Retrieval) Zero(h filters.Hash) bool {
	return len(r.filter.ribbon.Layers) == 0 || asm.HasRibbon(&r.filter.ribbon, uint64(h))
}

// ZeroBatch is Zero for many hashes; it fills hits and counts as
// [Filter.MayContainBatch] does.
func (r *Retrieval) ZeroBatch(hashes []filters.Hash, hits *bitset.BitSet) int {
	words := filters.Answers(len(hashes), hits)
	if len(r.filter.ribbon.Layers) > 0 {
		return asm.ProbeRibbon(&r.filter.ribbon, filters.Raw(hashes), words)
	}
	for i := range words {
		words[i] = math.MaxUint64 >> max(0, 64*(i+1)-len(hashes))
	}
	return len(hashes)
}

// Info describes the retrieval: DesignFPR is the share of other keys whose value is
// 0. O(1).
func (r *Retrieval) Info() filters.Info { return r.filter.Info() }

// AppendBinary appends the file form to b.
func (r *Retrieval) AppendBinary(b []byte) ([]byte, error) { return r.filter.AppendBinary(b) }

// WriteTo writes the file form to w, without a copy of it.
func (r *Retrieval) WriteTo(w io.Writer) (int64, error) { return r.filter.WriteTo(w) }

// MarshalBinary implements encoding.BinaryMarshaler.
func (r *Retrieval) MarshalBinary() ([]byte, error) { return r.AppendBinary(nil) }

// UnmarshalBinary implements encoding.BinaryUnmarshaler: r becomes the retrieval of
// a file, with a copy of its bytes. On an error it is as it was.
func (r *Retrieval) UnmarshalBinary(data []byte) error {
	q, err := OpenRetrieval(data)
	if err != nil {
		return err
	}
	q, err = viewRetrieval(q.filter.file.Clone(), nil)
	if err != nil {
		return err
	}
	*r = *q
	return nil
}

// ReadFrom is UnmarshalBinary of the file that comes next from src. It reads no
// byte beyond that. At the end of src the error wraps io.EOF.
func (r *Retrieval) ReadFrom(src io.Reader) (int64, error) {
	q, n, err := filters.LoadFrom(src, OpenRetrieval)
	if err == nil {
		*r = *q
	}
	return n, err
}
