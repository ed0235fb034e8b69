package asm

import (
	"math"
	"math/bits"
	"math/rand/v2"
	"testing"
)

// positions lists the k positions of a hash.
func positions(h, m uint64, k int) []uint64 {
	list := make([]uint64, k)
	x, y := standardStart(h)
	for i := range list {
		list[i], _ = bits.Mul64(x, m)
		y *= stepFactor
		x += y
	}
	return list
}

func TestStandardPositionsAreWhatIsSet(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for _, m := range []uint64{1, 2, 7, 100, 1024, 99991} {
		for _, k := range []int{1, 7, 20, 64} {
			h := r.Uint64()
			want := make([]byte, (m+7)/8)
			for _, i := range positions(h, m, k) {
				want[i/8] |= 1 << (i % 8)
			}
			got := make([]byte, len(want))
			AddStandard(got, m, k, h)
			if string(got) != string(want) {
				t.Fatalf("m = %d, k = %d: set %x, want %x", m, k, got, want)
			}
			if !HasStandard(got, m, k, h) {
				t.Fatal("denied")
			}
			for i := range m { // one bit less, and it must be denied
				if got[i/8]>>(i%8)&1 == 1 {
					got[i/8] ^= 1 << (i % 8)
					if HasStandard(got, m, k, h) {
						t.Fatalf("m = %d, k = %d: accepted without bit %d", m, k, i)
					}
					got[i/8] ^= 1 << (i % 8)
				}
			}
		}
	}
}

// Every one of the k positions reaches all of a large array, evenly.
func TestStandardSpread(t *testing.T) {
	const bins, k = 64, 7
	draws := 1_000_000
	within := 0.05
	if testing.Short() {
		draws, within = 50_000, 0.25 // nine sigma at either
	}
	for _, m := range []uint64{1 << 32, 1 << 33, 6_000_000_000, 95_850_584} {
		r := rand.New(rand.NewPCG(2, m))
		var sum [k]float64
		var count [k][bins]int
		for range draws {
			for i, at := range positions(r.Uint64(), m, k) {
				if at >= m {
					t.Fatalf("m = %d: position %d", m, at)
				}
				sum[i] += float64(at) / float64(m)
				count[i][at*bins/m]++ // below 2^64 for these m
			}
		}
		for i := range k {
			// The mean of a uniform variable over that many draws, 5 sigma.
			if mean := sum[i] / float64(draws); math.Abs(mean-0.5) > 5*math.Sqrt(1.0/12/float64(draws)) {
				t.Errorf("m = %d: mean of position %d is %.5f of m", m, i, mean)
			}
			for b, n := range count[i] {
				if math.Abs(float64(n)*bins/float64(draws)-1) > within {
					t.Errorf("m = %d: bin %d of position %d has %d of %d", m, b, i, n, draws)
				}
			}
		}
	}
}

// No hash has a step that makes its positions coincide: not one whose halves
// are zero or all ones, nor one whose plain step would be 0, even or a divisor
// of m.
func TestStandardStepIsNeverDegenerate(t *testing.T) {
	for _, m := range []uint64{1 << 20, 3 * 5 * 7 * 11 * 13 * 17 * 19, 1 << 32, 9_585_059} {
		for _, h := range []uint64{0, 1, 2, 1 << 32, 1 << 63, math.MaxUint64, math.MaxUint32, math.MaxUint32 << 32, bits.RotateLeft64(m, 32), bits.RotateLeft64(math.MaxUint64/m+1, 32)} {
			seen := map[uint64]bool{}
			for _, at := range positions(h, m, 7) {
				seen[at] = true
			}
			if len(seen) != 7 {
				t.Errorf("m = %d, hash %#x: %d distinct positions of 7", m, h, len(seen))
			}
		}
	}
}

// A small array with many positions: where double hashing with an arithmetic
// step accepts one stranger in twenty thousand, independent positions accept
// one in a billion.
func TestStandardSmall(t *testing.T) {
	const m, k, keys = 1024, 16, 20
	probes := 10_000_000
	if testing.Short() {
		probes /= 20
	}
	r := rand.New(rand.NewPCG(3, 3))
	array := make([]byte, m/8)
	for range keys {
		AddStandard(array, m, k, r.Uint64())
	}
	for range probes {
		if HasStandard(array, m, k, r.Uint64()) {
			t.Fatal("a stranger is accepted")
		}
	}
}
