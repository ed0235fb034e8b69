package ribbon

import (
	"bufio"
	"fmt"
	"iter"
	"os"
	"strings"
	"testing"

	"github.com/tamis-filter/tamis/filters"
	"github.com/tamis-filter/tamis/filters/filtertest"
)

// As many keys as make test-large has room for, and a smoke of that: built from a
// stream, every one of them asked for, and the memory that it took.
func TestLarge(t *testing.T) {
	n := uint64(1 << 20)
	if os.Getenv("TAMIS_LARGE") != "" {
		n = 100 * 1 << 20
	}
	stream := func(from uint64) iter.Seq[[]filters.Hash] {
		return filters.Hasher{}.Uint64s(func(yield func(uint64) bool) {
			for key := from; key < from+n && yield(key); key++ {
			}
		})
	}
	f, err := Build(stream(0), filters.Config{Keys: n, FPR: 1.0 / 256})
	if err != nil {
		t.Fatal(err)
	}
	held, hits := 0, 0
	for batch := range stream(0) {
		held += f.MayContainBatch(batch, nil)
	}
	for batch := range stream(n) {
		hits += f.MayContainBatch(batch, nil)
	}
	if held != int(n) || float64(hits) > filtertest.Bound(float64(n), 1.0/256) {
		t.Errorf("%d of %d keys are denied; %d strangers are held", int(n)-held, n, hits)
	}
	info := f.Info()
	t.Logf("%d keys: %.4f bits per key, rate %.5f %%, building takes %.1f bytes per key as stated", n, info.BitsPerKey, 100*float64(hits)/float64(n), float64(info.BuildBytes)/float64(n))
	if peak, ok := peakBytes(); ok && os.Getenv("TAMIS_LARGE") != "" {
		t.Logf("at the peak this process held %.1f bytes per key", float64(peak)/float64(n))
		if peak > info.BuildBytes+info.BuildBytes/20 {
			t.Errorf("at the peak this process held %d bytes, %d are stated", peak, info.BuildBytes)
		}
	}
}

// peakBytes returns the most memory that this process has held, where the system
// tells.
func peakBytes() (bytes uint64, ok bool) {
	status, err := os.Open("/proc/self/status")
	if err != nil {
		return 0, false
	}
	defer status.Close()
	for lines := bufio.NewScanner(status); lines.Scan(); {
		if rest, found := strings.CutPrefix(lines.Text(), "VmHWM:"); found {
			n, _ := fmt.Sscan(rest, &bytes)
			return bytes << 10, n == 1
		}
	}
	return 0, false
}
