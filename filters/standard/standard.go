package standard

import (
	"encoding/binary"
	"fmt"
	"io"
	"iter"
	"math"

	"github.com/bits-and-blooms/bitset"

	"github.com/tamis-filter/tamis/asm"
	"github.com/tamis-filter/tamis/filters"
)

// Filter is a Bloom filter. Its queries are safe for any number of goroutines,
// its changes for one without queries beside it. The zero value holds nothing
// and takes nothing.
type Filter struct {
	file     filters.Envelope // Size is m, Param is k, Payload is the bit array
	readOnly bool
}

var (
	_ filters.Adder  = (*Filter)(nil)
	_ filters.Merger = (*Filter)(nil)
)

// Family describes this package to package all.
func Family() filters.Family {
	f := filters.Grower(filters.Standard, "one bit array; grows, unites, folds; any rate", New, Build, Open, Size)
	f.OpenUnverified = filters.Opener(OpenUnverified)
	return f
}

// New makes an empty filter. Adding more than c.Keys keys is allowed and raises
// the rate above what was asked; Info tells by how much.
func New(c filters.Config) (*Filter, error) {
	if err := c.Check(); err != nil {
		return nil, err
	}
	m, k, err := geometry(c)
	if err != nil {
		return nil, err
	}
	return &Filter{file: filters.Envelope{
		Kind:     filters.Standard,
		Param:    uint8(k),
		Seed:     c.Seed,
		Capacity: c.Keys,
		Size:     m,
		Payload:  filters.Bytes(payloadBytes(m)),
	}}, nil
}

// Build makes a filter of all hashes, in O(1) memory beyond the filter when
// c.Keys is set and 8 bytes per hash when it is 0.
func Build(hashes iter.Seq[[]filters.Hash], c filters.Config) (*Filter, error) {
	return filters.Fill(hashes, c, New)
}

// Open makes a read-only view of a filter file, without a copy: data must not
// change while the filter is in use. It reads all of data once, for the checksum.
func Open(data []byte) (*Filter, error) {
	return view(filters.Decode(data, filters.Standard))
}

// OpenUnverified is Open but for the payload's checksum: for bytes that are
// verified elsewhere, as the blocks of a database are. It does not read the
// payload: O(1). Damage there gives wrong answers, and no other harm.
func OpenUnverified(data []byte) (*Filter, error) {
	return view(filters.DecodeUnverified(data, filters.Standard))
}

// view makes a view of what a file decodes to.
func view(file filters.Envelope, err error) (*Filter, error) {
	if err != nil {
		return nil, err
	}
	m := file.Size
	if m == 0 || m > filters.MaxPayload*8 {
		return nil, filters.Malformed("size", m, "a standard filter has 1 to 2^41 bits")
	}
	if file.Param == 0 || file.Param > MaxK {
		return nil, filters.Malformed("k", file.Param, "must be 1 to 64")
	}
	if n := uint64(len(file.Payload)); n != payloadBytes(m) {
		return nil, filters.Malformed("size", m, "does not fit the payload length")
	}
	last := binary.LittleEndian.Uint64(file.Payload[len(file.Payload)-8:])
	if used := m % 64; used != 0 && last>>used != 0 {
		return nil, filters.Malformed("payload", fmt.Sprintf("%#x in its last word", last), fmt.Sprintf("must be 0 from bit %d on", used))
	}
	return &Filter{file: file, readOnly: true}, nil
}

// Clone returns a copy that can be changed, of a view too.
func (f *Filter) Clone() *Filter {
	return &Filter{file: f.file.Clone()}
}

func (f *Filter) hasher() filters.Hasher { return filters.Hasher{Seed: f.file.Seed} }

func (f *Filter) k() int { return int(f.file.Param) }

// MayContain implements filters.Filter.
func (f *Filter) MayContain(key []byte) bool { return f.MayContainHash(f.hasher().Bytes(key)) }

// MayContainString implements filters.Filter.
func (f *Filter) MayContainString(key string) bool { return f.MayContainHash(f.hasher().String(key)) }

// MayContainHash implements filters.Filter.
func (f *Filter) MayContainHash(h filters.Hash) bool {
	if len(f.file.Payload) == 0 {
		return false
	}
	return asm.HasStandard(f.file.Payload, f.file.Size, f.k(), uint64(h))
}

