package ribbon

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
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

// sortedKeys are n keys of a filter, ready to be banded.
func sortedKeys(seed uint64, n int) keys {
	all, _ := sorted(pairGroup{{hashes: filters.Raw(filtertest.Hashes(seed, 0, n))}})
	return all
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
		if bits == math.Floor(bits) && c.narrow != 0 && bits != 8 || c == forTiles {
			t.Errorf("%g bits: %+v", bits, c)
		}
	}
}

// The space, the file's every byte counted.
func TestSpace(t *testing.T) {
	for _, c := range []struct {
		n           int
		p, overhead float64
	}{
		{1_000_000, 1.0 / 2, 0.025}, {1_000_000, 1.0 / 128, 0.003}, {1_000_000, 1.0 / 256, 0.003}, {1_000_000, 1.0 / 65536, 0.003},
		{1_000_000, 0.001, 0.005}, {1_000_000, 0.01, 0.015}, {100_000, 1.0 / 256, 0.01}, {10_000, 1.0 / 256, 0.05},
	} {
		file, err := mustBuild(t, filtertest.Hashes(1, 0, c.n), filters.Config{FPR: c.p}).AppendBinary(nil)
		if err != nil {
			t.Fatal(err)
		}
		bitsPerKey := float64(len(file)) * 8 / float64(c.n)
		if over := bitsPerKey/-math.Log2(c.p) - 1; over > c.overhead {
			t.Errorf("%d keys, p = %g: %.4f bits per key, %.2f %% over the bound", c.n, c.p, bitsPerKey, 100*over)
		} else {
			t.Logf("%d keys, p = %g: %.4f bits per key, %.3f %% over the bound", c.n, c.p, bitsPerKey, 100*over)
		}
	}
}

// The file depends on the set of hashes alone: not on their order, on how often
// they come or in which batches, nor on the number of processors.
func TestSameBytes(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	sizes := []int{0, 1, 2, 63, 2001, 100_000, 1_000_000}
	if testing.Short() {
		sizes = sizes[:6]
	}
	for _, n := range sizes {
		for _, c := range []filters.Config{{FPR: 1.0 / 256}, {FPR: 0.01, Seed: 3}, {BitsPerKey: 13.2}} {
			hashes := filtertest.Hashes(uint64(n), 0, n)
			var want []byte
			for i, procs := range []int{1, 2, 8, 2, 8} {
				runtime.GOMAXPROCS(procs)
				f, err := Build(slices.Chunk(hashes, 1+n/(i+1)), c)
				if err != nil {
					t.Fatal(err)
				}
				got, _ := f.AppendBinary(nil)
				if i == 0 {
					want = got
				} else if !slices.Equal(got, want) {
					t.Fatalf("%d hashes, %+v, %d processors: another file", n, c, procs)
				}
				rand.New(rand.NewPCG(uint64(n), uint64(i))).Shuffle(len(hashes), func(i, j int) { hashes[i], hashes[j] = hashes[j], hashes[i] })
				hashes = append(hashes, hashes[:len(hashes)/7]...)
			}
		}
	}
}

