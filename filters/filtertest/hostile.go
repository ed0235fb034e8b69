package filtertest

import (
	"encoding/binary"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/zeebo/xxh3"

	"github.com/tamis-filter/tamis/filters"
)

// smallFiles returns the files of filters of the shapes that there are.
func smallFiles(t testing.TB, f filters.Family) [][]byte {
	t.Helper()
	var files [][]byte
	add := func(n int, c filters.Config) {
		filter, err := f.Build(seq(Hashes(11, 0, n)), c)
		if err != nil {
			t.Fatal(err)
		}
		file, err := filter.AppendBinary(nil)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, file)
	}
	configs, counts := []filters.Config{{FPR: 1.0 / 256}, {FPR: 0.001, Seed: 77}, {FPR: 0.3}, {FPR: 1e-6}}, []int{0, 40, 1}
	if testing.Short() {
		configs, counts = configs[:2], counts[:2]
	}
	for _, c := range configs {
		for _, n := range counts {
			add(n, c)
		}
	}
	add(3000, filters.Config{FPR: 0.01})
	return files
}

// stride thins out what a loop over every byte does, in the short suite.
func stride(at int) int {
	if testing.Short() && at > 2*filters.HeaderSize {
		return 7
	}
	return 1
}

// testDamage checks that no damaged file opens: cut anywhere, a piece missing,
// bytes behind, one bit flipped.
func testDamage(t *testing.T, f filters.Family) {
	files := smallFiles(t, f)
	for _, kind := range []struct {
		name   string
		damage func(file []byte, refuse func(at int, damaged []byte))
	}{
		{"cut", func(file []byte, refuse func(int, []byte)) {
			for n := 0; n < len(file); n += stride(n) {
				refuse(n, file[:n:n])
			}
		}},
		{"piece missing", func(file []byte, refuse func(int, []byte)) {
			for _, n := range []int{1, 7, 64} {
				for at := 0; at+n <= len(file) && at < 1000; at += stride(at) {
					refuse(at, slices.Delete(slices.Clone(file), at, at+n))
				}
			}
		}},
		{"bytes behind", func(file []byte, refuse func(int, []byte)) {
			for _, n := range []int{1, 7, 64} {
				refuse(len(file), append(slices.Clone(file), make([]byte, n)...))
			}
		}},
		{"bit flipped", func(file []byte, refuse func(int, []byte)) {
			for at := 0; at < min(len(file), 1000); at += stride(at) {
				for bit := range 8 {
					flipped := slices.Clone(file)
					flipped[at] ^= 1 << bit
					refuse(at, flipped)
				}
			}
		}},
	} {
		r := newReaders(t, f, kind.name)
		for _, file := range files {
			kind.damage(file, func(at int, damaged []byte) {
				t.Helper()
				if r.try(damaged) {
					t.Fatalf("%s at %d of %d bytes: opened", kind.name, at, len(file))
				}
			})
		}
		r.report()
	}
}

// extremes are what fields break at.
var extremes = []uint64{0, 1, 2, 7, 8, 63, 64, 255, 1 << 16, 1<<31 - 1, 1 << 31, 1<<32 - 1, 1 << 32, 1 << 35, 1 << 37, 1 << 38, 1 << 40, 1<<40 + 1, 1 << 41, 1 << 56, 1<<56 + 1, 1 << 62, 1 << 63, 1<<64 - 64, 1<<64 - 1}

// testFields changes every byte of the header and of the payload's first line,
// and every field of them as a whole, with the checksums made anew. What opens
// all the same is sound.
func testFields(t *testing.T, f filters.Family) {
	r := newReaders(t, f, "field changed")
	for _, file := range smallFiles(t, f) {
		check := func(at int, changed []byte) {
			t.Helper()
			if slices.Equal(changed, file) {
				return
			}
			Reseal(changed)
			if r.try(changed) && (at < 7 || at >= 40 && at < 48) {
				t.Fatalf("a change at byte %d: opened in spite of it", at)
			}
		}
		for at := range min(len(file), 2*filters.HeaderSize) {
			for _, change := range []byte{1, 2, 3, 7, 8, 16, 64, 128, 255} {
				changed := slices.Clone(file)
				changed[at] += change
				check(at, changed)
			}
			if at%8 != 0 || at+8 > len(file) {
				continue
			}
			old := binary.LittleEndian.Uint64(file[at:])
			for _, x := range append(extremes, old+1, old-1, 2*old, old/2, ^old) {
				changed := slices.Clone(file)
				binary.LittleEndian.PutUint64(changed[at:], x)
				check(at, changed)
			}
		}
	}
	r.report()
}

