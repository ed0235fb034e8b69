package split

import (
	"fmt"
	"math"

	"github.com/tamis-filter/tamis/asm"
	"github.com/tamis-filter/tamis/filters"
)

// NewParquet is New for a filter whose keys are hashed as in Parquet files: its
// MayContain and Add hash by ParquetHash, and what is given hashes to must do so
// too. c.Seed must be 0. Such a filter saves to a filter file that only
// OpenParquet opens: to whoever hashes by a filters.Hasher it would deny members.
func NewParquet(c filters.Config) (*Filter, error) {
	if c.Seed != 0 {
		return nil, &filters.FieldError{Err: filters.ErrConfig, Field: "Seed", Value: c.Seed, Bound: "must be 0: Parquet's hash has none"}
	}
	f, err := New(c)
	if err != nil {
		return nil, err
	}
	f.file.XXH64 = true
	return f, nil
}

// OpenParquet makes a read-only view of a filter hashed as in Parquet files,
// without a copy: data must not change while it is in use. It takes what
// AppendParquet writes, as it stands in a Parquet file, and the filter file of a
// filter of NewParquet.
func OpenParquet(data []byte) (*Filter, error) {
	if filters.IsFile(data) {
		file, err := filters.Decode(data, filters.Split)
		if err == nil && !file.XXH64 {
			err = filters.Malformed("hash", 1, "must be 2 (XXH64, of Parquet); Open opens this file")
		}
		return checked(file, err)
	}
	numBytes, end, err := parseThriftHeader(data)
	if err != nil {
		return nil, err
	}
	bitset := data[end:]
	if numBytes != uint64(len(bitset)) {
		return nil, filters.Malformed("Parquet header, numBytes", numBytes, fmt.Sprintf("but %d are there", len(bitset)))
	}
	return OpenBitset(bitset)
}

// OpenBitset is OpenParquet of a bitset alone, without its header. It counts the
// bits that are set, to estimate the number of keys.
func OpenBitset(bitset []byte) (*Filter, error) {
	blocks := uint64(len(bitset)) / asm.SplitBytes
	if blocks == 0 || blocks > maxBlocks || blocks*asm.SplitBytes != uint64(len(bitset)) {
		return nil, filters.Malformed("length of the bitset", len(bitset), "must be a multiple of 32, and not 0")
	}
	keys := estimate(bitset)
	return &Filter{readOnly: true, file: filters.Envelope{
		Kind:     filters.Split,
		XXH64:    true,
		Param:    k,
		Keys:     keys,
		Capacity: max(1, keys),
		Size:     blocks,
		Payload:  bitset[:len(bitset):len(bitset)],
	}}, nil
}

// estimate returns the number of distinct keys that set as many bits: each sets
// one of the 32 in every word of its block.
func estimate(bitset []byte) uint64 {
	bits := float64(len(bitset)) * 8
	set := min(float64(filters.Ones(bitset)), bits-1) // all set, there is no estimate
	return min(uint64(math.Round(-bits/k*math.Log1p(-set/bits))), filters.MaxKeys)
}

// AppendParquet appends the filter as a Parquet file has it, header and bitset,
// to b. It refuses a filter that is not hashed as in Parquet files, and one of 2
// GiB or more, of which the header cannot tell.
func (f *Filter) AppendParquet(b []byte) ([]byte, error) {
	if err := filters.Writable(false, f.file.Payload); err != nil {
		return b, err
	}
	if !f.file.XXH64 {
		return b, filters.Mismatch("hash", "XXH64, as of NewParquet, for Parquet", f.Info().Hash)
	}
	n := uint64(len(f.file.Payload))
	if n > math.MaxInt32 {
		return b, &filters.FieldError{Err: filters.ErrTooLarge, Field: "bitset", Value: fmt.Sprintf("%d bytes", n), Bound: "must be less than 2^31 in a Parquet file"}
	}
	return append(appendThriftHeader(b, int32(n)), f.file.Payload...), nil
}