// The file of a layer of several stripes is the same at every level of kernels
// and on every machine.
func TestSameBytesEverywhere(t *testing.T) {
	for _, c := range []struct {
		p    float64
		want uint64
	}{{1.0 / 256, 0x7d6ca6802973c5c6}, {0.01, 0xf5ddab97333e790b}} {
		file, err := mustBuild(t, filtertest.Hashes(8, 0, 600_000), filters.Config{FPR: c.p}).AppendBinary(nil)
		if err != nil {
			t.Fatal(err)
		}
		if got := uint64(filters.Hasher{}.Bytes(file)); got != c.want {
			t.Errorf("p = %g: the file's hash is %#x, want %#x", c.p, got, c.want)
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
// distinct: any of them must build, in a single layer or with most of them
// bumped out of the first.
func TestStructuredHashes(t *testing.T) {
	for name, hash := range map[string]func(i uint64) uint64{
		"low bits":   func(i uint64) uint64 { return i },
		"high bits":  func(i uint64) uint64 { return i << 48 },
		"one start":  func(i uint64) uint64 { return 1<<63 + i },
		"complement": func(i uint64) uint64 { return ^(i << 20) },
	} {
		t.Run(name, func(t *testing.T) {
			for _, n := range []uint64{1500, 60_000} {
				var hashes []filters.Hash
				for i := range n {
					hashes = append(hashes, filters.Hash(hash(i)))
				}
				mustBuild(t, hashes, filters.Config{FPR: 0.01})
			}
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
	if share := float64(n-count[0]) / n; share < 0.06 || share > 0.068 {
		t.Errorf("the first layer bumps %.2f %%", 100*share)
	}
}

// A band's rows, and what is left of them after a bucket was cut, are in
// echelon form: row i starts at row i.
func TestBandIsEchelon(t *testing.T) {
	const n = 20_000
	b, out := bumping(sortedKeys(3, n), stripeBuckets, false, nil)
	taken := 0
	for i, c := range b.coefficients {
		if c != 0 {
			taken++
		}
		if c != 0 && c&1 == 0 || c == 0 && b.fingerprints[i] != 0 {
			t.Fatalf("row %d: coefficients %x, fingerprint %x", i, c, b.fingerprints[i])
		}
	}
	if bumped := len(out.hashes); taken+bumped != n {
		t.Errorf("%d rows taken, %d keys bumped, of %d", taken, bumped, n)
	}
}

// Stripes, many of them and as short as they can be, give the same band in any
// order, with nothing in the walls between them; its solution holds every key
// that was not bumped.
func TestStripes(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	const n = 300_000
	rounds := 20
	if testing.Short() {
		rounds = 3
	}
	for round := range rounds {
		sorted := sortedKeys(uint64(100+round), n).hashes
		tiled, columns := round%2 == 0, 9
		if tiled {
			columns = 8
		}
		var want []byte
		for _, procs := range []int{0, 1, 2, 8} {
			var b *band
			var listed keys
			if procs > 0 {
				runtime.GOMAXPROCS(procs)
				b, listed = bumping(keys{hashes: slices.Clone(sorted)}, 2*byteBuckets, tiled, nil)
			} else {
				var stripes []stripe
				b, stripes = divide(keys{hashes: slices.Clone(sorted)}, 2*byteBuckets, tiled)
				for i := range slices.Backward(stripes) {
					stripes[i].fill()
				}
				listed = bumpedOf(stripes)
			}
			l := asm.RibbonLayer{Starts: b.starts, Columns: columns, Tiled: tiled, Thresholds: b.thresholds}
			l.Solution = make([]byte, l.BlockOffset(b.blocks()))
			solve(b, &l, nil)
			if want == nil {
				want = l.Solution
			} else if !slices.Equal(l.Solution, want) {
				t.Fatalf("round %d: another band on %d processors", round, procs)
			}
			bumped := 0
			for _, h := range sorted {
				has, out := l.Has(h)
				if !has && !out {
					t.Fatalf("round %d, %d processors: %x is denied", round, procs, h)
				}
				if out {
					bumped++
				}
			}
			if got := len(listed.hashes); got != bumped || bumped > n/4 || len(b.walls) < 250 {
				t.Fatalf("%d of %d keys bumped, %d listed, %d walls", bumped, n, got, len(b.walls))
			}
			for _, bucket := range b.walls {
				if wall := b.coefficients[bucket*asm.RibbonBucket:][wallFirst : wallLast+1]; slices.Max(wall) != 0 {
					t.Fatalf("the wall of bucket %d has rows: %x", bucket, wall)
				}
			}
		}
	}
}

// When the attempts are used up there is an error and no filter.
func TestNoAttemptsLeft(t *testing.T) {
	for _, n := range []int{1, 100, 30_000} {
		if f, err := build(slices.Values([][]filters.Hash{filtertest.Hashes(4, 0, n)}), filters.Config{FPR: 0.01}, 0); !errors.Is(err, filters.ErrBuild) || f != nil {
			t.Errorf("%d keys: %v, %v", n, f, err)
		}
		bands, _, err := layers(sortedKeys(4, n), 0, false, nil)
		if !errors.Is(err, filters.ErrBuild) || bands != nil {
			t.Errorf("%d keys: %v, %v", n, bands, err)
		}
	}
	// Copies of an equation follow from it, and take no row.
	same := keys{hashes: slices.Repeat([]uint64{5}, 10)}
	if b, _, err := last(same, 0, 3, false); err != nil || b == nil {
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
	const n, attempts = 2000, 1000
	for tiled, most := range map[bool]int{false: attempts / 20, true: attempts / 8} {
		failed := 0
		for round := range uint64(attempts) {
			b := newBand(lastStarts(n, 0), tiled)
			if !insertAll(b, keys{hashes: filters.Raw(filtertest.Hashes(6, 0, n))}, round) {
				failed++
			}
		}
		if failed > most {
			t.Errorf("tiled %v: %d of %d attempts failed", tiled, failed, attempts)
		}
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
