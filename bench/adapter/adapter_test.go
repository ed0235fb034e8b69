package adapter

import (
	"bytes"
	"encoding/binary"
	"errors"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/bits-and-blooms/bitset"

	"github.com/tamis-filter/tamis/bench/record"
	"github.com/tamis-filter/tamis/blocked/split"
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
	for _, a := range append(All(), Rivals()...) {
		if names[a.Name] {
			t.Errorf("two contestants are called %s", a.Name)
		}
		names[a.Name] = true
		t.Run(a.Name, func(t *testing.T) {
			rate := 0.01
			switch {
			case a.Name == "seiflotfy":
				rate = 0.03
			case a.Only != nil:
				rate = a.Only[0]
			}
			set, err := a.Build(hashes[:n], rate)
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
			if a.Class == record.Filter && want > n+n/20 {
				t.Errorf("%d of %d strangers found", want-n, n)
			}
			if a.Empty != nil {
				grown, err := a.Empty(n, rate)
				if err != nil {
					t.Fatal(err)
				}
				if err := grown.Add(hashes[:n]); err != nil {
					t.Fatal(err)
				}
				if got := grown.Single(hashes); got != want && a.Name != "cuckoo" { // whose table depends on the order
					t.Errorf("%d hits if built, %d if added", want, got)
				}
				if got := grown.Single(hashes[:n]); got != n {
					t.Errorf("%d of %d members found that were added", got, n)
				}
			}
			hits := bitset.New(2 * n)
			if b, ok := set.(Batcher); ok {
				if got := b.Batch(hashes, hits); got != want || a.Class != record.Line && int(hits.Count()) != want {
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

// TestParquetIsSplit holds that the two are one layout: the same blocks from
// the same keys, so their rates are the same too.
func TestParquetIsSplit(t *testing.T) {
	hashes := make([]filters.Hash, 1000)
	for i := range hashes {
		hashes[i] = filters.Hasher{Seed: HashSeed}.Uint64(uint64(i))
	}
	ours, err := split.Build(slices.Values([][]filters.Hash{hashes}), filters.Config{Keys: 1000, FPR: 0.01})
	if err != nil {
		t.Fatal(err)
	}
	rival, err := Parquet().Build(hashes, 0.01)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(ours.Blocks(), rival.(parquet).filter.Bytes()) {
		t.Error("parquet has other blocks than split")
	}
}

func TestSeiflotfyRefuses(t *testing.T) {
	if _, err := Seiflotfy().Build(make([]filters.Hash, 1000), 0.002); !errors.Is(err, filters.ErrUnreachable) {
		t.Errorf("error %v", err)
	}
}

func TestLink(t *testing.T) {
	if Link(true) != 0 || Link(false) != 0 {
		t.Error("a link must not change the next hash")
	}
}
