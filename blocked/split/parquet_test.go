package split

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/tamis-filter/tamis/filters"
	"github.com/tamis-filter/tamis/filters/filtertest"
)

// The first five are the sanity checks of xxHash itself. The module
// integrations/parquet compares all lengths with another implementation.
func TestParquetHash(t *testing.T) {
	sanity := make([]byte, 222)
	gen := uint64(2654435761)
	for i := range sanity {
		sanity[i] = byte(gen >> 56)
		gen *= 11400714785074694797
	}
	for _, c := range []struct {
		data []byte
		want filters.Hash
	}{
		{nil, 0xef46db3751d8e999},
		{sanity[:1], 0xe934a84adb052768},
		{sanity[:4], 0x9136a0dca57457ee},
		{sanity[:14], 0x8282dcc4994e35c8},
		{sanity[:222], 0xb641ae8cb691c174},
		{[]byte("a"), 0xd24ec4f1a98c6e5b},
		{[]byte("abc"), 0x44bc2cf5ad770999},
		{[]byte("Call me Ishmael. Some years ago--never mind how long precisely-"), 0x02a2e85470d6fd96},
	} {
		if got := ParquetHash(c.data); got != c.want {
			t.Errorf("%d bytes: %x, want %x", len(c.data), uint64(got), uint64(c.want))
		}
	}
	text := strings.Repeat("no copy ", 20)
	f := mustParquet(t, filters.Config{Keys: 10, FPR: 0.01})
	if n := testing.AllocsPerRun(20, func() { f.MayContainString(text) }); n != 0 {
		t.Errorf("a string is copied")
	}
}

