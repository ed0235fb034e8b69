package filters

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
)

// Every vector of the reference library, in each form of a key, at every
// alignment.
func TestHashVectors(t *testing.T) {
	input, err := os.ReadFile("testdata/xxh3-input.bin")
	if err != nil {
		t.Fatal(err)
	}
	file, err := os.Open("testdata/xxh3-64.csv")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	rows := 0
	for lines := bufio.NewScanner(file); lines.Scan(); {
		line := lines.Text()
		if strings.HasPrefix(line, "#") {
			continue
		}
		var length int
		var seed uint64
		var want Hash
		if _, err := fmt.Sscanf(line, "%d,%x,%x", &length, &seed, &want); err != nil {
			t.Fatalf("%q: %v", line, err)
		}
		hasher, key := Hasher{seed}, input[:length]
		for offset := range 8 {
			shifted := append(make([]byte, offset), key...)[offset:]
			if got := hasher.Bytes(shifted); got != want {
				t.Fatalf("%d bytes at offset %d, seed %x: %x, want %x", length, offset, seed, got, want)
			}
		}
		if got := hasher.String(string(key)); got != want {
			t.Fatalf("string of %d bytes, seed %x: %x, want %x", length, seed, got, want)
		}
		if length == 8 {
			if got := hasher.Uint64(binary.LittleEndian.Uint64(key)); got != want {
				t.Fatalf("integer, seed %x: %x, want %x", seed, got, want)
			}
		}
		rows++
	}
	if rows != 3*637 {
		t.Errorf("%d vectors, want %d", rows, 3*637)
	}
}

func TestHashSequences(t *testing.T) {
	for _, n := range []int{0, 1, batchLen - 1, batchLen, batchLen + 1, 3*batchLen + 5} {
		hasher := Hasher{Seed: 9}
		var keys []string
		var slicesOf [][]byte
		var numbers []uint64
		var want, wantNumbers []Hash
		for i := range uint64(n) {
			key := fmt.Sprint("key ", i)
			keys, slicesOf, numbers = append(keys, key), append(slicesOf, []byte(key)), append(numbers, i)
			want, wantNumbers = append(want, hasher.String(key)), append(wantNumbers, hasher.Uint64(i))
		}
		collect := func(seq func(func([]Hash) bool)) (all []Hash) {
			for batch := range seq {
				if len(batch) == 0 {
					t.Error("empty batch")
				}
				all = append(all, batch...)
			}
			return all
		}
		if !slices.Equal(collect(hasher.Strings(slices.Values(keys))), want) ||
			!slices.Equal(collect(hasher.ByteSlices(slices.Values(slicesOf))), want) ||
			!slices.Equal(collect(hasher.Uint64s(slices.Values(numbers))), wantNumbers) {
			t.Errorf("%d keys: other hashes in a sequence than alone", n)
		}
		for range hasher.Strings(slices.Values(keys)) {
			break // stopping early is allowed
		}
	}
}

func TestRaw(t *testing.T) {
	hashes := []Hash{1, 2, 1<<64 - 1}
	if raw := Raw(hashes); !slices.Equal(raw, []uint64{1, 2, 1<<64 - 1}) || cap(raw) != len(raw) {
		t.Errorf("Raw = %v", raw)
	}
	if raw := Raw(nil); len(raw) != 0 {
		t.Errorf("Raw(nil) = %v", raw)
	}
}

func TestBytesAreAligned(t *testing.T) {
	for n := range uint64(300) {
		b := Bytes(n)
		if uint64(len(b)) != n || cap(b) != len(b) {
			t.Fatalf("Bytes(%d): %d, capacity %d", n, len(b), cap(b))
		}
		if n > 0 && addressOf(b)%64 != 0 {
			t.Fatalf("Bytes(%d) is not aligned", n)
		}
	}
}
