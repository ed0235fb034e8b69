package asm

import (
	"math/rand/v2"
	"slices"
	"testing"
)

var fingerprintBits = []int{8, 12, 16, 32}

// The other bucket of the other bucket is the first, for any number of buckets,
// and no fingerprint is 0.
func TestCuckooOtherIsAnInvolution(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for _, buckets := range []uint64{1, 2, 3, 10, 1000, 1<<20 + 7, 1 << 32, 6_000_000_007} {
		for _, f := range fingerprintBits {
			draws := 100_000
			if testing.Short() {
				draws /= 20
			}
			for i := range draws {
				h := r.Uint64()
				switch i {
				case 0:
					h = 0
				case 1:
					h = 1<<64 - 1
				case 2:
					h = 0xffffffff << 32 // a raw fingerprint of 0
				}
				fp, bucket := CuckooPlace(h, buckets, f)
				if fp == 0 || fp >= 1<<f || bucket >= buckets {
					t.Fatalf("%d buckets: hash %#x has fingerprint %d in bucket %d", buckets, h, fp, bucket)
				}
				other := CuckooOther(bucket, fp, buckets)
				if other >= buckets || CuckooOther(other, fp, buckets) != bucket {
					t.Fatalf("%d buckets, fingerprint %d: bucket %d, other %d, its other %d", buckets, fp, bucket, other, CuckooOther(other, fp, buckets))
				}
			}
		}
	}
}

// A fingerprint is found in each slot of each of its buckets and nowhere else,
// with anything in the other slots.
func TestCuckooSlots(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 2))
	const buckets = 11
	for _, f := range fingerprintBits {
		for range 20_000 {
			h := r.Uint64()
			if r.IntN(2) == 0 {
				h &^= 0xffffffff // raw fingerprint 0
			}
			table := make([]byte, buckets*CuckooBucketBytes(f)+CuckooPadding)
			fp, first := CuckooPlace(h, buckets, f)
			at, slot := r.Uint64N(buckets), r.IntN(4)
			for b := range uint64(buckets) {
				for s := range 4 { // near misses: one bit off
					near := fp ^ 1<<r.IntN(f)
					CuckooSetSlot(table, f, b, s, near)
					if CuckooSlot(table, f, b, s) != near {
						t.Fatalf("%d bits: slot does not hold what was put there", f)
					}
				}
			}
			if HasCuckoo(table, buckets, f, h) {
				t.Fatalf("%d bits: found before it was put", f)
			}
			CuckooSetSlot(table, f, at, slot, fp)
			want := at == first || at == CuckooOther(first, fp, buckets)
			if HasCuckoo(table, buckets, f, h) != want {
				t.Fatalf("%d bits: fingerprint %d in bucket %d of %d: found is %v", f, fp, at, first, !want)
			}
			if ones(table[len(table)-CuckooPadding:]) != 0 {
				t.Fatalf("%d bits: wrote into the padding", f)
			}
		}
	}
}

// Replacing changes the first slot that holds the old fingerprint, and nothing
// else, whatever the other slots and the bytes around the bucket hold.
func TestCuckooReplace(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 9))
	for _, bits := range fingerprintBits {
		size := CuckooBucketBytes(bits)
		for range 20_000 {
			table := make([]byte, 3*size+CuckooPadding)
			for i := range table {
				table[i] = byte(r.Uint32())
			}
			// Few values, close to each other and to the ends.
			value := func() uint64 { return (uint64(r.IntN(4)) - 2) & (1<<bits - 1) }
			for slot := range 4 {
				CuckooSetSlot(table, bits, 1, slot, value())
			}
			old, fp := value(), value()
			want, found := slices.Clone(table), false
			for slot := 0; slot < 4 && !found; slot++ {
				if found = CuckooSlot(want, bits, 1, slot) == old; found {
					CuckooSetSlot(want, bits, 1, slot, fp)
				}
			}
			before := slices.Clone(table)
			if got := CuckooReplace(table, bits, 1, old, fp); got != found || !slices.Equal(table, want) {
				t.Fatalf("%d bits, %x for %x: %v, %x becomes %x, want %v, %x", bits, fp, old, got, before, table, found, want)
			}
		}
	}
}
