package standard

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

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

// The sizes that everybody computes.
func TestGeometry(t *testing.T) {
	for _, c := range []struct {
		n    uint64
		p    float64
		m    uint64
		k, l int // either is right
	}{
		{1_000_000, 0.01, 9_585_059, 7, 7},
		{10_000_000, 0.01, 95_850_584, 7, 7},
		{1_000_000, 1e-6, 28_755_176, 20, 20},
		{1000, 1e-4, 19_171, 13, 14},
		{1000, 1e-5, 23_963, 17, 17},
	} {
		m, k, err := Geometry(c.n, c.p)
		if err != nil || m != c.m || k != c.k && k != c.l {
			t.Errorf("n = %d, p = %g: m = %d, k = %d, %v; want %d, %d", c.n, c.p, m, k, err, c.m, c.k)
		}
	}
}

// Neither another k nor one bit less would do.
func TestGeometryIsOptimal(t *testing.T) {
	for _, n := range []uint64{1, 2, 3, 10, 100, 12345, 1e6, 1e9} {
		for p := 0.9; p > 1e-9; p /= 1.7 {
			m, k, err := Geometry(n, p)
			if errors.Is(err, filters.ErrTooLarge) && filters.MaxPayload < 1<<32 {
				continue
			}
			if err != nil {
				t.Fatal(err)
			}
			rate := filters.BloomRate(m, n, k)
			if rate > 1.01*p {
				t.Errorf("n = %d, p = %g: rate %g", n, p, rate)
			}
			for other := 1; other <= MaxK; other++ {
				if r := filters.BloomRate(m, n, other); r < rate*(1-1e-9) {
					t.Errorf("n = %d, p = %g: k = %d has rate %g, k = %d has %g", n, p, k, rate, other, r)
				}
			}
			if textbook := uint64(math.Ceil(float64(n) * -math.Log(p) / (math.Ln2 * math.Ln2))); m != textbook {
				if m < textbook {
					t.Errorf("n = %d, p = %g: m = %d is below the textbook's %d", n, p, m, textbook)
				}
				if less := filters.BloomRate(m-1, n, BestK(m-1, n)); less <= 1.01*p {
					t.Errorf("n = %d, p = %g: m = %d, but one less has rate %g", n, p, m, less)
				}
			}
		}
	}
}

// A million strings in 28,755,176 bits with k = 20: a 32-bit hash would be far
// above one in a million.
func TestManyStrings(t *testing.T) {
	const n, probes = 1_000_000, 20_000_000
	f := mustNew(t, filters.Config{Keys: n, FPR: 1e-6})
	if f.file.Size != 28_755_176 || f.k() != 20 {
		t.Fatalf("%d bits, k = %d", f.file.Size, f.k())
	}
	for i := range n {
		if err := f.AddString(fmt.Sprint("K", i)); err != nil {
			t.Fatal(err)
		}
	}
	hits := f.MayContainBatch(filtertest.Hashes(1, 0, probes), nil)
	if most := filtertest.Bound(probes, 1e-6); float64(hits) > most {
		t.Errorf("%d hits of %d, more than %.0f", hits, probes, most)
	}
}

func TestUnion(t *testing.T) {
	c := filters.Config{Keys: 2000, FPR: 0.01, Seed: 5}
	one, two, both := mustNew(t, c), mustNew(t, c), mustNew(t, c)
	hashes := filtertest.Hashes(1, 0, 2000)
	one.AddBatch(hashes[:1000])
	two.AddBatch(hashes[1000:])
	both.AddBatch(hashes)
	if err := one.Union(two); err != nil {
		t.Fatal(err)
	}
	if one.Info() != both.Info() || !slices.Equal(one.file.Payload, both.file.Payload) {
		t.Error("the union is not the filter of both key sets")
	}
	before := one.Info()
	if err := one.Union(one); err != nil || one.Info() != before {
		t.Errorf("union with itself: %v, %+v", err, one.Info())
	}
}

func TestUnionRefuses(t *testing.T) {
	f := mustNew(t, filters.Config{Keys: 64, BitsPerKey: 10})
	f.AddHash(1)
	before := slices.Clone(f.file.Payload)
	other := &Filter{file: f.file}
	other.file.Param++
	var none *Filter
	for want, g := range map[string]filters.Filter{
		"seed is 7, must be 0":       mustNew(t, filters.Config{Keys: 64, BitsPerKey: 10, Seed: 7}),
		"size is 650, must be 640":   mustNew(t, filters.Config{Keys: 65, BitsPerKey: 10}),
		"k is 8, must be 7":          other,
		"is nil, must be made with":  none,
		"is <nil>, must be *standar": nil,
	} {
		err := f.Union(g)
		if !errors.Is(err, filters.ErrMismatch) || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, does not say %q", err, want)
		}
	}
	if !slices.Equal(f.file.Payload, before) || f.Info().Keys != 1 {
		t.Error("a refused union changed the filter")
	}
}

