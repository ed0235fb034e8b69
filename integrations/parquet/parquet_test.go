package parquet_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/bits-and-blooms/bitset"
	pq "github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/bloom"
	"github.com/parquet-go/parquet-go/bloom/xxhash"
	"github.com/parquet-go/parquet-go/deprecated"
	"github.com/parquet-go/parquet-go/encoding/thrift"
	"github.com/parquet-go/parquet-go/format"

	"github.com/tamis-filter/tamis/blocked/split"
	"github.com/tamis-filter/tamis/filters"
	"github.com/tamis-filter/tamis/integrations/parquet"
)

// row has a column of every type that is hashed in a way of its own.
type row struct {
	Name  string           `parquet:"name"`
	Wide  int64            `parquet:"wide"`
	Small int32            `parquet:"small"`
	Ratio float64          `parquet:"ratio"`
	Part  float32          `parquet:"part"`
	ID    [16]byte         `parquet:"id,uuid"`
	Old   deprecated.Int96 `parquet:"old"`
	Flag  bool             `parquet:"flag"`
	Plain string           `parquet:"plain"` // has no filter
}

var columns = []string{"name", "wide", "small", "ratio", "part", "id", "old", "flag"}

func rowOf(i int) row {
	r := row{Name: fmt.Sprint("name-", i), Wide: int64(i) * 1e12, Small: int32(-i), Ratio: float64(i) / 7, Part: float32(i) / 3, Flag: i%2 == 0, Plain: "x"}
	binary.LittleEndian.PutUint64(r.ID[4:], uint64(i)*0x9e3779b97f4a7c15)
	r.Old = deprecated.Int96{uint32(i), uint32(i) * 7, uint32(i) + 1}
	return r
}

const perGroup = 5000

// written is a Parquet file of two row groups, on disk, as parquet-go writes it.
func written(t *testing.T, options ...pq.WriterOption) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "table.parquet")
	file, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	var filters []pq.BloomFilterColumn
	for _, name := range columns {
		filters = append(filters, pq.SplitBlockFilter(10, name))
	}
	w := pq.NewGenericWriter[row](file, append(options, pq.BloomFilters(filters...))...)
	for group := range 2 {
		for i := range perGroup {
			if _, err := w.Write([]row{rowOf(group*perGroup + i)}); err != nil {
				t.Fatal(err)
			}
		}
		if err := w.Flush(); err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(w.Close(), file.Close()); err != nil {
		t.Fatal(err)
	}
	return path
}

func opened(t *testing.T, path string) *pq.File {
	t.Helper()
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { file.Close() })
	info, err := file.Stat()
	if err != nil {
		t.Fatal(err)
	}
	f, err := pq.OpenFile(file, info.Size())
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// values returns a column's values of rows from to to.
func values(column, from, to int) []pq.Value {
	var out []pq.Value
	schema := pq.SchemaOf(row{})
	for i := from; i < to; i++ {
		out = append(out, schema.Deconstruct(nil, rowOf(i))[column])
	}
	return out
}

// pageOf returns where the filter of a column lies in the file.
func pageOf(f *pq.File, group, column int) (offset, length int64) {
	meta := &f.Metadata().RowGroups[group].Columns[column].MetaData
	return meta.BloomFilterOffset, int64(meta.BloomFilterLength)
}

// The filters that parquet-go writes answer through tamis as through parquet-go:
// no value of the column is denied, and strangers get the same answer, alone and
// in a batch. The filter that tamis makes of the values is theirs, to the byte.
func TestTheirsThroughOurs(t *testing.T) {
	path := written(t)
	f := opened(t, path)
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for group := range 2 {
		for column, name := range columns[:len(columns)-1] { // flag is refused
			ours, err := parquet.Open(f, group, column)
			if err != nil {
				t.Fatal(err)
			}
			theirs := f.RowGroups()[group].ColumnChunks()[column].BloomFilter()
			all := values(column, 0, 4*perGroup) // of this group, of the other, of none
			var hashes []filters.Hash
			for _, v := range all {
				hashes = append(hashes, parquet.Hash(v))
			}
			hits := bitset.New(0)
			ours.MayContainBatch(hashes, hits)
			agreed := 0
			for i, v := range all {
				want, err := theirs.Check(v)
				if err != nil {
					t.Fatal(err)
				}
				if hits.Test(uint(i)) != want || ours.MayContainHash(hashes[i]) != want {
					t.Fatalf("%s, group %d: value %v is %v through parquet-go", name, group, v, want)
				}
				if i/perGroup == group && !want {
					t.Fatalf("%s, group %d: member %v is denied", name, group, v)
				}
				agreed++
			}
			made, err := split.NewParquet(filters.Config{Keys: perGroup, MaxBytes: filters.HeaderSize + uint64(len(ours.Blocks()))})
			if err != nil {
				t.Fatal(err)
			}
			made.AddBatch(hashes[group*perGroup : (group+1)*perGroup])
			page, err := made.AppendParquet(nil)
			if err != nil {
				t.Fatal(err)
			}
			offset, length := pageOf(f, group, column)
			if !bytes.Equal(page, raw[offset:offset+length]) {
				t.Errorf("%s, group %d: the filter made of its values is another, of %d bytes, not %d", name, group, len(page), length)
			}
			t.Logf("%s, group %d: %d answers agree, %d bytes of filter are equal", name, group, agreed, length)
		}
	}
}

