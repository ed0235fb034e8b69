package core_test

import (
	"encoding/binary"
	"fmt"
	"iter"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/zeebo/xxh3"

	"github.com/tamis-filter/tamis/filters"
	"github.com/tamis-filter/tamis/filters/all"
	"github.com/tamis-filter/tamis/filters/exact"
	"github.com/tamis-filter/tamis/filters/filtertest"
	"github.com/tamis-filter/tamis/ribbon"
)

// Files that are no valid ones, of every kind that the conformance suite has: each
// is refused for the reason that Go refuses it for, and what opens all the same
// gives Go's answers.
func TestHostile(t *testing.T) {
	strangers := make([][]byte, 64)
	for i := range strangers {
		strangers[i] = key(i)
	}
	forEach(t, func(t *testing.T, c *core) {
		for i, family := range append(all.Families(), excluding()) {
			t.Run(fmt.Sprint(i, " ", family.Name()), func(t *testing.T) {
				c := *c
				open := family.Open
				family.Open = func(data []byte) (filters.Filter, error) {
					c.TB = t
					if filter := c.compare(data); filter != nil {
						for _, key := range strangers[:8] {
							if got, want := c.holds(key), filter.MayContain(key); got != want {
								t.Fatalf("header %x: %q is %v, Go: %v", data[:128], key, got, want)
							}
						}
					}
					return open(data)
				}
				filtertest.Hostile(t, family)
			})
		}
	})
}

// excluding is the family of filters that exclude 70 keys.
func excluding() filters.Family {
	out := slices.Values([][]filters.Hash{filtertest.Hashes(1<<40, 0, 70)})
	f := filters.Static(filters.Exact, "", func(hashes iter.Seq[[]filters.Hash], c filters.Config) (*exact.Filter, error) {
		return exact.Build(hashes, out, c)
	}, exact.Open, func(c filters.Config) (filters.Size, error) { return exact.Size(c, 70) })
	f.OpenUnverified = filters.Opener(exact.OpenUnverified)
	return f
}

// Parts that are sound by themselves, but not of one filter.
func TestHostilePairs(t *testing.T) {
	members := func(n int) [][]filters.Hash { return [][]filters.Hash{filtertest.Hashes(1, 0, n)} }
	var firsts, seconds [][]byte
	for _, c := range []filters.Config{{FPR: 0.01}, {FPR: 0.25, Seed: 9}} {
		for _, n := range []int{0, 99, 100, 101, 3000} {
			filter, err := ribbon.Build(slices.Values(members(n)), c)
			if err != nil {
				t.Fatal(err)
			}
			file, _ := filter.AppendBinary(nil)
			firsts = append(firsts, file)
			retrieval := slices.Clone(file) // a narrow one, too
			retrieval[5] = byte(filters.Retrieval)
			filtertest.Reseal(retrieval)
			seconds = append(seconds, retrieval)
			for bits := 1; bits <= 3; bits++ {
				pairs := func(yield func(filters.Hash, uint32) bool) {
					for i, h := range members(n)[0] {
						if !yield(h, uint32(i&1)) {
							return
						}
					}
				}
				retrieval, err := ribbon.BuildRetrieval(pairs, bits, filters.Config{Seed: c.Seed})
				if err != nil {
					t.Fatal(err)
				}
				file, _ := retrieval.AppendBinary(nil)
				seconds = append(seconds, file)
			}
		}
	}
	forEach(t, func(t *testing.T, c *core) {
		reasons := map[string]int{}
		for _, first := range append(firsts, nil) {
			for _, second := range append(seconds, nil) {
				for parts := range byte(5) {
					file := make([]byte, 64, 64+len(first)+len(second))
					if first != nil {
						copy(file, first[:64])
					} else if second != nil {
						copy(file, second[:64])
					}
					file[5], file[7] = byte(filters.Exact), parts
					binary.LittleEndian.PutUint64(file[16:], 100)
					binary.LittleEndian.PutUint64(file[24:], 100)
					for _, size := range []uint64{100, 101, 5000} {
						binary.LittleEndian.PutUint64(file[32:], size)
						file = append(append(file[:64], first...), second...)
						binary.LittleEndian.PutUint64(file[40:], uint64(len(file)-64))
						filtertest.Reseal(file)
						if filter := c.compare(file); filter != nil {
							c.agree(filter, 50)
						}
						_, err := all.Open(file)
						reasons[fieldOf(t, err)]++
					}
				}
			}
		}
		t.Logf("hostile: %v", reasons)
		for _, field := range []string{"", "columns", "parts", "first part, keys", "second part, seed", "second part, keys", "second part, columns"} {
			if reasons[field] == 0 {
				t.Errorf("nothing is refused for %q", field)
			}
		}
	})
}