func TestFold(t *testing.T) {
	for _, bits := range []float64{2, 10, 12, 16, 100, 8192} {
		f := mustNew(t, filters.Config{Keys: 1, BitsPerKey: bits})
		hashes := filtertest.Hashes(1, 0, 30)
		f.AddBatch(hashes)
		g, err := f.Fold()
		if err != nil {
			t.Fatal(err)
		}
		// The folded filter is the one that the smaller size would have made.
		want := &Filter{file: f.file}
		want.file.Size /= 2
		want.file.Payload = make([]byte, payloadBytes(want.file.Size))
		want.file.Keys = 0
		want.AddBatch(hashes)
		if !slices.Equal(g.file.Payload, want.file.Payload) || g.Info() != want.Info() {
			t.Errorf("%d bits: folds to %x, want %x", f.file.Size, g.file.Payload, want.file.Payload)
		}
	}
	if _, err := mustNew(t, filters.Config{Keys: 1, BitsPerKey: 7}).Fold(); !errors.Is(err, filters.ErrConfig) {
		t.Errorf("an odd size: %v", err)
	}
	f := mustNew(t, filters.Config{Keys: 1000, MaxBytes: 1 << 10})
	for range 6 {
		g, err := f.Fold()
		if err != nil {
			t.Fatal(err)
		}
		f = g
	}
}

func TestCardinality(t *testing.T) {
	f := mustNew(t, filters.Config{Keys: 100_000, FPR: 0.01})
	if n, saturated := f.Cardinality(); n != 0 || saturated {
		t.Errorf("empty: %d, %v", n, saturated)
	}
	for _, n := range []int{1, 100, 10_000, 100_000, 300_000} {
		f := mustNew(t, filters.Config{Keys: 100_000, FPR: 0.01})
		hashes := filtertest.Hashes(1, 0, n)
		f.AddBatch(hashes)
		f.AddBatch(hashes) // repeats do not count
		got, saturated := f.Cardinality()
		// The relative error of linear counting at this load is under a
		// percent, five sigma.
		if math.Abs(float64(got)-float64(n)) > 0.01*float64(n)+1 || saturated {
			t.Errorf("%d keys: estimate %d, %v", n, got, saturated)
		}
	}
	full := mustNew(t, filters.Config{Keys: 10, FPR: 0.1})
	full.AddBatch(filtertest.Hashes(1, 0, 10_000))
	largest := *full
	largest.file.Payload = slices.Clone(full.file.Payload)
	largest.file.Payload[0] &^= 1
	want, _ := largest.Cardinality()
	if n, saturated := full.Cardinality(); !saturated || n != want || n == 0 {
		t.Errorf("full: %d, %v, want %d", n, saturated, want)
	}
}

// A size that is no multiple of a word stays what it is.
func TestSizeSurvivesSaving(t *testing.T) {
	f := mustNew(t, filters.Config{Keys: 10, BitsPerKey: 10})
	if f.file.Size != 100 {
		t.Fatalf("%d bits", f.file.Size)
	}
	hashes := filtertest.Hashes(1, 0, 10)
	f.AddBatch(hashes)
	file, _ := f.AppendBinary(nil)
	g, err := Open(file)
	if err != nil || g.file.Size != 100 || g.MayContainBatch(hashes, nil) != 10 {
		t.Errorf("%v, %+v", err, g)
	}
	h := g.Clone()
	if err := h.AddHash(77); err != nil || !h.MayContainHash(77) || h.file.Keys != 11 || g.file.Keys != 10 {
		t.Errorf("clone: %v", err)
	}
}

// A bit beyond the size is refused: no query reads it, but a union would keep it.
func TestBitsBeyondSize(t *testing.T) {
	f := mustNew(t, filters.Config{Keys: 10, BitsPerKey: 10})
	file, _ := f.AppendBinary(nil)
	for bit := 100; bit < 128; bit++ {
		changed := slices.Clone(file)
		changed[filters.HeaderSize+bit/8] |= 1 << (bit % 8)
		filtertest.Reseal(changed)
		if _, err := Open(changed); !errors.Is(err, filters.ErrFormat) {
			t.Errorf("bit %d: %v", bit, err)
		}
	}
}

// One, two and five keys at one in a million: the rate that most implementations
// miss, because their positions repeat.
func TestTiny(t *testing.T) {
	made := 50_000
	if testing.Short() {
		made /= 20
	}
	const probes = 2000
	for _, n := range []int{1, 2, 5} {
		hits := 0
		for i := range uint64(made) {
			f := mustNew(t, filters.Config{Keys: uint64(n), FPR: 1e-6})
			f.AddBatch(filtertest.Hashes(2*i, 0, n))
			hits += f.MayContainBatch(filtertest.Hashes(2*i+1, 0, probes), nil)
		}
		if total := float64(made * probes); float64(hits) > filtertest.Bound(total, 1.2e-6) {
			t.Errorf("n = %d: %d hits of %.0f", n, hits, total)
		}
	}
}

func TestZeroValue(t *testing.T) {
	var f Filter
	if f.MayContainHash(1) || f.MayContainString("a") || f.MayContainBatch([]filters.Hash{1, 2}, nil) != 0 {
		t.Error("accepts a key")
	}
	n, saturated := f.Cardinality()
	_, foldErr := f.Fold()
	if err := f.AddHash(1); err == nil || f.Info().Keys != 0 || n != 0 || saturated || foldErr == nil || f.Union(&f) == nil {
		t.Error("takes a key, or folds")
	}
	file, _ := f.AppendBinary(nil)
	if _, err := Open(file); !errors.Is(err, filters.ErrFormat) {
		t.Errorf("a filter of no bits opens: %v", err)
	}
	f.Clone().Info()
}
