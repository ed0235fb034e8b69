package exact

import (
	"errors"
	"fmt"
	"iter"
	"math"
	"slices"
	"testing"

	"github.com/bits-and-blooms/bitset"

	"github.com/tamis-filter/tamis/filters"
	"github.com/tamis-filter/tamis/filters/filtertest"
)

func one(hashes []filters.Hash) iter.Seq[[]filters.Hash] {
	return slices.Values([][]filters.Hash{hashes})
}

func mustBuild(t *testing.T, in, out []filters.Hash, c filters.Config) *Filter {
	t.Helper()
	f, err := Build(one(in), one(out), c)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// All of one set, none of the other, single and in batches, built and opened; and
// of strangers no more than was asked for.
func TestExact(t *testing.T) {
	sizes := []int{0, 1, 2, 63, 1000, 1025, 20_000, 300_000}
	if testing.Short() {
		sizes = sizes[:7]
	}
	for _, n := range sizes {
		for _, m := range sizes {
			for _, p := range []float64{0.9, 0.5, 0.3, 0.01, 1.0 / 512, 1e-5} {
				in, out, strangers := filtertest.Hashes(1, 0, n), filtertest.Hashes(2, 0, m), filtertest.Hashes(3, 0, 200_000)
				built := mustBuild(t, in, out, filters.Config{FPR: p, Seed: 5})
				file, _ := built.AppendBinary(nil)
				opened, err := Open(file)
				if err != nil {
					t.Fatalf("n = %d, m = %d, p = %g: %v", n, m, p, err)
				}
				for _, f := range []*Filter{built, opened} {
					if got := f.MayContainBatch(in, bitset.New(uint(n))); got != n {
						t.Fatalf("n = %d, m = %d, p = %g: %d of the set are denied", n, m, p, n-got)
					}
					if got := f.MayContainBatch(out, nil); got != 0 {
						t.Fatalf("n = %d, m = %d, p = %g: %d excluded keys are held", n, m, p, got)
					}
					for i := range min(n, m, 5000) {
						if !f.MayContainHash(in[i]) || f.MayContainHash(out[i]) {
							t.Fatalf("n = %d, m = %d, p = %g: key %d alone", n, m, p, i)
						}
					}
				}
				hits := bitset.New(0)
				count := opened.MayContainBatch(strangers, hits)
				for i, h := range strangers[:20_000] {
					if opened.MayContainHash(h) != hits.Test(uint(i)) {
						t.Fatal("a batch differs from single tests")
					}
				}
				info := opened.Info()
				if n == 0 {
					if count != 0 || info.ExpectedFPR != 0 {
						t.Errorf("an empty set holds %d strangers, expects %g", count, info.ExpectedFPR)
					}
					continue
				}
				// What is stated is at most what was asked for, and shows.
				if info.DesignFPR > p || info.DesignFPR != info.ExpectedFPR {
					t.Errorf("n = %d, m = %d, p = %g: states %g and %g", n, m, p, info.DesignFPR, info.ExpectedFPR)
				}
				tests := float64(len(strangers))
				low := tests*info.DesignFPR - 6*math.Sqrt(tests*info.DesignFPR) - 1
				if most := filtertest.Bound(tests, info.DesignFPR); n >= 1000 && (float64(count) > most || float64(count) < low) {
					t.Errorf("n = %d, m = %d, p = %g: %d strangers are held, want %.0f to %.0f", n, m, p, count, low, most)
				}
			}
		}
	}
}

// With a rate to choose, the file is hardly larger than with the best one.
func TestSmallest(t *testing.T) {
	const n = 50_000
	in := filtertest.Hashes(4, 0, n)
	for _, m := range []int{100, 20_000, 50_000, 100_000, 1_000_000} {
		out := filtertest.Hashes(5, 0, m)
		file, _ := mustBuild(t, in, out, filters.Config{FPR: 0.9}).AppendBinary(nil)
		for rate := 1.0; rate > 1e-3; rate *= 0.88 {
			if rate > 0.5 && rate < 1 {
				continue
			}
			other, err := build(in, out, rate, filters.Config{})
			if err != nil {
				t.Fatal(err)
			}
			if bytes := other.file.FileBytes(); float64(len(file)) > 1.01*float64(bytes) {
				t.Errorf("m = %d: %d bytes, but %d at a rate of %g", m, len(file), bytes, rate)
			}
		}
	}
}

// A budget is kept, used, and spent on a lower rate.
func TestBudget(t *testing.T) {
	const n, m = 20_000, 30_000
	in, out := filtertest.Hashes(6, 0, n), filtertest.Hashes(7, 0, m)
	for _, bits := range []float64{3, 4, 7.7, 9, 12, 20} {
		c := filters.Config{MaxBytes: uint64(bits * n / 8)}
		f := mustBuild(t, in, out, c)
		if bytes := f.file.FileBytes(); bytes > c.MaxBytes || float64(bytes) < 0.985*float64(c.MaxBytes) {
			t.Errorf("%d bytes of %d", bytes, c.MaxBytes)
		}
		if held := f.MayContainBatch(in, nil); held != n || f.MayContainBatch(out, nil) != 0 {
			t.Errorf("%g bits: %d keys are denied, or an excluded one is held", bits, n-held)
		}
	}
	if f, err := Build(one(in), one(out), filters.Config{MaxBytes: 2600}); f != nil || !errors.Is(err, filters.ErrUnreachable) {
		t.Errorf("%v, %v", f, err)
	}
}

// A file that comes to more than planned is built again: progress does not fall, and
// the memory for both times is stated.
func TestBuiltAgain(t *testing.T) {
	again := 0
	for s := uint64(270); s < 300; s++ { // 277 is one that comes to more
		const n, m = 1500, 500
		in, out := filtertest.Hashes(1000+s, 0, n), filtertest.Hashes(2000+s, 0, m)
		c := filters.Config{Keys: n, MaxBytes: 5200}
		told := 0.0
		c.Progress = func(done float64) {
			if done < told {
				t.Fatalf("%d: told %g after %g", s, done, told)
			}
			told = done
		}
		size, err := Size(c, m)
		if err != nil {
			t.Fatal(err)
		}
		f := mustBuild(t, in, out, c)
		if info := f.Info(); told != 1 || info.BuildBytes > size.BuildBytes || f.file.FileBytes() > c.MaxBytes {
			t.Errorf("%d: %+v, %d bytes of %d, to build %d stated", s, info, f.file.FileBytes(), c.MaxBytes, size.BuildBytes)
		}
		if f.Info().BuildBytes > size.BuildBytes*3/4 {
			again++
		}
	}
	if again == 0 {
		t.Error("none was built again: choose other sizes")
	}
}

// What include takes is not there for exclude.
func TestBoundIsForBothSets(t *testing.T) {
	const n, room = 200_000, 100_000
	batch, taken := filtertest.Hashes(13, 0, 1000), 0
	endless := func(yield func([]filters.Hash) bool) {
		for yield(batch) {
			taken += len(batch)
		}
	}
	c := filters.Config{FPR: 0.01, MaxBuildBytes: filters.DistinctBytes(n) + room}
	f, err := Build(one(filtertest.Hashes(12, 0, n)), endless, c)
	if f != nil || !errors.Is(err, filters.ErrTooLarge) || 8*taken > room {
		t.Errorf("%v, %v, %d excluded keys taken", f, err, taken)
	}
}

// What Size says is about what Build makes.
func TestSizeExcluding(t *testing.T) {
	const n = 30_000
	for _, m := range []int{0, 1000, 100_000} {
		for _, p := range []float64{0.6, 0.01, 1e-4} {
			c := filters.Config{Keys: n, FPR: p}
			size, err := Size(c, uint64(m))
			if err != nil {
				t.Fatal(err)
			}
			f := mustBuild(t, filtertest.Hashes(8, 0, n), filtertest.Hashes(9, 0, m), c)
			if ratio := float64(size.Bytes) / float64(f.file.FileBytes()); math.Abs(ratio-1) > 0.01 {
				t.Errorf("m = %d, p = %g: says %d bytes, takes %d", m, p, size.Bytes, f.file.FileBytes())
			}
			if info := f.Info(); math.Abs(size.FPR/info.DesignFPR-1) > 1e-6 {
				t.Errorf("m = %d, p = %g: says a rate of %g, states %g", m, p, size.FPR, info.DesignFPR)
			}
		}
	}
	if _, err := Size(filters.Config{Keys: 1, FPR: 0.1}, filters.MaxKeys+1); !errors.Is(err, filters.ErrConfig) {
		t.Error(err)
	}
}

// Keys in both sets are an error that says how many, and names one.
func TestOverlap(t *testing.T) {
	in, out := filtertest.Hashes(10, 0, 1000), filtertest.Hashes(11, 0, 1000)
	both := []filters.Hash{in[10], in[20], in[999]}
	for _, n := range []int{1, 3} {
		f, err := Build(one(in), one(append(slices.Clone(both[:n]), out...)), filters.Config{FPR: 0.01})
		overlap, ok := errors.AsType[*OverlapError](err)
		if f != nil || !ok || !errors.Is(err, filters.ErrConfig) || overlap.Keys != n || !slices.Contains(both, overlap.Hash) {
			t.Errorf("%v, %v", f, err)
		}
	}
	// Repeats within a set are none.
	f := mustBuild(t, append(in, in...), append(out, out...), filters.Config{FPR: 0.01})
	if info := f.Info(); info.Keys != 1000 || f.excluded() != 1000 {
		t.Errorf("%+v", info)
	}
}

// A file of each shape opens for ever, and is what building gives everywhere.
func TestGoldenFiles(t *testing.T) {
	for _, c := range []struct {
		name      string
		keys, out int
		p         float64
	}{{"both", 100, 70, 0.01}, {"second", 101, 102, 0.5}, {"large", 3000, 4000, 1.0 / 512}} {
		hash := func(prefix string, n int) (hashes []filters.Hash) {
			for i := range n {
				hashes = append(hashes, filters.Hasher{Seed: 3}.String(fmt.Sprint(prefix, i)))
			}
			return hashes
		}
		in, out := hash("key-", c.keys), hash("other-", c.out)
		now, _ := mustBuild(t, in, out, filters.Config{FPR: c.p, Seed: 3}).AppendBinary(nil)
		f, err := Open(filtertest.Golden(t, "testdata/v1-exact-"+c.name+".tamis", now))
		if err != nil {
			t.Fatal(err)
		}
		if f.MayContainBatch(in, nil) != len(in) || f.MayContainBatch(out, nil) != 0 {
			t.Errorf("%s: a key is denied, or an excluded one held", c.name)
		}
	}
}

func TestZeroValue(t *testing.T) {
	var f Filter
	if f.MayContainHash(1) || f.MayContainBatch(make([]filters.Hash, 100), nil) != 0 || f.Info().Keys != 0 {
		t.Error("holds a key")
	}
}

func ExampleBuild() {
	hash := filters.Hasher{}.Strings
	blocklist := hash(slices.Values([]string{"ads.example", "tracker.example"}))
	known := hash(slices.Values([]string{"go.dev", "wikipedia.org"}))
	f, err := Build(blocklist, known, filters.Config{FPR: 0.01})
	if err != nil {
		panic(err)
	}
	fmt.Println(f.MayContainString("tracker.example"))
	fmt.Println(f.MayContainString("wikipedia.org")) // false, and not by chance
	// Output:
	// true
	// false
}