// A filter that tamis makes, of other keys, put in the place of one in the file
// answers through parquet-go.
func TestOursThroughTheirs(t *testing.T) {
	path := written(t)
	f := opened(t, path)
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	offset, length := pageOf(f, 1, 0)
	ours, err := split.NewParquet(filters.Config{Keys: perGroup, MaxBytes: filters.HeaderSize + uint64(length)/32*32})
	if err != nil {
		t.Fatal(err)
	}
	for i := range perGroup {
		ours.AddString(fmt.Sprint("other-", i))
	}
	page, err := ours.AppendParquet(nil)
	if err != nil || int64(len(page)) != length {
		t.Fatalf("%d bytes for %d, %v", len(page), length, err)
	}
	copy(raw[offset:], page)
	changed := filepath.Join(t.TempDir(), "changed.parquet")
	if err := os.WriteFile(changed, raw, 0o644); err != nil {
		t.Fatal(err)
	}
	theirs := opened(t, changed).RowGroups()[1].ColumnChunks()[0].BloomFilter()
	strangers := 0
	for i := range 4 * perGroup {
		if ok, err := theirs.Check(pq.ValueOf(fmt.Sprint("other-", i))); err != nil || i < perGroup && !ok {
			t.Fatalf("other-%d: %v, %v", i, ok, err)
		} else if ok && i >= perGroup {
			strangers++
		}
	}
	if rate := float64(strangers) / (3 * perGroup); rate > 0.03 {
		t.Errorf("strangers: rate %g", rate)
	}
	if again, err := parquet.Open(opened(t, changed), 1, 0); err != nil || !slices.Equal(again.Blocks(), ours.Blocks()) {
		t.Errorf("%v", err)
	}
}

// The header is what parquet-go's Thrift writes, and reads.
func TestHeader(t *testing.T) {
	for _, blocks := range []int{1, 2, 3, 4, 256, 257, 8192, 100_000} {
		f, err := split.NewParquet(filters.Config{Keys: uint64(blocks) * 10, MaxBytes: filters.HeaderSize + uint64(blocks)*32})
		if err != nil {
			t.Fatal(err)
		}
		page, err := f.AppendParquet(nil)
		if err != nil {
			t.Fatal(err)
		}
		header := format.BloomFilterHeader{NumBytes: int32(blocks * 32)}
		header.Algorithm.Value = &format.SplitBlockAlgorithm{}
		header.Hash.Value = &format.XxHash{}
		header.Compression.Value = &format.BloomFilterUncompressed{}
		want, err := thrift.Marshal(new(thrift.CompactProtocol), &header)
		if err != nil {
			t.Fatal(err)
		}
		if got := page[:len(page)-blocks*32]; !bytes.Equal(got, want) {
			t.Errorf("%d blocks: header %x, want %x", blocks, got, want)
		}
	}
}

// Every length, against another implementation.
func TestHash(t *testing.T) {
	data := make([]byte, 400)
	for i := range data {
		data[i] = byte(i * 31)
	}
	for n := range data {
		for offset := range 3 {
			if got, want := split.ParquetHash(data[offset:n]), xxhash.Sum64(data[offset:max(n, offset)]); n >= offset && uint64(got) != want {
				t.Fatalf("%d bytes: %x, want %x", n, uint64(got), want)
			}
			if n <= offset {
				break
			}
		}
	}
	if got := parquet.Hash(pq.ValueOf(true)); uint64(got) != (bloom.XXH64{}).Sum64Uint8(1) {
		t.Errorf("true: %x", uint64(got))
	}
	v := pq.ValueOf("some text of a length")
	if n := testing.AllocsPerRun(20, func() { parquet.Hash(v) }); n != 0 {
		t.Errorf("allocates %v times", n)
	}
}

// What is not there, cannot be read or lies is an error.
func TestRefusals(t *testing.T) {
	path := written(t)
	f := opened(t, path)
	if _, err := parquet.Open(f, 0, len(columns)); !errors.Is(err, pq.ErrMissingBloomFilter) {
		t.Errorf("a column without a filter: %v", err)
	}
	if _, err := parquet.Open(f, 0, len(columns)-1); !errors.Is(err, filters.ErrFormat) {
		t.Errorf("a column of booleans: %v", err)
	}
	for _, at := range [][2]int{{2, 0}, {-1, 0}, {0, 99}, {0, -1}} {
		if _, err := parquet.Open(f, at[0], at[1]); !errors.Is(err, filters.ErrConfig) {
			t.Errorf("%v: %v", at, err)
		}
	}
	meta := &f.Metadata().RowGroups[0].Columns[0].MetaData
	good := *meta
	for _, lie := range []struct {
		offset int64
		length int32
	}{{good.BloomFilterOffset, 1<<31 - 1}, {good.BloomFilterOffset, 3}, {1 << 62, good.BloomFilterLength}, {-5, good.BloomFilterLength}, {good.BloomFilterOffset, -1}, {good.BloomFilterOffset + 1, good.BloomFilterLength}, {good.BloomFilterOffset, good.BloomFilterLength - 32}} {
		meta.BloomFilterOffset, meta.BloomFilterLength = lie.offset, lie.length
		if _, err := parquet.Open(f, 0, 0); !errors.Is(err, filters.ErrFormat) {
			t.Errorf("%+v: %v", lie, err)
		}
	}
	// Old writers do not say the length.
	meta.BloomFilterOffset, meta.BloomFilterLength = good.BloomFilterOffset, 0
	if old, err := parquet.Open(f, 0, 0); err != nil || !old.MayContainString("name-3") {
		t.Errorf("no length: %v", err)
	}
	compressed := opened(t, written(t, pq.BloomFilterCompression(&pq.Gzip)))
	if _, err := parquet.Open(compressed, 0, 0); !errors.Is(err, filters.ErrFormat) {
		t.Errorf("a compressed filter: %v", err)
	}
}
