package blocked

import (
	"slices"
	"sync"
	"testing"

	"github.com/tamis-filter/tamis/filters"
	"github.com/tamis-filter/tamis/filters/filtertest"
)

// Four goroutines add, others ask meanwhile: nothing is lost, and the result is
// the filter that one goroutine makes.
func TestConcurrent(t *testing.T) {
	const adders = 4
	each := 1_000_000
	if testing.Short() {
		each = 20_000
	}
	config := filters.Config{Keys: uint64(adders * each), FPR: 0.01, Seed: 3}
	c, err := NewConcurrent(config)
	if err != nil {
		t.Fatal(err)
	}
	hashes := filtertest.Hashes(1, 0, adders*each)
	var group sync.WaitGroup
	for part := range slices.Chunk(hashes, each) {
		group.Go(func() {
			for i, h := range part[:each/2] {
				if err := c.AddHash(h); err != nil {
					t.Error(err)
				}
				if i%64 == 0 && !c.MayContainHash(h) {
					t.Error("denied right after it was added")
				}
			}
			if n, err := c.AddBatch(part[each/2:]); n != each-each/2 || err != nil {
				t.Errorf("%d, %v", n, err)
			}
		})
		group.Go(func() {
			c.MayContainBatch(part[:each/10], nil)
			c.MayContainString("stranger")
		})
	}
	group.Go(func() {
		c.Info()
		if _, err := c.AppendBinary(nil); err != nil {
			t.Error(err)
		}
	})
	group.Wait()
	if got := c.MayContainBatch(hashes, nil); got != len(hashes) {
		t.Errorf("%d of %d keys are lost", len(hashes)-got, len(hashes))
	}
	plain := mustNew(t, config)
	plain.AddBatch(hashes)
	if !slices.Equal(c.Snapshot().file.Payload, plain.file.Payload) || c.Info().Keys != plain.Info().Keys || c.Info().Fill != plain.Info().Fill {
		t.Error("other bits than one goroutine sets")
	}
	file, err := c.AppendBinary(nil)
	if err != nil {
		t.Fatal(err)
	}
	if f, err := Open(file); err != nil || f.MayContainBatch(hashes, nil) != len(hashes) {
		t.Errorf("what it saves: %v", err)
	}
	if err := c.AddString("x"); err != nil || !c.MayContain([]byte("x")) || c.Add([]byte("y")) != nil || !c.MayContainString("y") {
		t.Error("a key is denied")
	}
}

func BenchmarkAdd(b *testing.B) {
	config := filters.Config{Keys: 1_000_000, FPR: 0.01}
	hashes := filtertest.Hashes(1, 0, 1<<16)
	b.Run("plain", func(b *testing.B) {
		f, _ := New(config)
		for i := range b.N {
			f.AddHash(hashes[i%len(hashes)] + filters.Hash(i))
		}
	})
	b.Run("concurrent", func(b *testing.B) {
		f, _ := NewConcurrent(config)
		for i := range b.N {
			f.AddHash(hashes[i%len(hashes)] + filters.Hash(i))
		}
	})
	b.Run("parallel", func(b *testing.B) {
		f, _ := NewConcurrent(config)
		b.RunParallel(func(pb *testing.PB) {
			for i := 0; pb.Next(); i++ {
				f.AddHash(hashes[i%len(hashes)] + filters.Hash(i))
			}
		})
	})
}
