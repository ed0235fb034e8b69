package filtertest

import (
	"encoding/binary"
	"fmt"
	"slices"
	"sync"
	"testing"

	"github.com/bits-and-blooms/bitset"

	"github.com/tamis-filter/tamis/filters"
)

// testBatch compares batches of every short length with single answers, and
// looks at the bits behind the answers.
func testBatch(t *testing.T, f filters.Family) {
	for _, p := range []float64{0.3, 1.0 / 256, 0.001} {
		members := Hashes(1, 0, 3000)
		filter := build(t, f, members, filters.Config{FPR: p})
		hashes := slices.Concat(Hashes(2, 0, 1000), members[:500])
		slices.Sort(hashes) // members and strangers mixed
		for n := range 258 {
			from := 3 * n
			batch := hashes[from : from+n]
			checkBatch(t, filter, batch, bitset.New(0))
			checkBatch(t, filter, batch, dirty(n))
			checkBatch(t, filter, batch, dirty(n+200))
		}
		checkBatch(t, filter, hashes, dirty(10))
	}
}

// dirty returns a bit set of n ones.
func dirty(n int) *bitset.BitSet { return bitset.New(uint(n)).SetAll() }

func checkBatch(t *testing.T, f filters.Filter, batch []filters.Hash, hits *bitset.BitSet) {
	t.Helper()
	got := f.MayContainBatch(batch, hits)
	want := 0
	for i, h := range batch {
		answer := f.MayContainHash(h)
		if answer {
			want++
		}
		if hits.Test(uint(i)) != answer {
			t.Fatalf("batch of %d: answer %d is %v, alone it is %v", len(batch), i, !answer, answer)
		}
	}
	if got != want || hits.Count() != uint(want) {
		t.Fatalf("batch of %d: counts %d, has %d bits, want %d", len(batch), got, hits.Count(), want)
	}
	if n := f.MayContainBatch(batch, nil); n != want {
		t.Fatalf("batch of %d: counts %d without a bit set, want %d", len(batch), n, want)
	}
}

// testKeys checks that every form of a key is one key, under the filter's seed
// and no other.
func testKeys(t *testing.T, f filters.Family) {
	for _, seed := range []uint64{0, 1, 0x8a5cd789635d2dff} {
		hasher := filters.Hasher{Seed: seed}
		var keys []string
		for i := range 1000 {
			keys = append(keys, fmt.Sprintf("key %d", i))
		}
		keys = append(keys, "", "\x00", string(make([]byte, 5000)))
		filter, err := f.Build(hasher.Strings(slices.Values(keys)), filters.Config{FPR: 1e-6, Seed: seed})
		if err != nil {
			t.Fatal(err)
		}
		if got := filter.Info().Seed; got != seed {
			t.Errorf("seed is %d, want %d", got, seed)
		}
		for _, key := range keys {
			if !filter.MayContainString(key) || !filter.MayContain([]byte(key)) || !filter.MayContainHash(hasher.String(key)) {
				t.Fatalf("seed %d: key %.20q is denied", seed, key)
			}
			if h := (filters.Hasher{Seed: seed + 1}); filter.MayContainHash(h.String(key)) && filter.MayContainHash(h.String(key+"'")) {
				t.Errorf("seed %d: key %.20q is found under another seed", seed, key)
			}
		}
		var numbers []uint64
		for i := range uint64(1000) {
			numbers = append(numbers, i*i)
		}
		filter, err = f.Build(hasher.Uint64s(slices.Values(numbers)), filters.Config{FPR: 0.01, Seed: seed})
		if err != nil {
			t.Fatal(err)
		}
		for _, x := range numbers {
			if !filter.MayContain(binary.LittleEndian.AppendUint64(nil, x)) {
				t.Fatalf("number %d is denied as bytes", x)
			}
		}
	}
}

