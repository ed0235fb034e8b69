package ribbon

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/tamis-filter/tamis/asm"
	"github.com/tamis-filter/tamis/filters"
	"github.com/tamis-filter/tamis/filters/filtertest"
)

func mustBuild(t *testing.T, hashes []filters.Hash, c filters.Config) *Filter {
	t.Helper()
	f, err := Build(slices.Values([][]filters.Hash{hashes}), c)
	if err != nil {
		t.Fatal(err)
	}
	if got := f.MayContainBatch(hashes, nil); got != len(hashes) {
		t.Fatalf("%d keys, %+v: %d are denied", len(hashes), c, len(hashes)-got)
	}
	return f
}

// The least columns for a rate: the rate is met, and one step of the share of
// narrow blocks more would miss it.
func TestForRate(t *testing.T) {
	for p := 0.999; p >= filters.MinFPR; p /= 1.0371 {
		c := forRate(p)
		if c.rate() > p || c.wide < 1 || c.wide > maxColumns || c.wide == 1 && c.narrow != 0 {
			t.Fatalf("p = %g: %+v has rate %g", p, c, c.rate())
		}
		if c.narrow++; c.wide > 1 && c.rate() <= p {
			t.Errorf("p = %g: %+v would do, with rate %g", p, c, c.rate())
		}
	}
	for r := 1; r <= 32; r++ {
		if c := forRate(math.Ldexp(1, -r)); c != (columns{wide: r}) {
			t.Errorf("2^-%d: %+v", r, c)
		}
	}
	for bits := 1.0; bits < 40; bits += 0.125 {
		c := forBits(bits)
		if got := float64(c.wide) - float64(c.narrow)/(1<<32); got > bits || got < min(bits, maxColumns)-1e-9 {
			t.Errorf("%g bits: %+v", bits, c)
		}
		if bits == math.Floor(bits) && c.narrow != 0 {
			t.Errorf("%g bits: %+v", bits, c)
		}
	}
}

// The space at a million keys, the file's every byte counted.
func TestSpace(t *testing.T) {
	const n = 1_000_000
	hashes := filtertest.Hashes(1, 0, n)
	for _, c := range []struct{ p, overhead float64 }{
		{1.0 / 2, 0.03}, {1.0 / 128, 0.005}, {1.0 / 256, 0.005}, {1.0 / 65536, 0.005}, {0.001, 0.01}, {0.01, 0.02},
	} {
		file, err := mustBuild(t, hashes, filters.Config{FPR: c.p}).AppendBinary(nil)
		if err != nil {
			t.Fatal(err)
		}
		bitsPerKey := float64(len(file)) * 8 / n
		if over := bitsPerKey/-math.Log2(c.p) - 1; over > c.overhead {
			t.Errorf("p = %g: %.4f bits per key, %.2f %% over the bound", c.p, bitsPerKey, 100*over)
		} else {
			t.Logf("p = %g: %.4f bits per key, %.3f %% over the bound", c.p, bitsPerKey, 100*over)
		}
	}
}

// Small builds of every size, under many seeds: none fails, none denies a key.
func TestSmallBuilds(t *testing.T) {
	step := 1
	if testing.Short() {
		step = 37
	}
	for n := 0; n <= 3000; n += step {
		for i := range uint64(4) {
			hashes := filtertest.Hashes(uint64(n)<<8+i, 0, n)
			p := []float64{1.0 / 256, 0.01, 0.4, 1e-7}[i]
			mustBuild(t, hashes, filters.Config{FPR: p})
		}
	}
}

// Hashes as no hash function would make them. All that counts is that they are
// distinct: in a single layer, any of them must build.
func TestStructuredHashes(t *testing.T) {
	const n = 1500
	for name, hash := range map[string]func(i uint64) uint64{
		"low bits":   func(i uint64) uint64 { return i },
		"high bits":  func(i uint64) uint64 { return i << 48 },
		"one start":  func(i uint64) uint64 { return 1<<63 + i },
		"complement": func(i uint64) uint64 { return ^(i << 20) },
	} {
		t.Run(name, func(t *testing.T) {
			var hashes []filters.Hash
			for i := range uint64(n) {
				hashes = append(hashes, filters.Hash(hash(i)))
			}
			mustBuild(t, hashes, filters.Config{FPR: 0.01})
		})
	}
}

// Each layer answers for the keys that it holds and says of the others that
// they are bumped.
func TestLayers(t *testing.T) {
	const n = 100_000
	hashes := filtertest.Hashes(2, 0, n)
	f := mustBuild(t, hashes, filters.Config{FPR: 0.001})
	if len(f.ribbon.Layers) != 3 || f.ribbon.LastRound != 2 {
		t.Fatalf("%d layers, last round %d", len(f.ribbon.Layers), f.ribbon.LastRound)
	}
	count := make([]int, len(f.ribbon.Layers))
	for _, h := range hashes {
		x := uint64(h)
		for i := range f.ribbon.Layers {
			x = asm.RibbonRehash(x, uint64(i)) // no attempt failed
			if _, bumped := f.ribbon.Layers[i].Has(x); !bumped {
				count[i]++
				break
			}
		}
	}
	if count[0]+count[1]+count[2] != n {
		t.Fatalf("layers hold %v of %d keys", count, n)
	}
	if share := float64(n-count[0]) / n; share < 0.065 || share > 0.075 {
		t.Errorf("the first layer bumps %.2f %%", 100*share)
	}
}

