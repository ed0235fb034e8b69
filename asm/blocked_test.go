package asm

import (
	"bytes"
	"encoding/binary"
	"math/bits"
	"math/rand/v2"
	"slices"
	"testing"
)

// A key sets k distinct bits, all in one line, and is denied without any of
// them; every bit of the line is set equally often.
func TestBlockedPattern(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for k := 1; k <= MaxBlockedK; k++ {
		var set [512]int
		keys := 40_000
		if testing.Short() {
			keys /= 10
		}
		for range keys {
			h := r.Uint64()
			lines := make([]byte, 5*LineBytes)
			AddBlocked(lines, k, h)
			n, _ := bits.Mul64(h, 5)
			line := lines[n*LineBytes : (n+1)*LineBytes]
			if ones(lines) != k || ones(line) != k {
				t.Fatalf("k = %d: sets %d bits, %d in its line", k, ones(lines), ones(line))
			}
			if !HasBlocked(&lines, k, h) {
				t.Fatalf("k = %d: denied", k)
			}
			for i := range 512 {
				if line[i/8]>>(i%8)&1 == 0 {
					continue
				}
				set[i]++
				line[i/8] ^= 1 << (i % 8)
				if HasBlocked(&lines, k, h) {
					t.Fatalf("k = %d: accepted without bit %d", k, i)
				}
				line[i/8] ^= 1 << (i % 8)
			}
		}
		want := float64(keys) * float64(k) / 512
		for i, n := range set {
			// Binomial counts, 6 sigma over 16 times 512 of them.
			if d := float64(n) - want; d*d > 36*want {
				t.Errorf("k = %d: bit %d is set %d times, want about %.0f", k, i, n, want)
			}
		}
	}
}

// The two bits that a key with k = 16 sets in a word are any two: none of the 2016
// pairs is left out, or has twice its share.
func TestSecondBits(t *testing.T) {
	const keys = 200 * 64 * 63 / 2
	r := rand.New(rand.NewPCG(7, 7))
	pairs := make([]map[uint64]int, 8)
	for w := range pairs {
		pairs[w] = map[uint64]int{}
	}
	lines := make([]byte, LineBytes)
	for range keys {
		clear(lines)
		AddBlocked(lines, MaxBlockedK, r.Uint64())
		for w := range pairs {
			pairs[w][binary.LittleEndian.Uint64(lines[8*w:])]++
		}
	}
	for w, seen := range pairs {
		if len(seen) != 64*63/2 {
			t.Errorf("word %d: %d pairs of bits", w, len(seen))
		}
		for pair, n := range seen {
			// A distance of 1 is twice as likely as another, for 0 counts as 1;
			// Poisson counts, 6 sigma.
			want := 200.0 * 63 / 64
			if bits.RotateLeft64(pair, 1)&pair != 0 {
				want *= 1.5
			}
			if d := float64(n) - want; d*d > 36*want {
				t.Errorf("word %d: bits %#x are set by %d keys, want about %.0f", w, pair, n, want)
			}
		}
	}
}

// Every block count reaches its first and last block and none beyond, and a
// key's bits are one in each word of a split block.
func TestBlockIndex(t *testing.T) {
	hashes := []uint64{0, 1<<32 - 1, 1 << 63, 1<<64 - 1}
	r := rand.New(rand.NewPCG(2, 2))
	for range 20 {
		hashes = append(hashes, r.Uint64())
	}
	for count := 1; count <= 1000; count++ {
		lines, blocks := make([]byte, count*LineBytes), make([]byte, count*SplitBytes)
		for _, h := range hashes {
			clear(lines)
			AddBlocked(lines, 8, h)
			clear(blocks)
			AddSplit(blocks, h)
			if ones(lines) != 8 || ones(blocks) != 8 {
				t.Fatalf("%d blocks: sets %d and %d bits", count, ones(lines), ones(blocks))
			}
			at := slices.IndexFunc(blocks, func(b byte) bool { return b != 0 }) / SplitBytes
			for w := range 8 {
				if word := blocks[at*SplitBytes+4*w:]; ones(word[:4]) != 1 {
					t.Fatalf("%d blocks: word %d has %d bits", count, w, ones(word[:4]))
				}
			}
		}
		clear(lines)
		AddBlocked(lines, 8, 0)
		AddBlocked(lines, 8, 1<<64-1)
		clear(blocks)
		AddSplit(blocks, 0)
		AddSplit(blocks, 1<<64-1)
		if ones(lines[:LineBytes]) == 0 || ones(lines[len(lines)-LineBytes:]) == 0 || ones(blocks[:SplitBytes]) == 0 || ones(blocks[len(blocks)-SplitBytes:]) == 0 {
			t.Fatalf("%d blocks: the first or the last is out of reach", count)
		}
	}
}

// The block is chosen by high bits, the pattern by low ones: hashes that agree
// in the one and not in the other show it.
func TestBlockBitsAreNotReused(t *testing.T) {
	const count = 1 << 10
	patterns := map[string]bool{}
	for i := range uint64(1000) {
		h := uint64(0xabc)<<52 | i*0x9e3779b97f4a7c15>>12 // one block
		lines := make([]byte, count*LineBytes)
		AddBlocked(lines, 8, h)
		patterns[string(bytes.Trim(lines, "\x00"))] = true
	}
	if len(patterns) < 1000 {
		t.Errorf("1000 keys of one line have %d patterns", len(patterns))
	}
}

func ones(b []byte) int {
	n := 0
	for _, x := range b {
		n += bits.OnesCount8(x)
	}
	return n
}
