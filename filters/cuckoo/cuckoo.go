package cuckoo

import (
	"fmt"
	"io"
	"iter"
	"slices"

	"github.com/bits-and-blooms/bitset"

	"github.com/tamis-filter/tamis/asm"
	"github.com/tamis-filter/tamis/filters"
)

// Filter is a cuckoo filter. Its queries are safe for any number of goroutines,
// its changes for one without queries beside it. The zero value holds nothing
// and takes nothing.
type Filter struct {
	file     filters.Envelope // Size is the number of buckets, Param the fingerprint bits, Payload the buckets and padding
	readOnly bool
}

// buildAttempts bounds how often Build makes a table anew. With distinct hashes
// that are well mixed the first one does.
const buildAttempts = 16

var _ filters.Deleter = (*Filter)(nil)

// Family describes this package to package all.
func Family() filters.Family {
	f := filters.Grower(filters.Cuckoo, "a table of fingerprints; grows and deletes, can be full", New, Build, Open, Size)
	f.OpenUnverified = filters.Opener(OpenUnverified)
	return f
}

// New makes an empty filter.
func New(c filters.Config) (*Filter, error) {
	if err := c.Check(); err != nil {
		return nil, err
	}
	buckets, fpBits, err := geometry(c)
	if err != nil {
		return nil, err
	}
	return empty(c, buckets, fpBits), nil
}

// empty makes an empty filter of a given geometry.
func empty(c filters.Config, buckets uint64, fpBits int) *Filter {
	return &Filter{file: filters.Envelope{
		Kind:     filters.Cuckoo,
		Param:    uint8(fpBits),
		Seed:     c.Seed,
		Capacity: c.Keys,
		Size:     buckets,
		Payload:  filters.Bytes(payloadBytes(buckets, fpBits)),
	}}
}

// Build makes a filter of all hashes, one fingerprint for each distinct one. It
// takes up to 18 bytes per hash beyond the filter while it works.
func Build(hashes iter.Seq[[]filters.Hash], c filters.Config) (*Filter, error) {
	distinct, memory, c, err := filters.GatherDistinct(hashes, c)
	if err != nil {
		return nil, err
	}
	buckets, fpBits, err := geometry(c)
	if err != nil {
		return nil, err
	}
	memory += fillBytes(uint64(len(distinct)))
	progress := c.Work(uint64(len(distinct)))
	// A table that fills up in spite of its spare room is made anew with more.
	for range buildAttempts {
		payload := payloadBytes(buckets, fpBits)
		if c.MaxBytes != 0 && filters.HeaderSize+payload > c.MaxBytes {
			break
		}
		memory += payload
		if err := c.CheckBuild(memory); err != nil {
			return nil, err
		}
		f := empty(c, buckets, fpBits)
		if err = f.fill(filters.Raw(distinct), progress); err == nil {
			f.file.BuildBytes = memory
			progress.End()
			return f, nil
		}
		buckets += buckets/64 + 1
	}
	return nil, fmt.Errorf("%w: %w", filters.ErrBuild, err)
}

// Open makes a read-only view of a filter file, without a copy: data must not
// change while the filter is in use. It reads all of data once, for the checksum.
func Open(data []byte) (*Filter, error) {
	return view(filters.Decode(data, filters.Cuckoo))
}

// OpenUnverified is Open but for the payload's checksum: for bytes that are
// verified elsewhere, as the blocks of a database are. It does not read the
// payload: O(1). Damage there gives wrong answers, and no other harm.
func OpenUnverified(data []byte) (*Filter, error) {
	return view(filters.DecodeUnverified(data, filters.Cuckoo))
}

// view makes a view of what a file decodes to.
func view(file filters.Envelope, err error) (*Filter, error) {
	if err != nil {
		return nil, err
	}
	fpBits := int(file.Param)
	if !slices.Contains(fingerprints[:], fpBits) {
		return nil, filters.Malformed("fingerprint bits", fpBits, "must be 8, 12, 16 or 32")
	}
	if file.Size == 0 || file.Size > maxBuckets || payloadBytes(file.Size, fpBits) != uint64(len(file.Payload)) {
		return nil, filters.Malformed("size", file.Size, "does not fit the payload length")
	}
	if slots := file.Size * slotsPerBucket; file.Keys > slots {
		return nil, filters.Malformed("keys", file.Keys, fmt.Sprintf("there are %d slots", slots))
	}
	if !file.Unverified() {
		if taken := asm.CuckooTaken(file.Payload, fpBits); file.Keys != taken {
			return nil, filters.Malformed("keys", file.Keys, fmt.Sprintf("%d slots are taken", taken))
		}
	}
	for _, b := range file.Payload[len(file.Payload)-asm.CuckooPadding:] {
		if b != 0 {
			return nil, filters.Malformed("padding", b, "must be 0")
		}
	}
	return &Filter{file: file, readOnly: true}, nil
}

