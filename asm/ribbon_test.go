package asm

import (
	"encoding/binary"
	"math/bits"
	"math/rand/v2"
	"testing"
)

// Both layouts are compared with the definition, bit by bit, on a random
// solution.
func TestRibbonLayouts(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	const blocks = 9
	for columns := 1; columns <= 32; columns++ {
		for narrow := range uint64(blocks) {
			if columns == 1 && narrow > 0 {
				break
			}
			l := &RibbonLayer{Starts: 64 * (blocks - 1), Columns: columns, Narrow: narrow, Tiled: columns == 8 && narrow == 0}
			l.Solution = make([]byte, l.BlockOffset(blocks))
			for i := range l.Solution {
				l.Solution[i] = byte(r.Uint32())
			}
			bit := func(row uint64, column int) uint32 {
				if l.Tiled {
					return uint32(l.Solution[row/8*8+7-uint64(column)]) >> (row % 8) & 1
				}
				word := binary.LittleEndian.Uint64(l.Solution[l.BlockOffset(row/64)+8*uint64(column):])
				return uint32(word >> (row % 64) & 1)
			}
			for range 300 {
				h := r.Uint64()
				start, c := RibbonRow(h, l.Starts)
				if start >= l.Starts || c&1 == 0 {
					t.Fatalf("start %d, coefficients %x", start, c)
				}
				if l.Tiled { // the last rows are in the tile that begins 64 behind the first one
					c &= 1<<(64-start%8) - 1
				}
				width := columns
				if start/64 < narrow {
					width--
				}
				want := true
				for column := range width {
					var sum uint32
					for i := range uint64(64) {
						if c>>i&1 == 1 {
							sum ^= bit(start+i, column)
						}
					}
					want = want && sum == RibbonFingerprint(h)>>column&1
				}
				if has, bumped := l.Has(h); has != want || bumped {
					t.Fatalf("%d columns, %d narrow blocks, start %d: %v, %v, want %v", columns, narrow, start, has, bumped, want)
				}
			}
		}
	}
}

func TestRibbonThresholds(t *testing.T) {
	const blocks = 2*4 + 1 // four buckets: one byte
	l := &RibbonLayer{Starts: 64 * (blocks - 1), Columns: 1, Solution: make([]byte, 8*blocks), Thresholds: []byte{0<<0 | 1<<2 | 2<<4 | 3<<6}}
	for start := range l.Starts {
		low, _ := bits.Div64(start, 0, l.Starts) // the smallest hash that starts there, or one less
		for _, h := range []uint64{low + 1, low + 2} {
			if at, _ := RibbonRow(h, l.Starts); at != start {
				t.Fatalf("hash %#x starts at %d, not %d", h, at, start)
			}
			want := start%RibbonBucket < [...]uint64{0, 18, 38, 128}[start/RibbonBucket]
			if _, bumped := l.Has(h); bumped != want {
				t.Errorf("start %d: bumped is %v", start, bumped)
			}
		}
	}
}

// Rehashing loses no hash.
func TestRibbonRehash(t *testing.T) {
	for round := range uint64(128) {
		seen := map[uint64]bool{}
		for i := range uint64(2000) {
			seen[RibbonRehash(i, round)] = true
			seen[RibbonRehash(i<<52|1<<51, round)] = true
		}
		if len(seen) != 4000 {
			t.Errorf("round %d: %d of 4000 hashes differ", round, len(seen))
		}
	}
	if RibbonRehash(123, 0) != 123 {
		t.Error("round 0 changes the hash")
	}
}

func TestProbesAgreeWithSingleTests(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 3))
	const m, blocks = 5000, 10
	bloom, lines, split := make([]byte, (m+7)/8), make([]byte, blocks*LineBytes), make([]byte, blocks*SplitBytes)
	table := make([]byte, blocks*CuckooBucketBytes(12)+CuckooPadding)
	ribbon, tiles := randomRibbon(r, blocks-1, 2, 2, false), randomRibbon(r, blocks-1, 8, 2, true)
	for range 200 {
		h := r.Uint64()
		AddStandard(bloom, m, 7, h)
		AddBlocked(lines, 6, h)
		AddSplit(split, h)
		fp, b := CuckooPlace(h, blocks, 12)
		CuckooSetSlot(table, 12, b, r.IntN(4), fp)
	}
	for n := range 258 {
		hashes := make([]uint64, n)
		for i := range hashes {
			hashes[i] = r.Uint64()
		}
		words := (n + 63) / 64
		for name, probe := range map[string]struct {
			batch  func(hits []uint64) int
			single func(h uint64) bool
		}{
			"standard": {func(hits []uint64) int { return ProbeStandard(bloom, m, 7, hashes, hits) }, func(h uint64) bool { return HasStandard(bloom, m, 7, h) }},
			"blocked":  {func(hits []uint64) int { return ProbeBlocked(lines, 6, hashes, hits) }, func(h uint64) bool { return HasBlocked(&lines, 6, h) }},
			"split":    {func(hits []uint64) int { return ProbeSplit(split, hashes, hits) }, func(h uint64) bool { return HasSplit(&split, h) }},
			"cuckoo":   {func(hits []uint64) int { return ProbeCuckoo(table, blocks, 12, hashes, hits) }, func(h uint64) bool { return HasCuckoo(table, blocks, 12, h) }},
			"ribbon":   {func(hits []uint64) int { return ProbeRibbon(ribbon, hashes, hits) }, func(h uint64) bool { return HasRibbon(ribbon, h) }},
			"tiles":    {func(hits []uint64) int { return ProbeRibbon(tiles, hashes, hits) }, func(h uint64) bool { return hasRibbonGeneric(tiles, h) }},
		} {
			hits := make([]uint64, words)
			for i := range hits {
				hits[i] = ^uint64(0)
			}
			want := make([]uint64, words)
			count := 0
			for i, h := range hashes {
				if probe.single(h) {
					want[i/64] |= 1 << (i % 64)
					count++
				}
			}
			got := probe.batch(hits)
			for i := range want {
				if hits[i] != want[i] || got != count {
					t.Fatalf("%s, %d hashes: word %d is %x, want %x; count %d, want %d", name, n, i, hits[i], want[i], got, count)
				}
			}
		}
	}
}
