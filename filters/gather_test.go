package filters

import (
	"math/rand/v2"
	"runtime"
	"slices"
	"sync/atomic"
	"testing"
)

// Whatever the hashes are and however they are cut into lists.
func TestSortDistinct(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	sizes := []int{0, 1, 2, 63, 64, 65, 1000, partLen - 1, partLen, partLen + 1, 70_000, 2*sliceLen + 1, 600_000}
	if testing.Short() {
		sizes = sizes[:11]
	}
	for _, n := range sizes {
		for _, mask := range []Hash{^Hash(0), 0xff, 0xffff << 30, 0xff << 56, 1, 0} {
			hashes := make([]Hash, n)
			for i := range hashes {
				hashes[i] = Hash(r.Uint64()) & mask
				if i%3 == 0 {
					hashes[i] = hashes[r.IntN(i+1)]
				}
			}
			want := slices.Clone(hashes)
			slices.Sort(want)
			want = slices.Compact(want)
			for _, listLen := range []int{1000, 100_000, n + 1} {
				lists := slices.Collect(slices.Chunk(hashes, listLen))
				if got := SortDistinct(append(lists, nil)); !slices.Equal(got, want) {
					t.Errorf("%d hashes of %x: %d, want %d, sorted: %v", n, uint64(mask), len(got), len(want), slices.IsSorted(got))
				}
				slices.Reverse(hashes)
			}
		}
	}
}

func TestGather(t *testing.T) {
	batches := [][]Hash{{5, 5}, {}, {1, 2, 2, 1 << 40, 1<<40 + 1<<32}}
	got, _, c, err := GatherDistinct(slices.Values(batches), Config{FPR: 0.1})
	if err != nil || c.Keys != 5 || !slices.Equal(got, []Hash{1, 2, 5, 1 << 40, 1<<40 + 1<<32}) {
		t.Errorf("%v, %d, %v", got, c.Keys, err)
	}
	if !slices.Equal(batches[2], []Hash{1, 2, 2, 1 << 40, 1<<40 + 1<<32}) {
		t.Error("the input is changed")
	}
	for limit := range uint64(8) {
		chunks, err := Gather(slices.Values(batches), Config{Keys: limit})
		all := slices.Concat(chunks...)
		if ok := limit == 0 || limit >= 7; (err == nil) != ok || ok && len(all) != 7 {
			t.Errorf("limit %d: %d hashes, %v", limit, len(all), err)
		}
	}
}

// An array is zero and can be written to its ends, in huge pages or not.
func TestArray(t *testing.T) {
	for _, n := range []int{0, 1, 1000, hugePage / 8, hugePage/4 + 1, 3*hugePage + 5} {
		a, b := Array[uint32](n), Array[uint64](n)
		if len(a) != n || len(b) != n {
			t.Fatalf("%d and %d values of %d", len(a), len(b), n)
		}
		for i := range n {
			if a[i] != 0 || b[i] != 0 {
				t.Fatalf("value %d of %d is not 0", i, n)
			}
			a[i], b[i] = uint32(i), uint64(i)
		}
	}
}

// Every task runs once, whatever the number of processors.
func TestParallel(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	for _, procs := range []int{1, 2, 8} {
		runtime.GOMAXPROCS(procs)
		for _, tasks := range []int{0, 1, 2, 7, 1000} {
			ran := make([]atomic.Int32, tasks)
			var scratches atomic.Int32
			Parallel(tasks, func(task int, mine *int) {
				if ran[task].Add(1); *mine == 0 {
					scratches.Add(1)
				}
				*mine++
			})
			for i := range ran {
				if ran[i].Load() != 1 {
					t.Fatalf("task %d of %d ran %d times", i, tasks, ran[i].Load())
				}
			}
			if n := int(scratches.Load()); n > min(procs, tasks) {
				t.Errorf("%d goroutines on %d processors", n, procs)
			}
		}
	}
}
