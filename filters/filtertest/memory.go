package filtertest

import (
	"errors"
	"runtime"
	"strings"
	"testing"

	"github.com/tamis-filter/tamis/filters"
)

// testMemory checks that building takes no more than is stated, before and after,
// on any number of processors, and that a bound is kept.
func testMemory(t *testing.T, f filters.Family) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	sizes := []int{0, 1, 100, 5000, 100_000, 1_000_000}
	if testing.Short() {
		sizes = sizes[:5]
	}
	for _, n := range sizes {
		hashes := Hashes(20, 0, n)
		c := filters.Config{Keys: uint64(max(n, 1)), FPR: 1.0 / 300}
		for _, procs := range []int{1, 2, 8} {
			runtime.GOMAXPROCS(procs)
			size, err := f.Size(c)
			if err != nil {
				t.Fatal(err)
			}
			const slack = 8 << 10 // what does not grow with the keys
			bounded := c
			bounded.MaxBuildBytes = size.BuildBytes + size.BuildBytes/100
			before := allocated()
			filter, err := f.Build(seq(hashes), bounded)
			took := allocated() - before
			if err != nil {
				t.Fatalf("%d keys, within what is stated: %v", n, err)
			}
			if took > size.BuildBytes+size.BuildBytes/100+slack {
				t.Errorf("%d keys, %d processors: building allocates %d bytes, Size says %d", n, procs, took, size.BuildBytes)
			}
			if stated := filter.Info().BuildBytes; stated != 0 && took > stated+slack || f.New == nil && stated == 0 {
				t.Errorf("%d keys, %d processors: building allocates %d bytes, Info says %d", n, procs, took, stated)
			}
			for _, keys := range []uint64{c.Keys, 0} {
				bounded.Keys, bounded.MaxBuildBytes = keys, size.BuildBytes/2
				before = allocated()
				_, err = f.Build(seq(hashes), bounded)
				if took := allocated() - before; took > bounded.MaxBuildBytes+slack {
					t.Errorf("%d keys, %d processors: building allocates %d bytes of %d", n, procs, took, bounded.MaxBuildBytes)
				}
				if n >= 100 && (!errors.Is(err, filters.ErrTooLarge) || !strings.Contains(err.Error(), "MaxBuildBytes")) {
					t.Errorf("%d keys, half of what is stated: %v", n, err)
				}
			}
		}
	}
}

// testProgress checks what building tells of itself.
func testProgress(t *testing.T, f filters.Family) {
	for _, keys := range []uint64{0, 1_000_000} {
		var told []float64
		build(t, f, Hashes(21, 0, 1_000_000), filters.Config{Keys: keys, FPR: 0.01, Progress: func(done float64) { told = append(told, done) }})
		for i, done := range told {
			if done < 0 || done > 1 || i > 0 && done < told[i-1] {
				t.Fatalf("told %v", told)
			}
		}
		if len(told) < 3 || len(told) > 1000 || told[len(told)-1] != 1 {
			t.Errorf("told %v", told)
		}
	}
}
