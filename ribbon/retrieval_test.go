package ribbon

import (
	"bytes"
	"errors"
	"fmt"
	"iter"
	"maps"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/bits-and-blooms/bitset"

	"github.com/tamis-filter/tamis/filters"
	"github.com/tamis-filter/tamis/filters/filtertest"
)

// valueOf is the value that a key of a test has.
func valueOf(i, bits int) uint32 {
	return uint32(uint64(i)*0x9e3779b97f4a7c15>>32) & uint32(1<<bits-1)
}

// numbered pairs hashes with their values.
func numbered(hashes []filters.Hash, bits int) iter.Seq2[filters.Hash, uint32] {
	return func(yield func(filters.Hash, uint32) bool) {
		for i, h := range hashes {
			if !yield(h, valueOf(i, bits)) {
				return
			}
		}
	}
}

// Every key has its value, of any number of bits, in one layer or several, and
// again when it was saved and loaded.
func TestRetrieval(t *testing.T) {
	for _, n := range []int{0, 1, 2, 100, 2000, 2001, 70_000, 400_000} {
		for bits := 1; bits <= 32; bits++ {
			if bits%8 > 1 && (testing.Short() || n > 2001) {
				continue
			}
			hashes := filtertest.Hashes(uint64(n), uint64(bits), n)
			built, err := BuildRetrieval(numbered(hashes, bits), bits, filters.Config{Seed: 7})
			if err != nil {
				t.Fatal(err)
			}
			file, err := built.MarshalBinary()
			if err != nil {
				t.Fatal(err)
			}
			view, err := OpenRetrieval(file)
			if err != nil {
				t.Fatal(err)
			}
			read, unmarshalled := new(Retrieval), new(Retrieval)
			if _, err := read.ReadFrom(bytes.NewReader(file)); err != nil {
				t.Fatal(err)
			}
			if err := unmarshalled.UnmarshalBinary(file); err != nil {
				t.Fatal(err)
			}
			hits := bitset.New(uint(n))
			for _, r := range []*Retrieval{built, view, read, unmarshalled} {
				zeros := r.ZeroBatch(hashes, hits)
				for i, h := range hashes {
					want := valueOf(i, bits)
					if got := r.GetHash(h); got != want || r.Zero(h) != (want == 0) || hits.Test(uint(i)) != (want == 0) {
						t.Fatalf("%d keys, %d bits: key %d is %d, zero %v and %v, want %d", n, bits, i, got, r.Zero(h), hits.Test(uint(i)), want)
					}
				}
				if zeros != int(hits.Count()) {
					t.Errorf("%d zeros, %d counted", hits.Count(), zeros)
				}
			}
			if info := built.Info(); info.Family != "retrieval" || info.Keys != uint64(n) || info.Seed != 7 || n > 0 && info.DesignFPR != math.Ldexp(1, -bits) {
				t.Errorf("%+v", info)
			}
		}
	}
}

// A retrieval of zeros is a filter, bit for bit.
func TestFilterIsRetrievalOfZeros(t *testing.T) {
	const n = 60_000
	hashes := filtertest.Hashes(3, 0, n)
	for bits := 1; bits <= 32; bits += 7 {
		f := mustBuild(t, hashes, filters.Config{FPR: math.Ldexp(1, -bits)})
		zeros := make(map[filters.Hash]uint32)
		for _, h := range hashes {
			zeros[h] = 0
		}
		r, err := BuildRetrieval(maps.All(zeros), bits, filters.Config{})
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(f.file.Payload, r.filter.file.Payload) {
			t.Errorf("%d bits: another payload", bits)
		}
	}
}

// A file opens for ever, and is what building gives everywhere.
func TestGoldenRetrievals(t *testing.T) {
	for _, c := range []struct{ keys, bits int }{{100, 7}, {2500, 8}, {101, 32}} {
		hashes := filtertest.Hashes(6, 0, c.keys)
		r, err := BuildRetrieval(numbered(hashes, c.bits), c.bits, filters.Config{Seed: 8})
		if err != nil {
			t.Fatal(err)
		}
		now, _ := r.AppendBinary(nil)
		if r, err = OpenRetrieval(filtertest.Golden(t, fmt.Sprintf("testdata/v1-retrieval-%d-%d.tamis", c.keys, c.bits), now)); err != nil {
			t.Fatal(err)
		}
		for i, h := range hashes {
			if r.GetHash(h) != valueOf(i, c.bits) {
				t.Fatalf("%d keys, %d bits: key %d is %d", c.keys, c.bits, i, r.GetHash(h))
			}
		}
	}
}

// The values of strangers are as good as random.
func TestStrangersValues(t *testing.T) {
	const n, strangers, bits = 50_000, 160_000, 4
	r, err := BuildRetrieval(numbered(filtertest.Hashes(4, 0, n), bits), bits, filters.Config{})
	if err != nil {
		t.Fatal(err)
	}
	var count [1 << bits]int
	for _, h := range filtertest.Hashes(4, 1, strangers) {
		count[r.GetHash(h)]++
	}
	chi := 0.0
	for _, c := range count {
		d := float64(c) - strangers/16
		chi += d * d / (strangers / 16)
	}
	if chi > 44.3 { // 15 degrees of freedom, one in 10,000
		t.Errorf("values %v: chi squared is %.1f", count, chi)
	}
}

