package filtertest

import (
	"bytes"
	"errors"
	"testing"

	"github.com/tamis-filter/tamis/filters"
)

// testFile checks that what is written opens as the same filter.
func testFile(t *testing.T, f filters.Family) {
	members, strangers := Hashes(11, 0, 3000), Hashes(12, 0, 20000)
	for _, p := range []float64{0.5, 0.1, 1.0 / 256, 0.001, 1e-6} {
		filter := build(t, f, members, filters.Config{FPR: p, Seed: 99})
		file := encode(t, filter)
		var stream bytes.Buffer
		if n, err := filter.WriteTo(&stream); err != nil || n != int64(len(file)) || !bytes.Equal(stream.Bytes(), file) {
			t.Errorf("WriteTo: %d, %v, or other bytes than AppendBinary", n, err)
		}
		if appended, err := filter.AppendBinary([]byte("prefix")); err != nil || string(appended) != "prefix"+string(file) {
			t.Errorf("AppendBinary does not append: %v", err)
		}
		if n, err := filter.WriteTo(&failingWriter{room: 100}); err == nil || n > 100 {
			t.Errorf("WriteTo reports %d, %v for a writer that fails", n, err)
		}
		view, err := f.Open(file)
		if err != nil {
			t.Fatal(err)
		}
		requireMembers(t, view, members)
		for _, h := range strangers {
			if view.MayContainHash(h) != filter.MayContainHash(h) {
				t.Fatal("the opened filter answers differently")
			}
		}
		a, b := filter.Info(), view.Info()
		if b.BuildBytes != 0 {
			t.Error("opening states the memory of building")
		}
		if a.BuildBytes = 0; a != b {
			t.Errorf("info was %+v, is %+v", a, b)
		}
		if !bytes.Equal(encode(t, view), file) {
			t.Error("the opened filter saves to other bytes")
		}
	}
}

type failingWriter struct{ room int }

func (w *failingWriter) Write(p []byte) (int, error) {
	if len(p) > w.room {
		n := w.room
		w.room = 0
		return n, errors.New("no room")
	}
	w.room -= len(p)
	return len(p), nil
}

// testView checks that a view neither copies nor changes the bytes it is over,
// and works at any alignment.
func testView(t *testing.T, f filters.Family) {
	members := Hashes(13, 0, 1000)
	file := encode(t, build(t, f, members, filters.Config{FPR: 0.01}))
	for offset := range 8 {
		buffer := append(make([]byte, offset), file...)
		view, err := f.Open(buffer[offset:])
		if err != nil {
			t.Fatal(err)
		}
		requireMembers(t, view, members)
		if grower, ok := view.(filters.Adder); ok {
			if err := grower.AddHash(1); !errors.Is(err, filters.ErrReadOnly) {
				t.Errorf("adding to a view: %v", err)
			}
			if n, err := grower.AddBatch(members); n != 0 || !errors.Is(err, filters.ErrReadOnly) {
				t.Errorf("adding to a view: %d, %v", n, err)
			}
		}
		if deleter, ok := view.(filters.Deleter); ok && deleter.DeleteHash(members[0]) {
			t.Error("deleting from a view")
		}
		if !bytes.Equal(buffer[offset:], file) {
			t.Error("a view changed its bytes")
		}
	}
	big := encode(t, build(t, f, Hashes(13, 0, 200_000), filters.Config{FPR: 0.01}))
	if n := testing.Benchmark(func(b *testing.B) {
		b.ReportAllocs()
		for range b.N {
			if _, err := f.Open(big); err != nil {
				b.Fatal(err)
			}
		}
	}).AllocedBytesPerOp(); n > 4096 {
		t.Errorf("opening %d bytes allocates %d", len(big), n)
	}
	testUnverified(t, f, big)
}

// testUnverified checks that a view that has not looked at its payload's checksum
// answers like one that has, and passes damage on as what it is.
func testUnverified(t *testing.T, f filters.Family, file []byte) {
	view, err := f.OpenUnverified(file)
	if err != nil {
		t.Fatal(err)
	}
	requireMembers(t, view, Hashes(13, 0, 10_000))
	if !bytes.Equal(encode(t, view), file) {
		t.Error("an unverified view saves to other bytes")
	}
	damaged := bytes.Clone(file)
	damaged[len(file)/2] ^= 1
	if view, err = f.OpenUnverified(damaged); err != nil {
		t.Fatalf("reads the payload: %v", err)
	}
	if _, err := f.Open(encode(t, view)); !errors.Is(err, filters.ErrChecksum) {
		t.Errorf("damage is sealed anew: %v", err)
	}
}