// A band's rows, and what is left of them after a bucket was cut, are in
// echelon form: row i starts at row i.
func TestBandIsEchelon(t *testing.T) {
	hashes := filters.Raw(filtertest.Hashes(3, 0, 20_000))
	filters.Sort(hashes)
	b, bumped := bumping(hashes)
	taken := 0
	for i, c := range b.coefficients {
		if c != 0 {
			taken++
		}
		if c != 0 && c&1 == 0 || c == 0 && b.fingerprints[i] != 0 {
			t.Fatalf("row %d: coefficients %x, fingerprint %x", i, c, b.fingerprints[i])
		}
	}
	if taken+len(bumped) != 20_000 {
		t.Errorf("%d rows taken, %d keys bumped, of 20000", taken, len(bumped))
	}
}

// When the attempts are used up there is an error and no filter.
func TestNoAttemptsLeft(t *testing.T) {
	for _, n := range []int{1, 100, 30_000} {
		if f, err := build(slices.Values([][]filters.Hash{filtertest.Hashes(4, 0, n)}), filters.Config{FPR: 0.01}, 0); !errors.Is(err, filters.ErrBuild) || f != nil {
			t.Errorf("%d keys: %v, %v", n, f, err)
		}
		bands, _, err := layers(filters.Raw(filtertest.Hashes(4, 0, n)), 0)
		if !errors.Is(err, filters.ErrBuild) || bands != nil {
			t.Errorf("%d keys: %v, %v", n, bands, err)
		}
	}
	// Copies of an equation follow from it, and take no row.
	same := slices.Repeat([]uint64{5}, 10)
	if b, _, err := last(same, 0, 3); err != nil || b == nil {
		t.Errorf("copies of one hash: %v", err)
	}
}

// Keys that were tried and dropped, because they were bumped out of a layer,
// show the rate of strangers in that layer.
func TestBumpedKeysAreStrangers(t *testing.T) {
	hashes := filters.Raw(filtertest.Hashes(5, 0, 1_000_000))
	all := slices.Clone(hashes)
	f := mustBuild(t, filtertest.Hashes(5, 0, 1_000_000), filters.Config{FPR: 1.0 / 16})
	layer := f.ribbon.Layers[0]
	bumped := 0
	without := layer
	without.Thresholds = nil
	hits := 0
	for _, h := range all {
		if _, out := layer.Has(h); out {
			bumped++
			if has, _ := without.Has(h); has {
				hits++
			}
		}
	}
	low, high := float64(bumped)/16*2-filtertest.Bound(float64(bumped), 1.0/16), filtertest.Bound(float64(bumped), 1.0/16)
	if float64(hits) < low || float64(hits) > high {
		t.Errorf("%d of %d bumped keys are held, want %.0f to %.0f", hits, bumped, low, high)
	}
}

// The hash of every attempt of the last layer is independent of the others:
// thousands of forced retries succeed as often as first attempts do.
func TestRetriesAreIndependent(t *testing.T) {
	failed := 0
	const n, attempts = 2000, 1000
	for round := range uint64(attempts) {
		b := newBand(lastStarts(n, 0))
		if !insertAll(b, filters.Raw(filtertest.Hashes(6, 0, n)), round) {
			failed++
		}
	}
	if failed > attempts/8 {
		t.Errorf("%d of %d attempts failed", failed, attempts)
	}
}

func TestMaxBytesIsKept(t *testing.T) {
	for _, n := range []int{1, 50, 2000, 2001, 10_000, 60_000} {
		hashes := filtertest.Hashes(7, 0, n)
		for _, bits := range []float64{1.5, 2.03, 7.99, 8, 8.2, 15, 31, 40} {
			c := filters.Config{MaxBytes: 500 + uint64(float64(n)*bits/8)}
			f := mustBuild(t, hashes, c)
			file, _ := f.AppendBinary(nil)
			if uint64(len(file)) > c.MaxBytes {
				t.Errorf("%d keys: %d bytes, at most %d allowed", n, len(file), c.MaxBytes)
			}
			if n > 10_000 && f.columns.wide < 32 && float64(len(file)) < 0.99*float64(c.MaxBytes) {
				t.Errorf("%d keys: %d bytes of %d used", n, len(file), c.MaxBytes)
			}
		}
	}
}

func TestZeroValue(t *testing.T) {
	var f Filter
	if f.MayContainHash(1) || f.MayContainBatch([]filters.Hash{1, 2}, nil) != 0 || f.Info().Keys != 0 {
		t.Error("accepts a key")
	}
	file, _ := f.AppendBinary(nil)
	if _, err := Open(file); !errors.Is(err, filters.ErrFormat) {
		t.Errorf("a filter without a table opens: %v", err)
	}
}

func ExampleBuild() {
	blocklist := []string{"ads.example", "tracker.example", "malware.example"}
	hashes := filters.Hasher{}.Strings(slices.Values(blocklist))
	f, err := Build(hashes, filters.Config{FPR: 0.001})
	if err != nil {
		panic(err)
	}
	fmt.Println(f.MayContainString("tracker.example"))
	fmt.Println(f.MayContainString("go.dev"))
	// Output:
	// true
	// false
}
