package asm

import (
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"unsafe"
)

// alignedBytes returns n bytes, whole words, that start at a multiple of 8.
func alignedBytes(n int) []byte {
	words := make([]uint64, n/8)
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(words))), n)
}

// The atomic functions set and see the same bits as the plain ones.
func TestAtomic(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for k := 1; k <= MaxBlockedK; k++ {
		const m, count = 4001, 9
		array, lines := make([]byte, (m+63)/64*8), make([]byte, count*LineBytes)
		atomicArray, atomicLines := alignedBytes(len(array)), alignedBytes(len(lines))
		for _, h := range randomHashes(r, 300) {
			AddStandard(array, m, k, h)
			AddStandardAtomic(atomicArray, m, k, h)
			AddBlocked(lines, k, h)
			AddBlockedAtomic(atomicLines, k, h)
		}
		if !slices.Equal(array, atomicArray) || !slices.Equal(lines, atomicLines) {
			t.Fatalf("k = %d: other bits", k)
		}
		for _, h := range randomHashes(r, 5000) {
			if HasStandard(array, m, k, h) != HasStandardAtomic(atomicArray, m, k, h) || HasBlocked(&lines, k, h) != HasBlockedAtomic(atomicLines, k, h) {
				t.Fatalf("k = %d: other answers", k)
			}
		}
		hashes := randomHashes(r, 500)
		sameAtEachLevel(t, "standard, atomic", hashes, func(h, hits []uint64) int { return ProbeStandardAtomic(atomicArray, m, k, h, hits) })
		sameAtEachLevel(t, "blocked, atomic", hashes, func(h, hits []uint64) int { return ProbeBlockedAtomic(atomicLines, k, h, hits) })
	}
}

// Goroutines that add to the same words lose nothing.
func TestAtomicLosesNothing(t *testing.T) {
	const m, count, k, each = 3000, 6, 7, 20_000
	array, lines := alignedBytes((m+63)/64*8), alignedBytes(count*LineBytes)
	var group sync.WaitGroup
	for g := range uint64(4) {
		group.Go(func() {
			r := rand.New(rand.NewPCG(g, 2))
			for range each {
				h := r.Uint64()
				AddStandardAtomic(array, m, k, h)
				AddBlockedAtomic(lines, k, h)
				if !HasStandardAtomic(array, m, k, h) || !HasBlockedAtomic(lines, k, h) {
					t.Error("denied right after it was added")
					return
				}
			}
		})
	}
	group.Wait()
}
