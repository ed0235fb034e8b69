package asm

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// testBand is a band that is filled bucket by bucket at some level.
type testBand struct {
	coefficients []uint64
	fingerprints []uint32
}

func newTestBand(starts uint64) *testBand {
	return &testBand{make([]uint64, starts+RibbonWindow), make([]uint32, starts+RibbonWindow)}
}

// insert adds a bucket's hashes, or leaves the band as it was.
func (b *testBand) insert(hashes []uint64, starts, first uint64, masks *[RibbonBucket]uint64) bool {
	cs, fs := b.coefficients[first:][:RibbonWindow], b.fingerprints[first:][:RibbonWindow]
	before, beforeFs := slices.Clone(cs), slices.Clone(fs)
	if InsertRibbon(cs, fs, hashes, nil, starts, first, masks) {
		return true
	}
	copy(cs, before)
	copy(fs, beforeFs)
	return false
}

// taken lists the rows that are not empty.
func (b *testBand) taken(t *testing.T) (rows []int) {
	for i, c := range b.coefficients {
		if c&1 == 1 {
			rows = append(rows, i)
		} else if c != 0 || b.fingerprints[i] != 0 {
			t.Fatalf("row %d: coefficients %x, fingerprint %x", i, c, b.fingerprints[i])
		}
	}
	return rows
}

// bandHashes makes ascending hashes of some shape for a band of starts.
func bandHashes(r *rand.Rand, shape int, n int, starts uint64) []uint64 {
	hashes := make([]uint64, n)
	for i := range hashes {
		h := r.Uint64()
		switch shape % 4 {
		case 1: // few starts, so that keys are far from theirs
			h = h&^(0xff<<56) | uint64(r.IntN(7)*37)<<56
		case 2: // few bits, so that equations follow from others or contradict them
			h = h &^ (1<<50 - 1)
		case 3: // copies
			if i > 0 && i%3 == 0 {
				h = hashes[r.IntN(i)]
			}
		}
		hashes[i] = h
	}
	slices.Sort(hashes)
	return hashes
}

// checkBands fills a band at every level and compares: whether each bucket
// fits, the rows that are taken, and the solution, which must hold every key.
func checkBands(t *testing.T, r *rand.Rand, shape, buckets, perBucket, columns int, masked bool) {
	t.Helper()
	starts := uint64(buckets) * RibbonBucket
	if shape%2 == 1 {
		starts -= 64 // half a bucket at the end
	}
	hashes := bandHashes(r, shape, buckets*perBucket, starts)
	var masks [RibbonBucket]uint64
	for i := range masks {
		if masks[i] = ^uint64(0); masked {
			masks[i] = r.Uint64() | r.Uint64()
		}
	}
	blocks := starts/64 + 1
	narrow := uint64(0)
	if columns > 1 && columns != 8 {
		narrow = r.Uint64N(blocks)
	}
	var want []bool
	var wantRows []int
	var wantSolution []byte
	atEachLevel(func(level Level) {
		b := newTestBand(starts)
		var fits []bool
		rest := hashes
		var in []uint64
		for first := uint64(0); first < starts; first += RibbonBucket {
			n := 0
			for n < len(rest) {
				if start, _ := RibbonRow(rest[n], starts); start >= first+RibbonBucket {
					break
				}
				n++
			}
			// What does not fit is cut from the front until it does.
			for from := 0; ; from = min(from+1+n/9, n) {
				ok := b.insert(rest[from:n], starts, first, &masks)
				fits = append(fits, ok)
				if ok {
					in = append(in, rest[from:n]...)
					break
				}
			}
			rest = rest[n:]
		}
		l := &RibbonLayer{Starts: starts, Columns: columns, Narrow: narrow}
		l.Solution = make([]byte, l.BlockOffset(blocks))
		SolveRibbon(l, b.coefficients, b.fingerprints, 0, blocks)
		if level == Generic {
			want, wantRows, wantSolution = fits, b.taken(t), l.Solution
			for _, h := range in {
				if has, _ := l.Has(h); !has && !masked {
					t.Fatalf("shape %d, %d buckets, %d columns: %x is denied", shape, buckets, columns, h)
				}
			}
			return
		}
		if !slices.Equal(fits, want) {
			t.Fatalf("shape %d, %d buckets of %d keys, %v: what fits differs", shape, buckets, perBucket, level)
		}
		if rows := b.taken(t); !slices.Equal(rows, wantRows) {
			t.Fatalf("shape %d, %d buckets of %d keys, %v: rows %v, want %v", shape, buckets, perBucket, level, rows, wantRows)
		}
		if !slices.Equal(l.Solution, wantSolution) {
			t.Fatalf("shape %d, %d buckets of %d keys, %d columns, %v: another solution", shape, buckets, perBucket, columns, level)
		}
	})
}

func TestBands(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	step := 1
	if testing.Short() {
		step = 11
	}
	for perBucket := 0; perBucket <= 200; perBucket += step {
		for shape := range 4 {
			for _, masked := range []bool{false, true} {
				checkBands(t, r, shape, 1+r.IntN(6), perBucket, 1+r.IntN(32), masked)
				checkBands(t, r, shape, 12, perBucket, 8, masked)
			}
		}
	}
}

// The rows that are taken do not depend on the order of the equations.
func TestBandOrder(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 2))
	var masks [RibbonBucket]uint64
	for i := range masks {
		masks[i] = TileMask(uint64(i))
	}
	for range 300 {
		hashes := bandHashes(r, 0, 100+r.IntN(90), RibbonBucket)
		b := newTestBand(RibbonBucket)
		ok := b.insert(hashes, RibbonBucket, 0, &masks)
		for range 3 {
			r.Shuffle(len(hashes), func(i, j int) { hashes[i], hashes[j] = hashes[j], hashes[i] })
			other := newTestBand(RibbonBucket)
			if got := insertRibbonGeneric(other.coefficients, other.fingerprints, hashes, nil, RibbonBucket, 0, &masks); got != ok {
				t.Fatalf("%d keys fit: %v, in another order %v", len(hashes), ok, got)
			}
			if ok && !slices.Equal(other.taken(t), b.taken(t)) {
				t.Fatalf("%d keys take other rows in another order", len(hashes))
			}
		}
	}
}

// FuzzBands compares the levels on bands made of the input.
func FuzzBands(f *testing.F) {
	f.Add(uint64(1), 0, 3, 136, 8, false)
	f.Add(uint64(2), 2, 1, 60, 32, true)
	f.Fuzz(func(t *testing.T, seed uint64, shape, buckets, perBucket, columns int, masked bool) {
		if shape < 0 || buckets < 1 || buckets > 20 || perBucket < 0 || perBucket > 1000 || columns < 1 || columns > 32 {
			t.Skip()
		}
		checkBands(t, rand.New(rand.NewPCG(seed, 8)), shape, buckets, perBucket, columns, masked)
	})
}
