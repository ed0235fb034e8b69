package filtertest

import (
	"bytes"
	"encoding/binary"
	"errors"
	"slices"
	"testing"

	"github.com/zeebo/xxh3"

	"github.com/tamis-filter/tamis/filters"
)

// smallFiles returns the files of filters of the shapes that there are.
func smallFiles(t *testing.T, f filters.Family) [][]byte {
	var files [][]byte
	for _, c := range []filters.Config{{FPR: 0.3}, {FPR: 1.0 / 256}, {FPR: 0.001, Seed: 77}, {FPR: 1e-6}} {
		for _, n := range []int{0, 1, 40} {
			files = append(files, encode(t, build(t, f, Hashes(11, 0, n), c)))
		}
	}
	return append(files, encode(t, build(t, f, Hashes(11, 0, 3000), filters.Config{FPR: 0.01})))
}

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
		if a, b := filter.Info(), view.Info(); a != b {
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
	}).AllocedBytesPerOp(); n > 1024 {
		t.Errorf("opening %d bytes allocates %d", len(big), n)
	}
}

// testDamage checks that no damaged file opens: cut anywhere, a piece missing,
// bytes behind, one bit flipped.
func testDamage(t *testing.T, f filters.Family) {
	for _, file := range smallFiles(t, f) {
		refuse := func(what string, at int, damaged []byte) {
			t.Helper()
			if _, err := f.Open(damaged); !errors.Is(err, filters.ErrFormat) {
				t.Fatalf("%s at %d of %d bytes: %v", what, at, len(file), err)
			}
		}
		for n := range file {
			refuse("cut", n, file[:n:n])
		}
		for _, n := range []int{1, 7, 64} {
			for at := 0; at+n < len(file) && at < 1000; at++ {
				refuse("piece missing", at, slices.Delete(slices.Clone(file), at, at+n))
			}
			refuse("bytes behind", n, append(slices.Clone(file), make([]byte, n)...))
		}
		for bit := range 8 * min(len(file), 1000) {
			flipped := slices.Clone(file)
			flipped[bit/8] ^= 1 << (bit % 8)
			refuse("bit flipped", bit, flipped)
		}
	}
}

// testFields changes every byte of the header and of the payload's first line,
// with the checksums made anew. What opens all the same must be sound: it
// answers without a panic and saves to the bytes it came from.
func testFields(t *testing.T, f filters.Family) {
	strangers := append(Hashes(14, 0, 500), 0, ^filters.Hash(0))
	for _, file := range smallFiles(t, f) {
		for at := range min(len(file), 2*filters.HeaderSize) {
			for _, change := range []byte{1, 2, 3, 7, 8, 16, 64, 128, 255} {
				changed := slices.Clone(file)
				changed[at] += change
				Reseal(changed)
				filter, err := f.Open(changed)
				if err != nil {
					if !errors.Is(err, filters.ErrFormat) {
						t.Fatalf("byte %d: %v is not an ErrFormat", at, err)
					}
					continue
				}
				if at < 7 || at >= 40 && at < 48 {
					t.Fatalf("byte %d + %d: opened in spite of it", at, change)
				}
				filter.MayContainBatch(strangers, nil)
				for _, h := range strangers[:20] {
					filter.MayContainHash(h)
				}
				filter.Info()
				if !bytes.Equal(encode(t, filter), changed) {
					t.Fatalf("byte %d + %d: saves to other bytes", at, change)
				}
			}
		}
	}
}

// testLies opens files that claim sizes and counts at their extremes, over no
// payload, a little and what was there. Each is refused, or sound; none makes
// the reader allocate more than a constant beyond what is there, or work long.
func testLies(t *testing.T, f filters.Family) {
	honest := encode(t, build(t, f, Hashes(15, 0, 100), filters.Config{FPR: 0.01}))
	extremes := []uint64{0, 1, 7, 1 << 31, 1<<32 - 1, 1 << 32, 1 << 37, 1 << 40, 1 << 56, 1 << 62, 1 << 63, 1<<64 - 1}
	for _, payload := range []int{0, 8, 64, 128, len(honest) - filters.HeaderSize} {
		for _, offset := range []int{16, 24, 32, 40} { // keys, capacity, size, payload length
			for _, x := range extremes {
				for _, param := range []int{-1, 0, 1, 255} {
					file := slices.Clone(honest[:filters.HeaderSize+payload])
					binary.LittleEndian.PutUint64(file[40:], uint64(payload))
					binary.LittleEndian.PutUint64(file[offset:], x)
					if param >= 0 {
						file[7] = byte(param)
					}
					Reseal(file)
					before := allocated()
					filter, err := f.Open(file)
					if n := allocated() - before; n > uint64(len(file))+16<<10 {
						t.Fatalf("%d bytes of payload, %d at byte %d: opening allocates %d", payload, x, offset, n)
					}
					if err != nil {
						if !errors.Is(err, filters.ErrFormat) {
							t.Fatalf("%v is not an ErrFormat", err)
						}
						continue
					}
					if payload == 0 || offset == 32 && x == 0 && filter.Info().Keys != 0 {
						t.Fatalf("%d bytes of payload, %d at byte %d: opened", payload, x, offset)
					}
					filter.MayContainBatch(Hashes(16, 0, 100), nil)
					filter.Info()
				}
			}
		}
	}
}

// Reseal recomputes the checksums of a file that has been changed.
func Reseal(file []byte) {
	if len(file) < filters.HeaderSize {
		return
	}
	binary.LittleEndian.PutUint64(file[48:], xxh3.Hash(file[filters.HeaderSize:]))
	binary.LittleEndian.PutUint64(file[56:], xxh3.Hash(file[:56]))
}
