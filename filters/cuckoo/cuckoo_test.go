package cuckoo

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/tamis-filter/tamis/asm"
	"github.com/tamis-filter/tamis/filters"
	"github.com/tamis-filter/tamis/filters/filtertest"
)

func mustNew(t *testing.T, c filters.Config) *Filter {
	t.Helper()
	f, err := New(c)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// The geometry is the smallest of all fingerprints at their loads.
func TestGeometryIsOptimal(t *testing.T) {
	for _, n := range []uint64{1, 10, 1000, 1e6, 1e9} {
		for p := 0.5; p > 1e-9; p /= 1.5 {
			buckets, fpBits, err := Geometry(n, p)
			if errors.Is(err, filters.ErrTooLarge) && filters.MaxPayload < 1<<32 {
				continue
			}
			if err != nil {
				t.Fatal(err)
			}
			if r := rate(float64(n), buckets, fpBits); r > p {
				t.Errorf("n = %d, p = %g: rate %g", n, p, r)
			}
			for _, other := range fingerprints {
				least := uint64(minBuckets(n))
				for b := least; payloadBytes(b, other) < payloadBytes(buckets, fpBits); b += max(1, buckets/1000) {
					if rate(float64(n), b, other) <= p {
						t.Fatalf("n = %d, p = %g: %d bits in %d buckets, but %d bits in %d would do", n, p, fpBits, buckets, other, b)
					}
				}
			}
		}
	}
}

// A million keys at 0.1 %: the rate is kept, at a load of 90 % and more.
func TestRateAndLoad(t *testing.T) {
	n, probes := 1_000_000, 10_000_000
	if testing.Short() {
		n, probes = 100_000, 1_000_000
	}
	f := mustNew(t, filters.Config{Keys: uint64(n), FPR: 1e-3})
	if _, err := f.AddBatch(filtertest.Hashes(1, 0, n)); err != nil {
		t.Fatal(err)
	}
	hits := f.MayContainBatch(filtertest.Hashes(2, 0, probes), nil)
	if float64(hits) > filtertest.Bound(float64(probes), 1.03e-3) || f.Info().Fill < 0.9 {
		t.Errorf("rate %g at load %.3f", float64(hits)/float64(probes), f.Info().Fill)
	}
}

// Distinct keys fill a table of a million slots to 95 % and more, whatever the
// fingerprint.
func TestFullLoad(t *testing.T) {
	for _, fpBits := range fingerprints {
		slots := 1_000_000
		if testing.Short() {
			slots /= 10
		}
		f := empty(filters.Config{}, uint64(slots/4), fpBits)
		hashes := filtertest.Hashes(uint64(fpBits), 0, slots)
		n, err := f.AddBatch(hashes)
		if !errors.Is(err, filters.ErrFull) || f.Info().Fill < 0.95 {
			t.Errorf("%d bits: %v at load %.4f", fpBits, err, f.Info().Fill)
		}
		if got := f.MayContainBatch(hashes[:n], nil); got != n {
			t.Errorf("%d bits: %d of %d members are denied", fpBits, n-got, n)
		}
		t.Logf("%d bits: load %.4f", fpBits, f.Info().Fill)
	}
}

// The spare room suffices for the keys asked for: a few thousand tables of each
// size see none fail.
func TestRoom(t *testing.T) {
	for _, n := range []int{1, 2, 3, 5, 8, 10, 16, 26, 32, 40, 100, 500, 1000, 3000, 10_000, 100_000} {
		for _, p := range []float64{0.04, 0.002, 1e-6} {
			tables := min(2000, 600_000/n)
			if testing.Short() {
				tables = tables/50 + 1
			}
			for i := range tables {
				f := mustNew(t, filters.Config{Keys: uint64(n), FPR: p})
				hashes := filtertest.Hashes(uint64(i), 0, n)
				if added, err := f.AddBatch(hashes); err != nil {
					t.Errorf("n = %d, p = %g, table %d: %d added, %v", n, p, i, added, err)
				}
				g := mustNew(t, filters.Config{Keys: uint64(n), FPR: p})
				if err := g.fill(filters.Raw(filters.SortDistinct([][]filters.Hash{hashes})), nil); err != nil {
					t.Errorf("n = %d, p = %g, table %d, filled at once: %v", n, p, i, err)
				} else if got := g.MayContainBatch(hashes, nil); got != n {
					t.Errorf("n = %d, p = %g, table %d, filled at once: %d are denied", n, p, i, n-got)
				}
			}
		}
	}
}

// Past full, at any capacity, every key whose Add returned nil is there.
func TestFullLosesNobody(t *testing.T) {
	all := uint64(2048) // up to which every number of buckets is tried
	if testing.Short() {
		all = 64
	}
	for b := uint64(1); b <= 16_384; b += 1 + b/all*b/64 {
		for _, fpBits := range []int{fingerprints[b%4], fingerprints[(b+1)%4]} {
			f := empty(filters.Config{}, b, fpBits)
			var in []filters.Hash
			refused := 0
			for _, h := range filtertest.Hashes(b, 0, int(4*b)+100) {
				if err := f.AddHash(h); err == nil {
					in = append(in, h)
				} else if refused++; !errors.Is(err, filters.ErrFull) {
					t.Fatal(err)
				} else if refused > 20 {
					break
				}
			}
			if got := f.MayContainBatch(in, nil); got != len(in) || f.Info().Keys != uint64(len(in)) {
				t.Fatalf("%d buckets of %d bits: %d of %d members are denied", b, fpBits, len(in)-got, len(in))
			}
		}
	}
}

// A refused Add leaves every slot as it was.
func TestRefusalChangesNothing(t *testing.T) {
	f := empty(filters.Config{}, 100, 12)
	hashes := filtertest.Hashes(3, 0, 1000)
	n, _ := f.AddBatch(hashes)
	for _, h := range hashes[n:] {
		before := slices.Clone(f.file.Payload)
		if f.AddHash(h) != nil && !slices.Equal(f.file.Payload, before) {
			t.Fatal("a refused key changed the table")
		}
	}
}

func TestCopiesOfOneKey(t *testing.T) {
	f := mustNew(t, filters.Config{Keys: 100, FPR: 0.001})
	neighbours := filtertest.Hashes(1, 0, 50)
	if _, err := f.AddBatch(neighbours); err != nil {
		t.Fatal(err)
	}
	accepted := 0
	for i := range 20 {
		if err := f.AddString("copy"); err == nil {
			accepted++
		} else if !errors.Is(err, filters.ErrFull) || i < 8 {
			t.Fatalf("copy %d: %v", i, err)
		}
	}
	if accepted != 8 || f.MayContainBatch(neighbours, nil) != 50 {
		t.Errorf("%d copies accepted", accepted)
	}
	for i := range 8 {
		if !f.MayContainString("copy") || !f.DeleteString("copy") {
			t.Fatalf("copy %d is gone", i)
		}
	}
	if f.DeleteString("copy") || f.MayContainBatch(neighbours, nil) != 50 || f.Info().Keys != 50 {
		t.Error("a ninth copy, or a neighbour lost")
	}
}

// Deleting what MayContain denies is refused and changes no bit.
func TestDeleteStrangers(t *testing.T) {
	f := mustNew(t, filters.Config{Keys: 1000, FPR: 0.001})
	members := filtertest.Hashes(1, 0, 1000)
	f.AddBatch(members)
	before := slices.Clone(f.file.Payload)
	for _, h := range filtertest.Hashes(2, 0, 100_000) {
		if !f.MayContainHash(h) && f.DeleteHash(h) {
			t.Fatal("a stranger is deleted")
		}
	}
	if !slices.Equal(f.file.Payload, before) || f.Info().Keys != 1000 {
		t.Error("the table changed")
	}
}

// Keys come and go; a multiset says what must be there.
func TestAgainstMultiset(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for _, fpBits := range fingerprints {
		for _, buckets := range []uint64{1, 2, 3, 10, 57} {
			f := empty(filters.Config{}, buckets, fpBits)
			universe := filtertest.Hashes(buckets, 0, int(6*buckets))
			in := map[filters.Hash]int{}
			total := 0
			for range 10_000 {
				h := universe[r.IntN(len(universe))]
				if r.IntN(100) < 55 {
					if f.AddHash(h) == nil {
						in[h]++
						total++
					}
				} else if in[h] > 0 {
					if !f.DeleteHash(h) {
						t.Fatalf("%d bits, %d buckets: a member cannot be deleted", fpBits, buckets)
					}
					in[h]--
					total--
				}
				if f.Info().Keys != uint64(total) {
					t.Fatalf("counts %d keys, want %d", f.Info().Keys, total)
				}
			}
			for h, n := range in {
				if n > 0 && !f.MayContainHash(h) {
					t.Fatalf("%d bits, %d buckets: a member is denied", fpBits, buckets)
				}
			}
		}
	}
}

// A key whose raw fingerprint is 0, which means an empty slot, is found.
func TestFingerprintZero(t *testing.T) {
	for _, fpBits := range fingerprints {
		f := empty(filters.Config{}, 1000, fpBits)
		for i := range filters.Hash(1000) {
			h := i * 0x9e3779b97f4a7c15 &^ 0xffffffff
			if f.MayContainHash(h) {
				t.Fatalf("%d bits: found before it was added", fpBits)
			}
			if err := f.AddHash(h); err != nil || !f.MayContainHash(h) {
				t.Fatalf("%d bits: %v", fpBits, err)
			}
			if !f.DeleteHash(h) {
				t.Fatalf("%d bits: cannot be deleted", fpBits)
			}
		}
	}
}

// Hashes that share bucket and fingerprint cannot be stored more than eight
// times at any size: Build gives up with an error and without a filter.
func TestBuildGivesUp(t *testing.T) {
	var same []filters.Hash
	for i := range filters.Hash(20) {
		same = append(same, 1<<63|i)
	}
	for _, h := range same {
		a, b := asm.CuckooPlace(uint64(h), 1000, 8)
		if c, d := asm.CuckooPlace(1<<63, 1000, 8); a != c || b != d {
			t.Fatal("they differ")
		}
	}
	for _, c := range []filters.Config{{FPR: 0.05}, {FPR: 0.001}, {MaxBytes: 130}} {
		f, err := Build(slices.Values([][]filters.Hash{same}), c)
		if !errors.Is(err, filters.ErrBuild) || !errors.Is(err, filters.ErrFull) || f != nil {
			t.Errorf("%+v: %v, %v", c, f, err)
		}
	}
}

func TestClone(t *testing.T) {
	f := mustNew(t, filters.Config{Keys: 100, FPR: 0.01})
	f.AddString("a")
	file, _ := f.AppendBinary(nil)
	view, err := Open(file)
	if err != nil {
		t.Fatal(err)
	}
	if view.DeleteString("a") || !view.MayContainString("a") {
		t.Error("a view can be changed")
	}
	g := view.Clone()
	if !g.DeleteString("a") || g.MayContainString("a") || !view.MayContainString("a") {
		t.Error("a clone cannot be changed, or shares memory")
	}
}

func TestZeroValue(t *testing.T) {
	var f Filter
	if f.MayContainHash(1) || f.MayContainBatch([]filters.Hash{1, 2}, nil) != 0 || f.AddHash(1) == nil || f.DeleteHash(1) || f.Info().Keys != 0 {
		t.Error("accepts, takes or loses a key")
	}
	file, _ := f.AppendBinary(nil)
	if _, err := Open(file); !errors.Is(err, filters.ErrFormat) {
		t.Errorf("a filter of no buckets opens: %v", err)
	}
	f.Clone().Info()
}

func ExampleFilter_Delete() {
	f, err := New(filters.Config{Keys: 1000, FPR: 0.001})
	if err != nil {
		panic(err)
	}
	if err := f.AddString("session 17"); err != nil {
		panic(err) // full
	}
	fmt.Println(f.MayContainString("session 17"))
	f.DeleteString("session 17")
	fmt.Println(f.MayContainString("session 17"))
	// Output:
	// true
	// false
}