// Clone returns a copy that can be changed, of a view too.
func (f *Filter) Clone() *Filter {
	g := &Filter{file: f.file.Clone()}
	if f.file.Unverified() {
		g.file.Keys = asm.CuckooTaken(g.file.Payload, g.fingerprintBits()) // deletions count down from it
	}
	return g
}

func (f *Filter) hasher() filters.Hasher { return filters.Hasher{Seed: f.file.Seed} }

func (f *Filter) fingerprintBits() int { return int(f.file.Param) }

// MayContain implements filters.Filter.
func (f *Filter) MayContain(key []byte) bool { return f.MayContainHash(f.hasher().Bytes(key)) }

// MayContainString implements filters.Filter.
func (f *Filter) MayContainString(key string) bool { return f.MayContainHash(f.hasher().String(key)) }

// MayContainHash implements filters.Filter.
func (f *Filter) MayContainHash(h filters.Hash) bool {
	if len(f.file.Payload) == 0 {
		return false
	}
	return asm.HasCuckoo(f.file.Payload, f.file.Size, f.fingerprintBits(), uint64(h))
}

// MayContainBatch implements filters.Filter.
func (f *Filter) MayContainBatch(hashes []filters.Hash, hits *bitset.BitSet) int {
	words := filters.Answers(len(hashes), hits)
	if len(f.file.Payload) == 0 {
		clear(words)
		return 0
	}
	return asm.ProbeCuckoo(f.file.Payload, f.file.Size, f.fingerprintBits(), filters.Raw(hashes), words)
}

// Add implements filters.Adder. The error is filters.ErrFull when no room could
// be made: for keys that differ that happens at a load above 95 %, for copies
// of one key after the eighth at the latest. O(1) amortised, a few hundred steps at worst.
func (f *Filter) Add(key []byte) error { return f.AddHash(f.hasher().Bytes(key)) }

// AddString implements filters.Adder.
func (f *Filter) AddString(key string) error { return f.AddHash(f.hasher().String(key)) }

// AddHash implements filters.Adder.
func (f *Filter) AddHash(h filters.Hash) error {
	if err := f.writable(); err != nil {
		return err
	}
	if !f.insert(uint64(h)) {
		return f.full()
	}
	f.file.Keys++
	return nil
}

func (f *Filter) full() error {
	return &filters.FieldError{
		Err: filters.ErrFull, Field: "Keys", Value: fmt.Sprintf("%d in %d slots", f.file.Keys, f.file.Size*slotsPerBucket),
		Bound: "and no room could be made; size for more keys, and add no key more than a few times",
	}
}

// AddBatch implements filters.Adder.
func (f *Filter) AddBatch(hashes []filters.Hash) (int, error) {
	if err := f.writable(); err != nil {
		return 0, err
	}
	for i, h := range hashes {
		if err := f.AddHash(h); err != nil {
			return i, err
		}
	}
	return len(hashes), nil
}

// Delete implements filters.Deleter. It changes nothing, and returns false, for
// a key that MayContain denies and for a view made by Open.
func (f *Filter) Delete(key []byte) bool { return f.DeleteHash(f.hasher().Bytes(key)) }

// DeleteString implements filters.Deleter.
func (f *Filter) DeleteString(key string) bool { return f.DeleteHash(f.hasher().String(key)) }

// DeleteHash implements filters.Deleter.
func (f *Filter) DeleteHash(h filters.Hash) bool {
	if f.writable() != nil {
		return false
	}
	fp, bucket := asm.CuckooPlace(uint64(h), f.file.Size, f.fingerprintBits())
	if !f.remove(bucket, fp) && !f.remove(asm.CuckooOther(bucket, fp, f.file.Size), fp) {
		return false
	}
	f.file.Keys--
	return true
}

func (f *Filter) writable() error { return filters.Writable(f.readOnly, f.file.Payload) }

// Info implements filters.Filter. O(1).
func (f *Filter) Info() filters.Info {
	info := filters.Describe(&f.file)
	if len(f.file.Payload) == 0 {
		return info
	}
	buckets, fpBits := f.file.Size, f.fingerprintBits()
	info.Layout = layout(buckets, fpBits)
	info.Kernel = asm.CuckooLevel(buckets, fpBits).String()
	info.DesignFPR = rate(float64(f.file.Capacity), buckets, fpBits)
	info.ExpectedFPR = rate(float64(f.file.Keys), buckets, fpBits)
	info.Fill = float64(f.file.Keys) / float64(buckets*slotsPerBucket)
	return info
}

// AppendBinary implements filters.Filter.
func (f *Filter) AppendBinary(b []byte) ([]byte, error) { return f.file.AppendBinary(b) }

// WriteTo implements filters.Filter.
func (f *Filter) WriteTo(w io.Writer) (int64, error) { return f.file.WriteTo(w) }
