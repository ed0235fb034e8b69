package blocked

import (
	"encoding/binary"
	"io"

	"github.com/bits-and-blooms/bitset"

	"github.com/tamis-filter/tamis/asm"
	"github.com/tamis-filter/tamis/filters"
)

// Concurrent is a Filter all of whose methods are safe for any number of
// goroutines at once. Adding takes no lock: it sets bits by atomic operations.
// What was added before a query began is found by it; what is added meanwhile
// may be. The zero value holds nothing and takes nothing.
type Concurrent struct {
	filter Filter // whose Keys are those before the counter began
	added  filters.Counter
}

var _ filters.Adder = (*Concurrent)(nil)

// NewConcurrent is New for a Concurrent.
func NewConcurrent(c filters.Config) (*Concurrent, error) {
	f, err := New(c)
	if err != nil {
		return nil, err
	}
	return &Concurrent{filter: *f}, nil
}

// Snapshot returns a copy as a Filter. Keys that are being added meanwhile may be
// in it in part, which to a filter is as if they were not. O(size).
func (c *Concurrent) Snapshot() *Filter {
	f := &Filter{file: c.filter.file.With(filters.Bytes(uint64(len(c.filter.file.Payload))))}
	f.file.Keys += c.added.Sum()
	for i := range uint64(len(f.file.Payload)) / 8 {
		binary.LittleEndian.PutUint64(f.file.Payload[8*i:], asm.LoadWord(c.filter.file.Payload, i))
	}
	return f
}

// MayContain implements filters.Filter.
func (c *Concurrent) MayContain(key []byte) bool {
	return c.MayContainHash(c.filter.hasher().Bytes(key))
}

// MayContainString implements filters.Filter.
func (c *Concurrent) MayContainString(key string) bool {
	return c.MayContainHash(c.filter.hasher().String(key))
}

// MayContainHash implements filters.Filter.
func (c *Concurrent) MayContainHash(h filters.Hash) bool {
	if len(c.filter.file.Payload) == 0 {
		return false
	}
	return asm.HasBlockedAtomic(c.filter.file.Payload, c.filter.k(), uint64(h))
}

// MayContainBatch implements filters.Filter.
func (c *Concurrent) MayContainBatch(hashes []filters.Hash, hits *bitset.BitSet) int {
	words := filters.Answers(len(hashes), hits)
	if len(c.filter.file.Payload) == 0 {
		clear(words)
		return 0
	}
	return asm.ProbeBlockedAtomic(c.filter.file.Payload, c.filter.k(), filters.Raw(hashes), words)
}

// Add implements filters.Adder. O(1).
func (c *Concurrent) Add(key []byte) error { return c.AddHash(c.filter.hasher().Bytes(key)) }

// AddString implements filters.Adder.
func (c *Concurrent) AddString(key string) error {
	return c.AddHash(c.filter.hasher().String(key))
}

// AddHash implements filters.Adder. Only the zero value gives an error.
func (c *Concurrent) AddHash(h filters.Hash) error {
	if err := c.filter.writable(); err != nil {
		return err
	}
	asm.AddBlockedAtomic(c.filter.file.Payload, c.filter.k(), uint64(h))
	c.added.Add(h, 1)
	return nil
}

// AddBatch implements filters.Adder. Only the zero value gives an error.
func (c *Concurrent) AddBatch(hashes []filters.Hash) (int, error) {
	if err := c.filter.writable(); err != nil {
		return 0, err
	}
	for _, h := range hashes {
		asm.AddBlockedAtomic(c.filter.file.Payload, c.filter.k(), uint64(h))
	}
	if len(hashes) > 0 {
		c.added.Add(hashes[0], uint64(len(hashes)))
	}
	return len(hashes), nil
}

// Info implements filters.Filter, from a snapshot.
func (c *Concurrent) Info() filters.Info { return c.Snapshot().Info() }

// AppendBinary implements filters.Filter, from a snapshot. Open reads it as a
// Filter.
func (c *Concurrent) AppendBinary(b []byte) ([]byte, error) { return c.Snapshot().AppendBinary(b) }

// WriteTo implements filters.Filter, from a snapshot.
func (c *Concurrent) WriteTo(w io.Writer) (int64, error) { return c.Snapshot().WriteTo(w) }

// MarshalBinary implements encoding.BinaryMarshaler, from a snapshot.
func (c *Concurrent) MarshalBinary() ([]byte, error) { return c.AppendBinary(nil) }
