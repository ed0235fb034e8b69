package split

import (
	"io"
	"iter"

	"github.com/bits-and-blooms/bitset"

	"github.com/tamis-filter/tamis/asm"
	"github.com/tamis-filter/tamis/filters"
)

// Filter is a split-block Bloom filter, bit-exact with Parquet's. Its queries
// are safe for any number of goroutines, its changes for one without queries
// beside it. The zero value holds nothing and takes nothing.
type Filter struct {
	file     filters.Envelope // Size is the number of blocks, Param is k, Payload is the blocks
	readOnly bool
}

var (
	_ filters.Adder  = (*Filter)(nil)
	_ filters.Merger = (*Filter)(nil)
)

// Family describes this package to package all.
func Family() filters.Family {
	f := filters.Grower(filters.Split, "one 32-byte block a key, as in Parquet files: fast; grows, unites", New, Build, Open, Size)
	f.OpenUnverified = filters.Opener(OpenUnverified)
	return f
}

// New makes an empty filter. Adding more than c.Keys keys is allowed and raises
// the rate above what was asked; Info tells by how much.
func New(c filters.Config) (*Filter, error) {
	if err := c.Check(); err != nil {
		return nil, err
	}
	blocks, err := geometry(c)
	if err != nil {
		return nil, err
	}
	return &Filter{file: filters.Envelope{
		Kind:     filters.Split,
		Param:    k,
		Seed:     c.Seed,
		Capacity: c.Keys,
		Size:     blocks,
		Payload:  filters.Bytes(blocks * asm.SplitBytes),
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
	return view(filters.Decode(data, filters.Split))
}

// OpenUnverified is Open but for the payload's checksum: for bytes that are
// verified elsewhere, as the blocks of a database are. It does not read the
// payload: O(1). Damage there gives wrong answers, and no other harm.
func OpenUnverified(data []byte) (*Filter, error) {
	return view(filters.DecodeUnverified(data, filters.Split))
}

// view makes a view of what a file decodes to.
func view(file filters.Envelope, err error) (*Filter, error) {
	if err == nil && file.XXH64 {
		err = filters.Malformed("hash", 2, "XXH64, of Parquet: split.OpenParquet opens this file")
	}
	return checked(file, err)
}

// checked is view for either hash.
func checked(file filters.Envelope, err error) (*Filter, error) {
	if err != nil {
		return nil, err
	}
	if file.Size == 0 || file.Size > maxBlocks || file.Size*asm.SplitBytes != uint64(len(file.Payload)) {
		return nil, filters.Malformed("size", file.Size, "must be the payload length over 32, and not 0")
	}
	if file.Param != k {
		return nil, filters.Malformed("k", file.Param, "must be 8")
	}
	return &Filter{file: file, readOnly: true}, nil
}

// Clone returns a copy that can be changed, of a view too.
func (f *Filter) Clone() *Filter {
	return &Filter{file: f.file.Clone()}
}

func (f *Filter) hasher() filters.Hasher { return filters.Hasher{Seed: f.file.Seed} }

// MayContain implements filters.Filter.
func (f *Filter) MayContain(key []byte) bool {
	if f.file.XXH64 {
		return f.MayContainHash(ParquetHash(key))
	}
	return f.MayContainHash(f.hasher().Bytes(key))
}

// MayContainString implements filters.Filter.
func (f *Filter) MayContainString(key string) bool {
	if f.file.XXH64 {
		return f.MayContainHash(ParquetHash([]byte(key))) // no copy, since it only reads
	}
	return f.MayContainHash(f.hasher().String(key))
}

// MayContainHash implements filters.Filter.
func (f *Filter) MayContainHash(h filters.Hash) bool {
	return asm.HasSplit(&f.file.Payload, uint64(h))
}

// MayContainBatch implements filters.Filter.
func (f *Filter) MayContainBatch(hashes []filters.Hash, hits *bitset.BitSet) int {
	words := filters.Answers(len(hashes), hits)
	if len(f.file.Payload) == 0 {
		clear(words)
		return 0
	}
	return asm.ProbeSplit(f.file.Payload, filters.Raw(hashes), words)
}

// Add implements filters.Adder. O(1).
func (f *Filter) Add(key []byte) error {
	if f.file.XXH64 {
		return f.AddHash(ParquetHash(key))
	}
	return f.AddHash(f.hasher().Bytes(key))
}

// AddString implements filters.Adder.
func (f *Filter) AddString(key string) error {
	if f.file.XXH64 {
		return f.AddHash(ParquetHash([]byte(key)))
	}
	return f.AddHash(f.hasher().String(key))
}

// AddHash implements filters.Adder.
func (f *Filter) AddHash(h filters.Hash) error {
	if err := f.writable(); err != nil {
		return err
	}
	asm.AddSplit(f.file.Payload, uint64(h))
	f.file.Keys++
	return nil
}

// AddBatch implements filters.Adder.
func (f *Filter) AddBatch(hashes []filters.Hash) (int, error) {
	if err := f.writable(); err != nil {
		return 0, err
	}
	asm.InsertSplit(f.file.Payload, filters.Raw(hashes))
	f.file.Keys += uint64(len(hashes))
	return len(hashes), nil
}

func (f *Filter) writable() error { return filters.Writable(f.readOnly, f.file.Payload) }

// Union implements filters.Merger: the blocks are OR-ed, and the result is
// the filter of both key sets, bit for bit. Info().Keys becomes the sum. O(blocks).
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

// Info implements filters.Filter. It counts the bits that are set: O(blocks).
func (f *Filter) Info() filters.Info {
	info := filters.Describe(&f.file)
	if len(f.file.Payload) == 0 {
		return info
	}
	info.Layout = layout(f.file.Size)
	info.Kernel = asm.SplitLevel().String()
	info.DesignFPR = rate(f.file.Size, f.file.Capacity)
	info.ExpectedFPR = rate(f.file.Size, f.file.Keys)
	info.Fill = float64(filters.Ones(f.file.Payload)) / float64(info.Bits)
	return info
}

// AppendBinary implements filters.Filter.
func (f *Filter) AppendBinary(b []byte) ([]byte, error) { return f.file.AppendBinary(b) }

// WriteTo implements filters.Filter.
func (f *Filter) WriteTo(w io.Writer) (int64, error) { return f.file.WriteTo(w) }

// Blocks returns the bit array, as a Parquet file stores it. It is the filter's
// own memory: do not change it.
func (f *Filter) Blocks() []byte { return f.file.Payload }
