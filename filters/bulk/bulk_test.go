package bulk

import (
	"errors"
	"math/rand/v2"
	"testing"

	"github.com/tamis-filter/tamis/filters"
)

// Every key hashes as it does alone, in batches of every length.
func TestUint64s(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	keys := []uint64{0, 1, 1<<32 - 1, 1 << 32, 1<<64 - 1}
	for len(keys) < 257 {
		keys = append(keys, r.Uint64())
	}
	for _, seed := range []uint64{0, 1, 0x8a5cd789635d2dff, 1<<64 - 1, r.Uint64()} {
		h := filters.Hasher{Seed: seed}
		for n := range len(keys) + 1 {
			hashes := make([]filters.Hash, n+1)
			hashes[n] = 7
			if err := Uint64s(h, keys[:n], hashes); err != nil {
				t.Fatal(err)
			}
			for i, key := range keys[:n] {
				if hashes[i] != h.Uint64(key) {
					t.Fatalf("seed %x, %d keys: hash of %x is %x, want %x", seed, n, key, hashes[i], h.Uint64(key))
				}
			}
			if hashes[n] != 7 {
				t.Fatalf("%d keys: wrote behind the last", n)
			}
		}
	}
	if err := Uint64s(filters.Hasher{}, keys, make([]filters.Hash, 256)); !errors.Is(err, filters.ErrConfig) {
		t.Errorf("too few hashes: %v", err)
	}
	hashes := make([]filters.Hash, len(keys))
	if n := testing.AllocsPerRun(10, func() { _ = Uint64s(filters.Hasher{}, keys, hashes) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func BenchmarkUint64s(b *testing.B) {
	keys, hashes := make([]uint64, 4096), make([]filters.Hash, 4096)
	h := filters.Hasher{Seed: 5}
	b.Run("bulk", func(b *testing.B) {
		for i := 0; i < b.N; i += len(keys) {
			if err := Uint64s(h, keys, hashes); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("one", func(b *testing.B) {
		for i := 0; i < b.N; i += len(keys) {
			for j, key := range keys {
				hashes[j] = h.Uint64(key)
			}
		}
	})
}
