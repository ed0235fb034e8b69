package filters

import (
	"math/rand/v2"
	"slices"
	"testing"
)

func TestSort(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for _, n := range []int{0, 1, 2, 255, 256, 257, 512, 513, 1000, 70_000, 300_000} {
		for _, mask := range []Hash{^Hash(0), 0xff, 0xff << 56, 1} {
			hashes := make([]Hash, n)
			for i := range hashes {
				hashes[i] = Hash(r.Uint64()) & mask
			}
			want := slices.Clone(hashes)
			slices.Sort(want)
			if Sort(hashes); !slices.Equal(hashes, want) {
				t.Errorf("%d hashes of %x are not sorted", n, uint64(mask))
			}
		}
	}
}

func TestGather(t *testing.T) {
	batches := [][]Hash{{5, 5}, {}, {1, 2, 2, 1 << 40, 1<<40 + 1<<32}}
	got, c, err := GatherDistinct(slices.Values(batches), Config{FPR: 0.1})
	if err != nil || c.Keys != 5 || !slices.Equal(got, []Hash{1, 2, 5, 1 << 40, 1<<40 + 1<<32}) {
		t.Errorf("%v, %d, %v", got, c.Keys, err)
	}
	if !slices.Equal(batches[2], []Hash{1, 2, 2, 1 << 40, 1<<40 + 1<<32}) {
		t.Error("the input is changed")
	}
	for limit := range uint64(8) {
		all, err := Gather(slices.Values(batches), limit)
		if ok := limit == 0 || limit >= 7; (err == nil) != ok || ok && len(all) != 7 {
			t.Errorf("limit %d: %d hashes, %v", limit, len(all), err)
		}
	}
}