// MayContainBatch implements filters.Filter.
func (f *Filter) MayContainBatch(hashes []filters.Hash, hits *bitset.BitSet) int {
	words := filters.Answers(len(hashes), hits)
	if len(f.file.Payload) == 0 {
		clear(words)
		return 0
	}
	return asm.ProbeStandard(f.file.Payload, f.file.Size, f.k(), filters.Raw(hashes), words)
}

// Add implements filters.Adder. O(k).
func (f *Filter) Add(key []byte) error { return f.AddHash(f.hasher().Bytes(key)) }

// AddString implements filters.Adder.
func (f *Filter) AddString(key string) error { return f.AddHash(f.hasher().String(key)) }

// AddHash implements filters.Adder.
func (f *Filter) AddHash(h filters.Hash) error {
	if err := f.writable(); err != nil {
		return err
	}
	asm.AddStandard(f.file.Payload, f.file.Size, f.k(), uint64(h))
	f.file.Keys++
	return nil
}

// AddBatch implements filters.Adder.
func (f *Filter) AddBatch(hashes []filters.Hash) (int, error) {
	if err := f.writable(); err != nil {
		return 0, err
	}
	for _, h := range hashes {
		asm.AddStandard(f.file.Payload, f.file.Size, f.k(), uint64(h))
	}
	f.file.Keys += uint64(len(hashes))
	return len(hashes), nil
}

func (f *Filter) writable() error { return filters.Writable(f.readOnly, f.file.Payload) }

// Union implements filters.Merger: the bit arrays are OR-ed, and the result is
// the filter of both key sets, bit for bit. Info().Keys becomes the sum. O(m).
func (f *Filter) Union(other filters.Filter) error {
	g, err := filters.Peer[*Filter](other)
	if err != nil {
		return err
	}
	if err := f.writable(); err != nil {
		return err
	}
	return filters.Unite(&f.file, &g.file)
}

// Fold returns a filter of half the size that holds the same keys, at a higher
// rate: bit i is the OR of bits 2i and 2i+1. It needs an even number of bits.
// A filter made with Config.MaxBytes folds at least six times. O(m).
func (f *Filter) Fold() (*Filter, error) {
	m := f.file.Size
	if m%2 != 0 || m == 0 {
		return nil, &filters.FieldError{Err: filters.ErrConfig, Field: "size", Value: m, Bound: "must be even to fold; size with MaxBytes"}
	}
	g := &Filter{file: f.file.With(filters.Bytes(payloadBytes(m / 2)))}
	g.file.Size = m / 2
	for i, b := range f.file.Payload {
		g.file.Payload[i/2] |= pairs(b) << (i % 2 * 4)
	}
	return g, nil
}

// pairs ORs neighbouring bits: bit i of the result is bit 2i or 2i+1 of b.
func pairs(b byte) byte {
	b = (b | b>>1) & 0x55
	b = (b | b>>1) & 0x33
	return (b | b>>2) & 0x0f
}

// Cardinality estimates the number of distinct keys from the share of bits
// that are set (Swamidass and Baldi, 2007). When every bit is set there is no
// estimate: saturated is true and keys is the largest that can be told apart.
// O(m).
func (f *Filter) Cardinality() (keys uint64, saturated bool) {
	m, set := f.file.Size, f.ones()
	if m == 0 {
		return 0, false
	}
	if set == m {
		set, saturated = m-1, true // the estimate for one bit less is the largest there is
	}
	if m == 1 {
		return 0, saturated
	}
	n := math.Log1p(-float64(set)/float64(m)) / (float64(f.k()) * math.Log1p(-1/float64(m)))
	return uint64(math.Round(n)), saturated
}

// ones counts the bits that are set.
func (f *Filter) ones() uint64 { return filters.Ones(f.file.Payload) }

// Info implements filters.Filter. It counts the bits that are set: O(m).
func (f *Filter) Info() filters.Info {
	m, k := f.file.Size, f.k()
	info := filters.Describe(&f.file)
	if m == 0 {
		return info
	}
	info.Layout = layout(m, k)
	info.Kernel = asm.StandardLevel().String()
	info.DesignFPR = filters.BloomRate(m, f.file.Capacity, k)
	info.Fill = float64(f.ones()) / float64(m)
	info.ExpectedFPR = math.Pow(info.Fill, float64(k))
	return info
}

// AppendBinary implements filters.Filter.
func (f *Filter) AppendBinary(b []byte) ([]byte, error) { return f.file.AppendBinary(b) }

// WriteTo implements filters.Filter.
func (f *Filter) WriteTo(w io.Writer) (int64, error) { return f.file.WriteTo(w) }