func TestRetrievalRefuses(t *testing.T) {
	one := func(h filters.Hash, values ...uint32) iter.Seq2[filters.Hash, uint32] {
		return func(yield func(filters.Hash, uint32) bool) {
			for _, v := range values {
				if !yield(h, v) {
					return
				}
			}
		}
	}
	for _, test := range []struct {
		pairs iter.Seq2[filters.Hash, uint32]
		bits  int
		want  string
	}{
		{one(1, 1), 0, "bits is 0"},
		{one(1, 1), 33, "bits is 33"},
		{one(1, 1), -1, "bits is -1"},
		{nil, 3, "pairs is nil"},
		{one(0xabc, 3, 8), 3, "value of hash 0xabc is 8, must be less than 2^3"},
		{one(0xabc, 3, 3, 5), 3, "value of hash 0xabc is 5, but it is 3 too"},
	} {
		if r, err := BuildRetrieval(test.pairs, test.bits, filters.Config{}); r != nil || !errors.Is(err, filters.ErrConfig) || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%d bits: %v, %v, want %q", test.bits, r, err, test.want)
		}
	}
	if r, err := BuildRetrieval(one(1, 7, 7, 7), 3, filters.Config{}); err != nil || r.GetHash(1) != 7 {
		t.Errorf("equal pairs: %v", err)
	}
	// A filter's file is no retrieval's, nor is one whose values would differ in width.
	f := mustBuild(t, filtertest.Hashes(5, 0, 3000), filters.Config{FPR: 0.01})
	file, _ := f.AppendBinary(nil)
	if _, err := OpenRetrieval(file); !errors.Is(err, filters.ErrFormat) {
		t.Errorf("a filter opens as a retrieval: %v", err)
	}
	f.file.Kind = filters.Retrieval
	file, _ = f.AppendBinary(nil)
	if _, err := OpenRetrieval(file); !errors.Is(err, filters.ErrFormat) || !strings.Contains(err.Error(), "narrow") {
		t.Errorf("narrow blocks: %v", err)
	}
	var zero Retrieval
	if zero.GetString("a") != 0 || !zero.Zero(1) || zero.ZeroBatch(make([]filters.Hash, 130), bitset.New(130)) != 130 {
		t.Error("the zero value has values other than 0")
	}
}

// Many small ones, of every number of keys, with repeats.
func TestSmallRetrievals(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	step := 1
	if testing.Short() {
		step = 29
	}
	for n := 0; n <= 3000; n += step {
		bits := 1 + n%32
		values := map[filters.Hash]uint32{}
		for range n {
			values[filters.Hash(r.Uint64())] = r.Uint32() & uint32(1<<bits-1)
		}
		got, err := BuildRetrieval(func(yield func(filters.Hash, uint32) bool) {
			for range 2 {
				for h, v := range values {
					if !yield(h, v) {
						return
					}
				}
			}
		}, bits, filters.Config{Seed: uint64(n)})
		if err != nil {
			t.Fatal(err)
		}
		for h, v := range values {
			if got.GetHash(h) != v {
				t.Fatalf("%d keys, %d bits: %x is %d, want %d", n, bits, h, got.GetHash(h), v)
			}
		}
	}
}

// What a stranger sends is refused or answers; see filtertest.
func FuzzRetrievalReaders(f *testing.F) {
	zeros := func(hashes iter.Seq[[]filters.Hash], c filters.Config) (*asFilter, error) {
		return wrap(BuildRetrieval(func(yield func(filters.Hash, uint32) bool) {
			for batch := range hashes {
				for _, h := range batch {
					if !yield(h, 0) {
						return
					}
				}
			}
		}, int(math.Ceil(-math.Log2(c.FPR))), filters.Config{Seed: c.Seed}))
	}
	open := func(data []byte) (*asFilter, error) { return wrap(OpenRetrieval(data)) }
	family := filters.Static(filters.Retrieval, "", zeros, open, Size)
	family.OpenUnverified = filters.Opener(func(data []byte) (*asFilter, error) { return wrap(OpenRetrievalUnverified(data)) })
	filtertest.FuzzReaders(f, family)
}

// asFilter is a retrieval of zeros as the filter that it is.
type asFilter struct{ Retrieval }

func wrap(r *Retrieval, err error) (*asFilter, error) {
	if err != nil {
		return nil, err
	}
	return &asFilter{*r}, nil
}

func (r *asFilter) MayContain(key []byte) bool         { return r.Get(key) == 0 }
func (r *asFilter) MayContainString(key string) bool   { return r.GetString(key) == 0 }
func (r *asFilter) MayContainHash(h filters.Hash) bool { return r.Zero(h) }
func (r *asFilter) MayContainBatch(hashes []filters.Hash, hits *bitset.BitSet) int {
	return r.ZeroBatch(hashes, hits)
}

func ExampleBuildRetrieval() {
	ports := map[string]uint32{"http": 80, "https": 443, "ssh": 22}
	r, err := BuildRetrieval(func(yield func(filters.Hash, uint32) bool) {
		for name, port := range ports {
			if !yield(filters.Hasher{}.String(name), port) {
				return
			}
		}
	}, 16, filters.Config{})
	if err != nil {
		panic(err)
	}
	fmt.Println(r.GetString("https"), r.GetString("ssh"))
	// Output: 443 22
}
