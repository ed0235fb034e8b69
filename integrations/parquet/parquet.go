// Package parquet opens the Bloom filters of Parquet files, read by parquet-go, as
// filters of tamis: batches of values are then answered by its kernels.
//
// It is a module of its own, so that tamis does not depend on parquet-go.
package parquet

import (
	"encoding/binary"
	"fmt"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/format"

	"github.com/tamis-filter/tamis/blocked/split"
	"github.com/tamis-filter/tamis/filters"
)

// Open reads the filter of a column in a row group, both by their index. The error
// is parquet.ErrMissingBloomFilter where there is none, and wraps
// filters.ErrFormat where it is damaged, compressed or of a kind that is unknown.
// It reads the whole filter into memory; it allocates no more than the file has.
func Open(file *parquet.File, rowGroup, column int) (*split.Filter, error) {
	groups := file.RowGroups()
	if rowGroup < 0 || rowGroup >= len(groups) {
		return nil, badIndex("row group", rowGroup, len(groups))
	}
	chunks := groups[rowGroup].ColumnChunks()
	if column < 0 || column >= len(chunks) {
		return nil, badIndex("column", column, len(chunks))
	}
	meta := &file.Metadata().RowGroups[rowGroup].Columns[column].MetaData
	if meta.BloomFilterOffset == 0 {
		return nil, parquet.ErrMissingBloomFilter
	}
	if meta.Type == format.Boolean {
		// Plain booleans are bits, and parquet-go hashes them eight at a time: such a
		// filter may deny both values.
		return nil, filters.Malformed("column type", meta.Type, "has no filter that can be asked")
	}
	length := int64(meta.BloomFilterLength)
	if length == 0 { // from a writer before format 2.10; the reader knows then where the bitset ends
		chunk, ok := chunks[column].(*parquet.FileColumnChunk)
		if !ok {
			return nil, parquet.ErrMissingBloomFilter
		}
		filter, err := chunk.BloomFilterFrom(file)
		if err != nil {
			return nil, err
		}
		_, start, n := filter.Outer()
		length = start + n - meta.BloomFilterOffset
	}
	if offset := meta.BloomFilterOffset; offset < 0 || length < 0 || length > file.Size() || offset > file.Size()-length {
		return nil, filters.Malformed("Bloom filter", fmt.Sprintf("%d bytes at %d", length, offset), fmt.Sprintf("must lie within the file, %d bytes", file.Size()))
	}
	page := make([]byte, length)
	if n, err := file.ReadAt(page, meta.BloomFilterOffset); n < len(page) {
		return nil, err
	}
	return split.OpenParquet(page)
}

func badIndex(what string, i, n int) error {
	return &filters.FieldError{Err: filters.ErrConfig, Field: what, Value: i, Bound: fmt.Sprintf("must be less than %d", n)}
}

// Hash hashes a value as the filters of Parquet files have it, for MayContainHash
// and MayContainBatch. Null is in no filter. It does not allocate.
func Hash(v parquet.Value) filters.Hash {
	var b [8]byte
	switch v.Kind() {
	case parquet.Boolean: // for the sake of an answer; Open refuses such columns
		if v.Boolean() {
			b[0] = 1
		}
		return split.ParquetHash(b[:1])
	case parquet.Int32, parquet.Float:
		binary.LittleEndian.PutUint32(b[:], v.Uint32())
		return split.ParquetHash(b[:4])
	case parquet.Int64, parquet.Double:
		binary.LittleEndian.PutUint64(b[:], v.Uint64())
		return split.ParquetHash(b[:])
	case parquet.Int96:
		var b [12]byte
		for i, word := range v.Int96() {
			binary.LittleEndian.PutUint32(b[4*i:], word)
		}
		return split.ParquetHash(b[:])
	}
	return split.ParquetHash(v.ByteArray())
}
