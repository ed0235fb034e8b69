package core_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"

	"github.com/bits-and-blooms/bitset"

	"github.com/tamis-filter/tamis/filters"
	"github.com/tamis-filter/tamis/filters/all"
	"github.com/tamis-filter/tamis/filters/exact"
)

// shape is a filter to compare answers of.
type shape struct {
	family   string
	keys     int
	config   filters.Config
	excluded int
}

// shapes are filters of every layout that there is.
func shapes() (all []shape) {
	add := func(family string, keys int, c filters.Config) {
		c.Seed = uint64(len(all)) * 0x9e3779b97f4a7c15 // and 0
		all = append(all, shape{family: family, keys: keys, config: c})
	}
	for i, bits := range []float64{1, 4, 9.6, 12, 16, 30, 60} {
		keys := []int{40_000, 1000, 1}[i%3]
		for _, family := range []string{"standard", "blocked", "split"} {
			add(family, keys, filters.Config{BitsPerKey: bits})
		}
		add("blocked", 2000, filters.Config{BitsPerKey: bits})
	}
	add("standard", 1000, filters.Config{BitsPerKey: 100}) // k = 64
	add("blocked", 40_000, filters.Config{FPR: 0.003})     // k = 8
	for _, bits := range []float64{8.5, 13, 17, 34} {
		for _, keys := range []int{0, 1, 333, 50_000} {
			add("cuckoo", keys, filters.Config{BitsPerKey: bits})
		}
	}
	for columns := 1; columns <= 32; columns++ {
		add("ribbon", 3000, filters.Config{FPR: 1 / float64(uint64(1)<<columns)})
	}
	for _, p := range []float64{0.5, 0.3, 0.01, 1.0 / 256, 0.001, 1e-6} {
		for _, keys := range []int{0, 1, 700, 2001} {
			add("ribbon", keys, filters.Config{FPR: p})
		}
	}
	for _, p := range []float64{0.01, 1.0 / 256} {
		add("ribbon", 200_000, filters.Config{FPR: p})
		add("ribbon", 700_000, filters.Config{FPR: p})
	}
	for i := range 400 { // some try more than one hash in the last layer
		add("ribbon", 1000+i, filters.Config{FPR: 0.1})
	}
	for _, keys := range []int{0, 1, 3000, 40_000} {
		for _, excluded := range []int{0, 1, 100, 50_000} {
			for _, p := range []float64{0.5, 0.001, 1.0 / 512} {
				add("exact", keys, filters.Config{FPR: p})
				all[len(all)-1].excluded = excluded
			}
		}
	}
	return all
}

// text is the key of a number, of 1 to some 40 bytes.
func text(n uint64) []byte {
	filler := binary.BigEndian.AppendUint64(nil, n*0xd1342543de82ef95)
	filler = bytes.Repeat(filler, 4)
	return strconv.AppendUint(filler[:filler[0]>>3&31], n, 36)
}

func texts(from, n int) [][]byte {
	keys := make([][]byte, n)
	for i := range keys {
		keys[i] = text(uint64(from + i))
	}
	return keys
}

func hashed(seed uint64, keys [][]byte) []filters.Hash {
	hashes := make([]filters.Hash, len(keys))
	for i, key := range keys {
		hashes[i] = filters.Hasher{Seed: seed}.Bytes(key)
	}
	return hashes
}

func (s shape) build(t *testing.T) filters.Filter {
	t.Helper()
	hashes := slices.Values([][]filters.Hash{hashed(s.config.Seed, texts(0, s.keys))})
	var filter filters.Filter
	var err error
	if s.family == "exact" {
		filter, err = exact.Build(hashes, slices.Values([][]filters.Hash{hashed(s.config.Seed, texts(s.keys, s.excluded))}), s.config)
	} else {
		filter, err = all.Build(s.family, hashes, s.config)
	}
	if err != nil {
		t.Fatalf("%+v: %v", s, err)
	}
	return filter
}

// A million answers of each family are those of Go, for members and strangers.
func TestAnswers(t *testing.T) {
	total := 1_000_000
	if testing.Short() {
		total = 50_000
	}
	perFamily := map[string]int{}
	for _, s := range shapes() {
		perFamily[s.family]++
	}
	random := rand.New(rand.NewPCG(3, 4))
	cores := []*core{start(t, "core.wasm"), start(t, "core-scalar.wasm")}
	met, checks := map[string]bool{}, map[string]int{}
	for _, s := range shapes() {
		filter := s.build(t)
		file, _ := filter.AppendBinary(nil)
		for _, layout := range layouts(file) {
			met[layout] = true
		}
		n := total/perFamily[s.family] + 1
		members := min(n/2, s.keys)
		keys := append(texts(random.IntN(s.keys-members+1), members), texts(s.keys+s.excluded/2, n-members)...)
		hits := bitset.New(uint(n))
		filter.MayContainBatch(hashed(s.config.Seed, keys), hits)
		for _, c := range cores {
			c.mustLoad(file)
			for i, got := range c.many(keys) {
				if want := hits.Test(uint(i)); got != want || i < members && !got {
					t.Fatalf("%+v, key %d of %d members, %q: %v, Go: %v", s, i, members, keys[i], got, want)
				}
				if i%32 == 0 && c.holds(keys[i]) != got {
					t.Fatalf("%+v, %q: another answer alone", s, keys[i])
				}
			}
		}
		checks[s.family] += n
	}
	for family, n := range checks {
		if n < total {
			t.Errorf("%s: %d checks", family, n)
		}
	}
	want := []string{
		"standard k 1", "standard k 64", "blocked k 1", "blocked k 8", "blocked k 9", "blocked k 16", "split k 8",
		"cuckoo 8", "cuckoo 12", "cuckoo 16", "cuckoo 32", "exact 1", "exact 2", "exact 3",
		"layers 0", "layers 1", "layers 2", "layers 3", "layers 4", "tiles", "narrow", "last round anew",
	}
	for columns := 1; columns <= 32; columns++ {
		want = append(want, fmt.Sprintf("columns %d", columns))
	}
	for _, layout := range want {
		if !met[layout] {
			t.Errorf("no filter with %s", layout)
		}
	}
}

// layouts names what is to be met in a file.
func layouts(file []byte) []string {
	param := file[7]
	switch kind := filters.Kind(file[5]); kind {
	case filters.Cuckoo, filters.Exact:
		return []string{fmt.Sprintf("%v %d", kind, param)}
	case filters.Ribbon:
		narrow, layers, round := binary.LittleEndian.Uint32(file[64:]), file[68], file[69]
		met := []string{fmt.Sprintf("columns %d", param), fmt.Sprintf("layers %d", layers)}
		if narrow != 0 {
			met = append(met, "narrow")
		}
		if param == 8 && narrow == 0 {
			met = append(met, "tiles")
		}
		if round >= 4 {
			met = append(met, "last round anew")
		}
		return met
	default:
		return []string{fmt.Sprintf("%v k %d", kind, param)}
	}
}