// The parts of an exact filter and the tables of ribbons of many layers, of which
// bytes and fields are changed and every checksum is made anew.
func TestHostileParts(t *testing.T) {
	type sample struct {
		file []byte
		at   []int // where the headers are, but for the file's own
	}
	var samples []sample
	for _, s := range []shape{
		{family: "exact", keys: 40, excluded: 70, config: filters.Config{FPR: 0.01, Seed: 7}},
		{family: "exact", keys: 3000, excluded: 3, config: filters.Config{FPR: 0.01}},
		{family: "exact", keys: 300, excluded: 50, config: filters.Config{FPR: 0.5}},
		{family: "exact", keys: 40, config: filters.Config{FPR: 1.0 / 256}},
		{family: "ribbon", keys: 70_000, config: filters.Config{FPR: 0.3}},
		{family: "ribbon", keys: 3000, config: filters.Config{FPR: 1.0 / 256}},
	} {
		file, _ := s.build(t).AppendBinary(nil)
		sample := sample{file: file}
		if s.family == "exact" {
			for at := 64; at < len(file); at += 64 + int(binary.LittleEndian.Uint64(file[at+40:])) {
				sample.at = append(sample.at, at)
			}
		}
		samples = append(samples, sample)
	}
	extremes := []uint64{0, 1, 2, 63, 64, 255, 1 << 16, 1 << 31, 1<<32 - 1, 1 << 32, 1<<35 - 1, 1 << 35, 1<<35 + 1, 1 << 37, 1 << 38, 1<<38 + 1, 1 << 40, 1<<40 + 1, 1 << 41, 1 << 56, 1<<56 + 1, 1<<63 + 1, 1<<64 - 64, 1<<64 - 1}
	forEach(t, func(t *testing.T, c *core) {
		random := rand.New(rand.NewPCG(7, 8))
		n := 60_000
		if testing.Short() {
			n = 6000
		}
		reasons := map[string]int{}
		for range n {
			s := samples[random.IntN(len(samples))]
			if len(s.file) > 10_000 && random.IntN(20) > 0 {
				continue
			}
			file := slices.Clone(s.file)
			for range 1 + random.IntN(2) {
				// In the file's header, that of a part, or a table of layers.
				at := append(s.at, 0)[random.IntN(len(s.at)+1)] + random.IntN(120)
				if at+8 > len(file) {
					continue
				}
				switch random.IntN(4) {
				case 0:
					file[at] = byte(random.Uint32())
				case 1:
					file[at] += byte(random.IntN(5)) - 2
				case 2:
					binary.LittleEndian.PutUint64(file[at&^7:], extremes[random.IntN(len(extremes))])
				case 3:
					word := file[at&^7:]
					binary.LittleEndian.PutUint64(word, binary.LittleEndian.Uint64(word)+uint64(random.IntN(5))-2)
				}
			}
			if random.IntN(8) == 0 {
				file = file[:len(file)-random.IntN(100)]
			}
			if random.IntN(8) > 0 && len(file) >= 64 {
				binary.LittleEndian.PutUint64(file[40:], uint64(len(file)-64))
			}
			for _, at := range s.at {
				if at+64 <= len(file) && random.IntN(16) > 0 {
					binary.LittleEndian.PutUint64(file[at+56:], xxh3.Hash(file[at:at+56]))
				}
			}
			filtertest.Reseal(file)
			filter := c.compare(file)
			if filter == nil {
				_, err := all.Open(file)
				reasons[fieldOf(t, err)]++
				continue
			}
			c.agree(filter, 20)
			reasons["none"]++
		}
		t.Logf("hostile: %v", reasons)
		for _, field := range []string{
			"none", "magic", "version", "header checksum", "family", "payload length", "hash", "keys", "capacity", "size", "columns", "layers", "last round", "blocks", "table",
			"parts", "first part, seed", "second part, seed",
		} {
			if reasons[field] == 0 {
				t.Errorf("nothing is refused for %q", field)
			}
		}
	})
}