func mustParquet(t *testing.T, c filters.Config) *Filter {
	t.Helper()
	f, err := NewParquet(c)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// A filter of Parquet's hash goes to Parquet's form and back, and to a filter file
// and back, and says the same. Nothing takes it for one of the other hash.
func TestParquetRoundTrip(t *testing.T) {
	f := mustParquet(t, filters.Config{Keys: 1000, FPR: 0.01})
	plain, _ := New(filters.Config{Keys: 1000, FPR: 0.01})
	for i := range 1000 {
		if err := errors.Join(f.AddString(fmt.Sprint("key-", i)), plain.AddString(fmt.Sprint("key-", i))); err != nil {
			t.Fatal(err)
		}
	}
	parquet, err := f.AppendParquet([]byte("prefix"))
	if err != nil || !bytes.HasPrefix(parquet, []byte("prefix\x15")) || !bytes.HasSuffix(parquet, f.Blocks()) {
		t.Fatalf("%x, %v", parquet[:30], err)
	}
	parquet = parquet[len("prefix"):]
	file, err := f.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	for name, data := range map[string][]byte{"Parquet": parquet, "file": file} {
		for offset := range 8 {
			g, err := OpenParquet(append(make([]byte, offset), data...)[offset:])
			if err != nil {
				t.Fatal(err)
			}
			for i := range 1000 {
				key := fmt.Sprint("key-", i)
				if !g.MayContainString(key) || !g.MayContain([]byte(key)) || !g.MayContainHash(xxh64(key)) {
					t.Fatalf("%s: %s is denied", name, key)
				}
			}
			if again, err := g.AppendParquet(nil); err != nil || !bytes.Equal(again, parquet) {
				t.Errorf("%s: to other bytes, %v", name, err)
			}
			info := g.Info()
			if info.Hash != "XXH64" || math.Abs(float64(info.Keys)-1000) > 20 || info.ExpectedFPR < 0.005 || info.ExpectedFPR > 0.015 {
				t.Errorf("%s: %+v", name, info)
			}
			if err := g.AddHash(1); !errors.Is(err, filters.ErrReadOnly) {
				t.Errorf("%s: a view grows: %v", name, err)
			}
			if err := g.Clone().Union(plain); !errors.Is(err, filters.ErrMismatch) || !strings.Contains(err.Error(), "hash is XXH3-64, must be XXH64") {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
	// Whoever may hash by a Hasher does not get it.
	if _, err := Open(file); !errors.Is(err, filters.ErrFormat) || !strings.Contains(err.Error(), "split.OpenParquet opens this file") {
		t.Errorf("%v", err)
	}
	plainFile, _ := plain.MarshalBinary()
	if _, err := OpenParquet(plainFile); !errors.Is(err, filters.ErrFormat) || !strings.Contains(err.Error(), "Open opens this file") {
		t.Errorf("%v", err)
	}
	if _, err := plain.AppendParquet(nil); !errors.Is(err, filters.ErrMismatch) {
		t.Errorf("%v", err)
	}
	if _, err := NewParquet(filters.Config{Keys: 1, FPR: 0.1, Seed: 1}); !errors.Is(err, filters.ErrConfig) {
		t.Errorf("a seed: %v", err)
	}
	if _, err := new(Filter).AppendParquet(nil); err == nil {
		t.Error("the zero value has a Parquet form")
	}
}

// The number of keys that a bitset tells of.
func TestEstimate(t *testing.T) {
	for _, n := range []int{0, 1, 100, 10_000, 200_000} {
		f := mustParquet(t, filters.Config{Keys: 100_000, FPR: 0.01})
		f.AddBatch(filtertest.Hashes(1, 0, n))
		g, err := OpenBitset(f.Blocks())
		if err != nil {
			t.Fatal(err)
		}
		if got := float64(g.Info().Keys); math.Abs(got-float64(n)) > 0.01*float64(n) {
			t.Errorf("%d keys: estimate %g", n, got)
		}
	}
	full := bytes.Repeat([]byte{0xff}, 320)
	g, err := OpenBitset(full)
	if err != nil || g.Info().Keys < 500 {
		t.Errorf("%+v, %v", g, err)
	}
	for _, n := range []int{0, 1, 31, 33, 64 + 16} {
		if _, err := OpenBitset(make([]byte, n)); !errors.Is(err, filters.ErrFormat) {
			t.Errorf("%d bytes: %v", n, err)
		}
	}
}

// Headers as other writers may have them, and as none may.
func TestParquetHeader(t *testing.T) {
	f := mustParquet(t, filters.Config{Keys: 10, MaxBytes: filters.HeaderSize + 64})
	good, err := f.AppendParquet(nil)
	if err != nil {
		t.Fatal(err)
	}
	const plain = "\x15\x80\x01" + "\x1c\x1c\x00\x00" + "\x1c\x1c\x00\x00" + "\x1c\x1c\x00\x00" + "\x00"
	bitset := string(f.Blocks())
	if string(good) != plain+bitset {
		t.Fatalf("header is %x, want %x", good[:16], plain)
	}
	const rest = "\x1c\x1c\x00\x00" + "\x1c\x1c\x00\x00"
	for header, want := range map[string]string{
		plain: "",
		"\x05\x02\x80\x01" + "\x0c\x04\x1c\x00\x00" + "\x0c\x06\x1c\x00\x00" + "\x0c\x08\x1c\x00\x00" + "\x00":                             "", // long forms
		"\x15\x80\x01" + "\x1c\x1c\x15\x02\x18\x03abc\x00\x00" + rest + "\x11\x12\x13\x07\x17\x01\x02\x03\x04\x05\x06\x07\x08\x16\x09\x00": "", // fields to come
		"\x15\x82\x01" + "\x1c\x1c\x00\x00" + rest + "\x00":                                                                                "numBytes is 65, but 64 are there",
		"\x15\x81\x01" + "\x1c\x1c\x00\x00" + rest + "\x00":                                                                                "not negative",
		"\x15\x80\x80\x80\x80\x80\x01" + "\x1c\x1c\x00\x00" + rest + "\x00":                                                                "must be an i32",
		"\x15\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01" + "\x1c\x1c\x00\x00" + rest + "\x00":                                            "more than 64 bits",
		"\x2c\x1c\x00\x00" + rest + "\x00":                                                                                                 "numBytes is missing",
		"\x15\x80\x01" + rest + "\x00":                                                                                                     "compression is missing",
		"\x15\x80\x01" + "\x1c\x00" + rest + "\x00":                                                                                        "algorithm is empty",
		"\x15\x80\x01" + rest + "\x1c\x2c\x00\x00" + "\x00":                                                                                "compression is choice 2",
		"\x15\x80\x01" + "\x1c\x15\x02\x00" + rest + "\x00":                                                                                "algorithm is choice 1",
		plain[:15] + "\x1d\x00":                                 "field type is 13",
		plain[:15] + "\x19\xf5\xff\xff\xff\xff\x0f\x00":         "lists are unknown",
		plain[:15] + "\x18\xff\xff\xff\xff\xff\xff\xff\xff\x7f": "ends within a value",
		plain[:15] + strings.Repeat("\x1c", 40) + "\x00":        "nesting",
	} {
		_, err := OpenParquet([]byte(header + bitset))
		if want == "" && err != nil || want != "" && (!errors.Is(err, filters.ErrFormat) || !strings.Contains(err.Error(), want)) {
			t.Errorf("header %x: %v, want %q", header, err, want)
		}
	}
	for n := range good {
		if _, err := OpenParquet(good[:n]); !errors.Is(err, filters.ErrFormat) {
			t.Errorf("cut at %d: %v", n, err)
		}
	}
	random := rand.New(rand.NewPCG(1, 2))
	for range 50_000 {
		data := slices.Clone(good)
		for range 1 + random.IntN(3) {
			data[random.IntN(len(plain)+2)] = byte(random.Uint32())
		}
		if random.IntN(4) == 0 {
			data = data[:random.IntN(len(data))]
		}
		tryParquet(t, data)
	}
}

// tryParquet checks that what is in data is refused, or a sound filter.
func tryParquet(t *testing.T, data []byte) {
	f, err := OpenParquet(data)
	if err != nil {
		if !errors.Is(err, filters.ErrFormat) {
			t.Fatalf("%v is not an ErrFormat", err)
		}
		return
	}
	f.MayContainBatch(filtertest.Hashes(1, 0, 100), nil)
	f.Info()
	saved, err := f.AppendParquet(nil)
	if err != nil || !bytes.HasSuffix(data, f.Blocks()) {
		t.Fatal(err)
	}
	if g, err := OpenParquet(saved); err != nil || !bytes.Equal(g.Blocks(), f.Blocks()) {
		t.Fatalf("to other bytes: %v", err)
	}
}

func FuzzParquet(f *testing.F) {
	for _, name := range []string{"n0-blocks1", "n1-blocks1", "n1000-blocks40"} {
		bitset, err := os.ReadFile("testdata/parquet-sbbf-" + name + ".bin")
		if err != nil {
			f.Fatal(err)
		}
		f.Add(append(appendThriftHeader(nil, int32(len(bitset))), bitset...))
	}
	file, _ := (&Filter{file: filters.Envelope{Kind: filters.Split, XXH64: true, Param: k, Size: 1, Payload: make([]byte, 32)}}).MarshalBinary()
	f.Add(file)
	f.Fuzz(func(t *testing.T, data []byte) {
		tryParquet(t, data)
		if resealed := slices.Clone(data); filters.IsFile(resealed) {
			filtertest.Reseal(resealed)
			tryParquet(t, resealed)
		}
	})
}

func ExampleFilter_AppendParquet() {
	f, err := NewParquet(filters.Config{Keys: 3, FPR: 0.001})
	if err != nil {
		panic(err)
	}
	f.AddString("red")
	f.Add(binary.LittleEndian.AppendUint64(nil, 42)) // an INT64
	page, err := f.AppendParquet(nil)
	if err != nil {
		panic(err)
	}
	g, err := OpenParquet(page)
	if err != nil {
		panic(err)
	}
	fmt.Println(g.MayContainString("red"), g.MayContainString("blue"))
	// Output: true false
}

// The file of a filter of Parquet's hash, kept for ever.
func TestParquetGoldenFile(t *testing.T) {
	f := mustParquet(t, filters.Config{Keys: 100, FPR: 0.01})
	for i := range 100 {
		f.AddString(fmt.Sprint("key-", i))
	}
	now, err := f.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	g, err := OpenParquet(filtertest.Golden(t, "testdata/v1-split-xxh64-100.tamis", now))
	if err != nil {
		t.Fatal(err)
	}
	for i := range 100 {
		if !g.MayContainString(fmt.Sprint("key-", i)) {
			t.Fatalf("key %d is denied", i)
		}
	}
}
