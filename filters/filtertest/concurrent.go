package filtertest

import (
	"bytes"
	"slices"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/tamis-filter/tamis/filters"
)

// RunConcurrent checks the kind of a family whose methods are all safe at once:
// four goroutines add, others ask meanwhile, nothing is lost, and the result is
// the filter that one goroutine makes.
func RunConcurrent(t *testing.T, f filters.Family, grow func(filters.Config) (filters.Adder, error)) {
	const adders = 4
	each := 1_000_000
	if testing.Short() {
		each = 20_000
	}
	config := filters.Config{Keys: uint64(adders * each), FPR: 0.01, Seed: 3}
	c, err := grow(config)
	if err != nil {
		t.Fatal(err)
	}
	hashes := Hashes(1, 0, adders*each)
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
	plain, err := f.New(config)
	if err != nil {
		t.Fatal(err)
	}
	plain.AddBatch(hashes)
	file := encode(t, c)
	if !bytes.Equal(file, encode(t, plain)) {
		t.Error("other bits, or another count, than one goroutine makes")
	}
	var stream bytes.Buffer
	if n, err := c.WriteTo(&stream); err != nil || n != int64(len(file)) || !bytes.Equal(stream.Bytes(), file) {
		t.Errorf("WriteTo: %d, %v, or other bytes", n, err)
	}
	view, err := f.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	if view.MayContainBatch(hashes, nil) != len(hashes) {
		t.Error("what it saves denies a key")
	}
	if err := c.AddString("x"); err != nil || !c.MayContain([]byte("x")) || c.Add([]byte("y")) != nil || !c.MayContainString("y") {
		t.Error("a key is denied")
	}
	if got := c.Info(); got.Keys != config.Keys+2 || got.Family != f.Name() || got.Fill <= 0 {
		t.Errorf("info %+v", got)
	}
}

// BenchmarkConcurrent measures what adding costs: to the plain kind, to the
// concurrent one, and to that from all processors.
func BenchmarkConcurrent(b *testing.B, f filters.Family, grow func(filters.Config) (filters.Adder, error)) {
	config := filters.Config{Keys: 1_000_000, FPR: 0.01}
	hashes := Hashes(1, 0, 1<<16)
	one := func(b *testing.B, grow func(filters.Config) (filters.Adder, error)) {
		filter, err := grow(config)
		if err != nil {
			b.Fatal(err)
		}
		for i := range b.N {
			filter.AddHash(hashes[i%len(hashes)] + filters.Hash(i))
		}
	}
	b.Run("plain", func(b *testing.B) { one(b, f.New) })
	b.Run("concurrent", func(b *testing.B) { one(b, grow) })
	b.Run("parallel", func(b *testing.B) {
		filter, err := grow(config)
		if err != nil {
			b.Fatal(err)
		}
		var started atomic.Int64
		b.RunParallel(func(pb *testing.PB) {
			// Not the keys of another goroutine at the same time.
			for i := int(started.Add(1)) * len(hashes) / 5; pb.Next(); i++ {
				filter.AddHash(hashes[i%len(hashes)] + filters.Hash(i))
			}
		})
	})
}