// testEmpty checks that a filter of no keys denies everything.
func testEmpty(t *testing.T, f filters.Family) {
	empty := map[string]filters.Filter{"built": build(t, f, nil, filters.Config{FPR: 0.5})}
	if f.New != nil {
		grown, err := f.New(filters.Config{Keys: 100, FPR: 0.5})
		if err != nil {
			t.Fatal(err)
		}
		empty["new"] = grown
	}
	view, err := f.Open(encode(t, empty["built"]))
	if err != nil {
		t.Fatal(err)
	}
	empty["opened"] = view
	for name, filter := range empty {
		if n := filter.MayContainBatch(append(Hashes(1, 0, 10000), 0, ^filters.Hash(0)), dirty(5)); n != 0 {
			t.Errorf("%s: %d strangers are accepted", name, n)
		}
		if filter.MayContainHash(0) || filter.MayContainString("") || filter.MayContain(nil) {
			t.Errorf("%s: a key is accepted", name)
		}
		if info := filter.Info(); info.Keys != 0 || info.Fill != 0 || info.ExpectedFPR != 0 && f.New != nil {
			t.Errorf("%s: info %+v", name, info)
		}
	}
}

// testRepeats builds from keys that come many times. A build from a counted
// sequence must take them; one key alone must not make it slow.
func testRepeats(t *testing.T, f filters.Family) {
	for name, members := range map[string][]filters.Hash{
		"few":     {5, 5, 1, 2, 2},
		"one":     slices.Repeat(Hashes(3, 0, 1), 1_000_000),
		"two":     slices.Repeat([]filters.Hash{7, 7 + 1<<32}, 5000),
		"extreme": {0, 0, ^filters.Hash(0), ^filters.Hash(0), 1 << 63},
		"mixed":   slices.Concat(Hashes(4, 0, 500), slices.Repeat(Hashes(4, 100, 300), 20)),
	} {
		t.Run(name, func(t *testing.T) {
			requireMembers(t, build(t, f, members, filters.Config{FPR: 0.01}), members[:min(len(members), 20000)])
		})
	}
}

// testReaders queries one filter from many goroutines; the race detector looks on.
func testReaders(t *testing.T, f filters.Family) {
	members := Hashes(5, 0, 5000)
	filter := build(t, f, members, filters.Config{FPR: 0.01})
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			hits := bitset.New(0)
			for chunk := range slices.Chunk(members, 300) {
				if filter.MayContainBatch(chunk, hits) != len(chunk) || !filter.MayContainHash(chunk[0]) {
					t.Error("a member is denied")
				}
			}
			filter.MayContainString("stranger")
			filter.Info()
			if _, err := filter.AppendBinary(nil); err != nil {
				t.Error(err)
			}
		})
	}
	group.Wait()
}

// testAllocations checks that queries stay off the heap.
func testAllocations(t *testing.T, f filters.Family) {
	members := Hashes(6, 0, 3000)
	filter := build(t, f, members, filters.Config{FPR: 0.01})
	hits := bitset.New(uint(len(members)))
	key, text := []byte("a key of some length"), "a key of some length"
	for name, call := range map[string]func(){
		"MayContain":       func() { filter.MayContain(key) },
		"MayContainString": func() { filter.MayContainString(text) },
		"MayContainHash":   func() { filter.MayContainHash(members[0]) },
		"MayContainBatch":  func() { filter.MayContainBatch(members, hits) },
	} {
		if n := testing.AllocsPerRun(20, call); n != 0 {
			t.Errorf("%s allocates %v times", name, n)
		}
	}
	if f.New == nil {
		return
	}
	grower, err := f.New(filters.Config{Keys: 1000, FPR: 0.01})
	if err != nil {
		t.Fatal(err)
	}
	added := 0
	if n := testing.AllocsPerRun(20, func() {
		key[0], added = byte(added), added+1
		if err := grower.Add(key); err != nil {
			t.Error(err)
		}
	}); n != 0 {
		t.Errorf("Add allocates %v times", n)
	}
}
