package adapter

import (
	"encoding/binary"
	"math/rand/v2"
	"testing"

	"github.com/bits-and-blooms/bitset"

	"github.com/tamis-filter/tamis/bench/record"
	"github.com/tamis-filter/tamis/filters"
)

// TestContestants builds every contestant and compares its ways to query.
func TestContestants(t *testing.T) {
	const n = 3000
	rng := rand.New(rand.NewPCG(1, 2))
	keys := make([][8]byte, 2*n) // the first n are members
	hashes := make([]filters.Hash, 2*n)
	for i := range keys {
		binary.LittleEndian.PutUint64(keys[i][:], rng.Uint64())
		hashes[i] = filters.Hasher{Seed: HashSeed}.Bytes(keys[i][:])
	}
	names := map[string]bool{}
	for _, a := range All() {
		if names[a.Name] {
			t.Errorf("two contestants are called %s", a.Name)
		}
		names[a.Name] = true
		t.Run(a.Name, func(t *testing.T) {
			set, err := a.Build(hashes[:n], 0.01)
			if err != nil {
				t.Fatal(err)
			}
			file, payload := set.Size()
			if bits := float64(file) * 8 / n; payload > file || bits < 6 || bits > 1000 {
				t.Errorf("%d bytes, of which %d payload", file, payload)
			}
			want := set.Single(hashes)
			if got := set.Chain(hashes); got != want {
				t.Errorf("%d hits in single calls, %d in waiting ones", want, got)
			}
			if a.Class != record.Line && set.Single(hashes[:n]) != n {
				t.Errorf("%d of %d members found", set.Single(hashes[:n]), n)
			}
			hits := bitset.New(2 * n)
			if b, ok := set.(Batcher); ok && a.Class != record.Line {
				if got := b.Batch(hashes, hits); got != want || int(hits.Count()) != want {
					t.Errorf("%d hits in single calls, %d in a batch, which sets %d bits", want, got, hits.Count())
				}
			}
			if k, ok := set.(Keyer); ok {
				if got := k.Keys(keys); got != want {
					t.Errorf("%d hits by hash, %d by key", want, got)
				}
			}
		})
	}
}

func TestFamiliesAreCalledDirectly(t *testing.T) {
	for _, a := range Families() {
		set, err := a.Build([]filters.Hash{1, 2, 3}, 0.01)
		if err != nil {
			t.Fatal(err)
		}
		if _, direct := single(set.(family).Filter, nil); !direct {
			t.Errorf("%s: its timings would include an interface call; add it to single", a.Name)
		}
	}
}

func TestLink(t *testing.T) {
	if Link(true) != 0 || Link(false) != 0 {
		t.Error("a link must not change the next hash")
	}
}