// testLies opens files that claim sizes and counts at their extremes, over no
// payload, a little and what was there. Each is refused, or sound; none makes
// the reader allocate more than a constant beyond what is there, or work long.
func testLies(t *testing.T, f filters.Family) {
	r := newReaders(t, f, "size that lies")
	honest := encode(t, build(t, f, Hashes(15, 0, 100), filters.Config{FPR: 0.01}))
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
					if r.try(file) != (err == nil) {
						t.Fatalf("%d bytes of payload, %d at byte %d: once %v", payload, x, offset, err)
					}
					if err == nil && (payload == 0 || offset == 32 && x == 0 && filter.Info().Keys != 0) {
						t.Fatalf("%d bytes of payload, %d at byte %d: opened", payload, x, offset)
					}
				}
			}
		}
	}
	r.report()
}

// testMutants is the fuzz target by a count: files mutated at random, most of them
// then repaired so that they get past the checksums and the lengths.
func testMutants(t *testing.T, f filters.Family) {
	n := 20_000
	if testing.Short() {
		n = 1000
	}
	r := newReaders(t, f, "mutant")
	files := smallFiles(t, f)
	random := rand.New(rand.NewPCG(5, uint64(f.Kind)))
	for range n {
		file := mutate(random, files)
		repair(file, f.Kind, byte(random.IntN(4)))
		r.try(file)
	}
	r.report()
}

// mutate returns one of files with a few changes.
func mutate(random *rand.Rand, files [][]byte) []byte {
	file := slices.Clone(files[random.IntN(len(files))])
	for range 1 + random.IntN(4) {
		if len(file) < 16 {
			break
		}
		at := random.IntN(len(file) - 8)
		if random.IntN(2) == 0 {
			at = random.IntN(min(len(file)-8, 2*filters.HeaderSize)) // where the fields are
		}
		switch random.IntN(8) {
		case 0:
			file[at] ^= 1 << random.IntN(8)
		case 1:
			file[at] = byte(random.Uint32())
		case 2:
			file[at] = byte(extremes[random.IntN(len(extremes))])
		case 3, 4:
			binary.LittleEndian.PutUint64(file[at&^7:], extremes[random.IntN(len(extremes))]+uint64(random.IntN(5))-2)
		case 5:
			file = file[:at]
		case 6:
			file = slices.Delete(file, at, at+random.IntN(min(len(file)-at, 100)))
		case 7:
			other := files[random.IntN(len(files))]
			file = slices.Insert(file, at, other[:random.IntN(len(other))]...)
		}
	}
	return file
}

// repair makes mutated bytes get further: by bit 0 of how with the checksums made
// anew, by bit 1 with what identifies the file and with the payload's length.
func repair(file []byte, kind filters.Kind, how byte) {
	if len(file) < filters.HeaderSize {
		return
	}
	if how&2 != 0 {
		copy(file, "\x9ftms")
		file[4], file[5], file[6] = filters.Version, byte(kind), 1
		binary.LittleEndian.PutUint64(file[40:], uint64(len(file)-filters.HeaderSize))
	}
	if how&1 != 0 {
		Reseal(file)
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

// FuzzReaders is the fuzz target of a family's readers. It starts from valid files
// of every shape and repairs what the fuzzer makes of them, as the second
// argument says.
func FuzzReaders(f *testing.F, family filters.Family) {
	for _, file := range smallFiles(f, family) {
		for how := range byte(4) {
			f.Add(file, how)
		}
	}
	f.Fuzz(func(t *testing.T, data []byte, how byte) {
		if len(data) > 1<<16 {
			t.Skip("nothing new in large files")
		}
		file := slices.Clone(data)
		repair(file, family.Kind, how)
		newReaders(t, family, "fuzz").try(file)
	})
}
