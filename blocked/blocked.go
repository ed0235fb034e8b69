package blocked

import (
	"io"
	"iter"

	"github.com/bits-and-blooms/bitset"

	"github.com/tamis-filter/tamis/asm"
	"github.com/tamis-filter/tamis/filters"
)

// Filter is a blocked Bloom filter with lines of 512 bits. Its queries are safe
// for any number of goroutines, its changes for one without queries beside it.
// The zero value holds nothing and takes nothing.
type Filter struct {
	file     filters.Envelope // Size is the number of lines, Param is k, Payload is the lines
	readOnly bool
}

var (
	_ filters.Adder  = (*Filter)(nil)
	_ filters.Merger = (*Filter)(nil)
)

// Family describes this package to package all.
func Family() filters.Family {
	f := filters.Grower(filters.Blocked, "one 64-byte line a key: fast; grows, unites", New, Build, Open, Size)
	f.OpenUnverified = filters.Opener(OpenUnverified)
	return f
}

// New makes an empty filter. Adding more than c.Keys keys is allowed and raises
// the rate above what was asked; Info tells by how much.
func New(c filters.Config) (*Filter, error) {
	if err := c.Check(); err != nil {
		return nil, err
	}
	lines, k, err := geometry(c)
	if err != nil {
		return nil, err
	}
	return empty(c, lines, k), nil
}

// empty makes an empty filter of a given geometry.
func empty(c filters.Config, lines uint64, k int) *Filter {
	return &Filter{file: filters.Envelope{
		Kind:     filters.Blocked,
		Param:    uint8(k),
		Seed:     c.Seed,
		Capacity: c.Keys,
		Size:     lines,
		Payload:  filters.Bytes(lines * asm.LineBytes),
	}}
}

// Build makes a filter of all hashes, in O(1) memory beyond the filter when
// c.Keys is set and 8 bytes per hash when it is 0.
func Build(hashes iter.Seq[[]filters.Hash], c filters.Config) (*Filter, error) {
	return filters.Fill(hashes, c, New)
}

// Open makes a read-only view of a filter file, without a copy: data must not
// change while the filter is in use. It reads all of data once, for the checksum.
func Open(data []byte) (*Filter, error) {
	return view(filters.Decode(data, filters.Blocked))
}

// OpenUnverified is Open but for the payload's checksum: for bytes that are
// verified elsewhere, as the blocks of a database are. It does not read the
// payload: O(1). Damage there gives wrong answers, and no other harm.
func OpenUnverified(data []byte) (*Filter, error) {
	return view(filters.DecodeUnverified(data, filters.Blocked))
}

// view makes a view of what a file decodes to.
func view(file filters.Envelope, err error) (*Filter, error) {
	if err != nil {
		return nil, err
	}
	if file.Size == 0 || file.Size > filters.MaxPayload/asm.LineBytes || file.Size*asm.LineBytes != uint64(len(file.Payload)) {
		return nil, filters.Malformed("size", file.Size, "must be the payload length over 64, and not 0")
	}
	if file.Param == 0 || file.Param > asm.MaxBlockedK {
		return nil, filters.Malformed("k", file.Param, "must be 1 to 16")
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
	return asm.HasBlocked(&f.file.Payload, f.k(), uint64(h))
}

// MayContainBatch implements filters.Filter.
func (f *Filter) MayContainBatch(hashes []filters.Hash, hits *bitset.BitSet) int {
	words := filters.Answers(len(hashes), hits)
	if len(f.file.Payload) == 0 {
		clear(words)
		return 0
	}
	return asm.ProbeBlocked(f.file.Payload, f.k(), filters.Raw(hashes), words)
}

// Add implements filters.Adder. O(1).
func (f *Filter) Add(key []byte) error { return f.AddHash(f.hasher().Bytes(key)) }

// AddString implements filters.Adder.
func (f *Filter) AddString(key string) error { return f.AddHash(f.hasher().String(key)) }

// AddHash implements filters.Adder.
func (f *Filter) AddHash(h filters.Hash) error {
	if err := f.writable(); err != nil {
		return err
	}
	asm.AddBlocked(f.file.Payload, f.k(), uint64(h))
	f.file.Keys++
	return nil
}

// AddBatch implements filters.Adder.
func (f *Filter) AddBatch(hashes []filters.Hash) (int, error) {
	if err := f.writable(); err != nil {
		return 0, err
	}
	asm.InsertBlocked(f.file.Payload, f.k(), filters.Raw(hashes))
	f.file.Keys += uint64(len(hashes))
	return len(hashes), nil
}

func (f *Filter) writable() error { return filters.Writable(f.readOnly, f.file.Payload) }

// Union implements filters.Merger: the lines are OR-ed, and the result is
// the filter of both key sets, bit for bit. Info().Keys becomes the sum. O(lines).
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

// Info implements filters.Filter. It counts the bits that are set: O(lines).
func (f *Filter) Info() filters.Info {
	info := filters.Describe(&f.file)
	if len(f.file.Payload) == 0 {
		return info
	}
	info.Layout = layout(f.file.Size, f.k())
	info.Kernel = asm.BlockedLevel(f.file.Size, f.k()).String()
	info.DesignFPR = rate(f.file.Size, f.file.Capacity, f.k())
	info.ExpectedFPR = rate(f.file.Size, f.file.Keys, f.k())
	info.Fill = float64(filters.Ones(f.file.Payload)) / float64(info.Bits)
	return info
}

// AppendBinary implements filters.Filter.
func (f *Filter) AppendBinary(b []byte) ([]byte, error) { return f.file.AppendBinary(b) }

// WriteTo implements filters.Filter.
func (f *Filter) WriteTo(w io.Writer) (int64, error) { return f.file.WriteTo(w) }
