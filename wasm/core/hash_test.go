package core_test

import (
	"bufio"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/tamis-filter/tamis/filters"
	"github.com/tamis-filter/tamis/ribbon"
)

// The core tells no hash. A filter whose rate is 2^-32 tells whether it is right.

// sealed returns the file of a filter of some hashes and of hardly any other.
func sealed(t *testing.T, hashes []filters.Hash, seed uint64) []byte {
	t.Helper()
	filter, err := ribbon.Build(slices.Values([][]filters.Hash{hashes}), filters.Config{FPR: filters.MinFPR, Seed: seed})
	if err != nil {
		t.Fatal(err)
	}
	file, err := filter.AppendBinary(nil)
	if err != nil {
		t.Fatal(err)
	}
	return file
}

func TestHashOfEveryLength(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	text := make([]byte, 5000)
	for i := range text {
		text[i] = byte(random.Uint32())
	}
	forEach(t, func(t *testing.T, c *core) {
		for _, seed := range []uint64{0, 1, 0x9e3779b97f4a7c15, 1<<64 - 1, 1 << 63, 0xffffffff} {
			hasher := filters.Hasher{Seed: seed}
			var hashes []filters.Hash
			var keys [][]byte
			for n := range 4097 {
				keys = append(keys, text[n%17:][:n:n])
				hashes = append(hashes, hasher.Bytes(keys[n]))
			}
			c.mustLoad(sealed(t, hashes, seed))
			for n, key := range keys {
				if !c.holds(key) {
					t.Fatalf("%d bytes, seed %#x: another hash than Go's", n, seed)
				}
			}
			if at := slices.Index(c.many(keys), false); at >= 0 {
				t.Fatalf("%d bytes among others, seed %#x: another hash than Go's", at, seed)
			}
			for n, key := range keys[1:] {
				other := slices.Clone(key)
				other[random.IntN(len(other))] ^= 1 << random.IntN(8)
				if c.holds(other) {
					t.Fatalf("%d bytes, seed %#x: held with another bit", n+1, seed)
				}
			}
		}
	})
}

func TestHashVectors(t *testing.T) {
	const testdata = "../../filters/testdata/"
	input, err := os.ReadFile(testdata + "xxh3-input.bin")
	if err != nil {
		t.Fatal(err)
	}
	file, err := os.Open(testdata + "xxh3-64.csv")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	hashes, lengths := map[uint64][]filters.Hash{}, map[uint64][]int{}
	rows := 0
	for lines := bufio.NewScanner(file); lines.Scan(); {
		var length int
		var seed uint64
		var hash filters.Hash
		if strings.HasPrefix(lines.Text(), "#") {
			continue
		}
		if _, err := fmt.Sscanf(lines.Text(), "%d,%x,%x", &length, &seed, &hash); err != nil {
			t.Fatal(err)
		}
		hashes[seed], lengths[seed] = append(hashes[seed], hash), append(lengths[seed], length)
		rows++
	}
	if rows != 3*637 {
		t.Errorf("%d vectors", rows)
	}
	forEach(t, func(t *testing.T, c *core) {
		for seed := range hashes {
			c.mustLoad(sealed(t, hashes[seed], seed))
			for _, n := range lengths[seed] {
				if !c.holds(input[:n]) {
					t.Fatalf("%d bytes, seed %#x: not the hash of the vector", n, seed)
				}
			}
		}
	})
}
