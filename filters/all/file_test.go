package all_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"testing"
	"time"

	"github.com/tamis-filter/tamis/blocked"
	"github.com/tamis-filter/tamis/filters"
	"github.com/tamis-filter/tamis/filters/all"
	"github.com/tamis-filter/tamis/filters/filtertest"
)

// saved builds a filter and saves it.
func saved(t *testing.T, path, family string, hashes []filters.Hash, c filters.Config) {
	t.Helper()
	f, err := all.Build(family, slices.Values([][]filters.Hash{hashes}), c)
	if err != nil {
		t.Fatal(err)
	}
	if err := all.SaveFile(path, f); err != nil {
		t.Fatal(err)
	}
}

var openers = map[string]func(string) (*all.File, error){"verified": all.OpenFile, "unverified": all.OpenFileUnverified}

// A saved file answers in place as the filter did, and can be saved again over
// itself while it is open. Of sizes around a page's, which end with the mapping.
func TestOpenFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "filter")
	for _, name := range all.Names() {
		for _, n := range []int{0, 1, 3000, 3020, 3040, 60_000} {
			hashes, strangers := filtertest.Hashes(1, 0, n), filtertest.Hashes(2, 0, 10_000)
			saved(t, path, name, hashes, filters.Config{FPR: 0.01, Seed: 9})
			want, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			copied, err := all.Open(want)
			if err != nil {
				t.Fatal(err)
			}
			for how, open := range openers {
				f, err := open(path)
				if err != nil {
					t.Fatal(err)
				}
				if got := f.MayContainBatch(hashes, nil); got != n {
					t.Errorf("%s, %s: %d of %d members are denied", name, how, n-got, n)
				}
				if f.MayContainBatch(strangers, nil) != copied.MayContainBatch(strangers, nil) || f.Info() != copied.Info() {
					t.Errorf("%s, %s: answers differ", name, how)
				}
				if err := all.SaveFile(path, f); err != nil {
					t.Fatal(err)
				}
				if got, err := os.ReadFile(path); err != nil || !bytes.Equal(got, want) {
					t.Errorf("%s, %s: saves to other bytes: %v", name, how, err)
				}
				if err := errors.Join(f.Close(), f.Close()); err != nil || f.Filter != nil {
					t.Errorf("closing: %v", err)
				}
			}
		}
	}
}

// A file of a page, where the layout can take exactly one: no kernel reads beyond the mapping's end.
func TestOpenFileOfOnePage(t *testing.T) {
	path := filepath.Join(t.TempDir(), "filter")
	keys := os.Getpagesize() / 4
	for _, name := range all.Names() {
		c := filters.Config{Keys: uint64(keys), MaxBytes: uint64(os.Getpagesize())}
		saved(t, path, name, filtertest.Hashes(1, 0, keys), c)
		info, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		if whole := name == "standard" || name == "blocked" || name == "split"; whole && info.Size() != int64(os.Getpagesize()) {
			t.Errorf("%s: %d bytes are no page", name, info.Size())
		}
		f, err := all.OpenFile(path)
		if err != nil {
			t.Fatal(err)
		}
		f.MayContainBatch(filtertest.Hashes(2, 0, 100_000), nil)
		for _, h := range append(filtertest.Hashes(3, 0, 1000), 0, ^filters.Hash(0)) {
			f.MayContainHash(h)
		}
		if err := f.Close(); err != nil {
			t.Error(err)
		}
	}
}

// What is no filter file is refused with the file's name, whatever it is.
func TestOpenFileRefuses(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "filter")
	saved(t, path, "blocked", filtertest.Hashes(1, 0, 3000), filters.Config{FPR: 0.01})
	good, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	lie := slices.Clone(good[:filters.HeaderSize])
	lie[43] = 4 // a payload of 64 MiB more
	filtertest.Reseal(lie)
	flipped := slices.Clone(good)
	flipped[len(good)-1] ^= 1
	for what, test := range map[string]struct {
		data     []byte
		verified bool // refused only then
	}{
		"empty":         {nil, false},
		"cut header":    {good[:63], false},
		"header alone":  {good[:64], false},
		"cut":           {good[:len(good)-1], false},
		"a byte more":   {append(slices.Clone(good), 0), false},
		"other":         {make([]byte, 100_000), false},
		"lie":           {lie, false},
		"header bit":    {append([]byte{good[0], good[1], good[2], good[3], good[4], good[5], good[6], good[7] ^ 1}, good[8:]...), false},
		"flipped a bit": {flipped, true},
	} {
		if err := os.WriteFile(path, test.data, 0o644); err != nil {
			t.Fatal(err)
		}
		for how, open := range openers {
			f, err := open(path)
			if test.verified && how == "unverified" {
				if err != nil {
					t.Errorf("%s, %s: %v", what, how, err)
				}
				var again bytes.Buffer
				if _, err := f.WriteTo(&again); err != nil || !bytes.Equal(again.Bytes(), test.data) {
					t.Errorf("%s: damage is sealed anew", what)
				}
				f.Close()
				continue
			}
			var named *fs.PathError
			if f != nil || !errors.Is(err, filters.ErrFormat) || !errors.As(err, &named) || named.Path != path {
				t.Errorf("%s, %s: %v", what, how, err)
			}
		}
	}
	for how, open := range openers {
		if f, err := open(filepath.Join(dir, "absent")); f != nil || !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s: %v", how, err)
		}
		if f, err := open(dir); f != nil || err == nil {
			t.Errorf("%s: a directory opens", how)
		}
	}
}

// Opening without the payload's checksum takes neither memory nor time that
// grows with the file. The file is sparse: were it read, it would show.
func TestOpenFileUnverifiedReadsNothing(t *testing.T) {
	if runtime.GOOS == "windows" || runtime.GOOS == "js" {
		t.Skip("files are read here")
	}
	path := filepath.Join(t.TempDir(), "filter")
	const size = min(1<<30, filters.MaxPayload/2)
	for _, name := range []string{"standard", "blocked", "split", "cuckoo"} {
		sparse(t, path, name, size)
		best := time.Hour
		before := allocated()
		for range 20 {
			start := time.Now()
			f, err := all.OpenFileUnverified(path)
			if err != nil {
				t.Fatal(err)
			}
			best = min(best, time.Since(start))
			if f.MayContainHash(12345) {
				t.Errorf("%s: an empty filter has a key", name)
			}
			if err := f.Close(); err != nil {
				t.Fatal(err)
			}
		}
		each := (allocated() - before) / 20
		t.Logf("%s: a payload of %d bytes opens in %v, with %d bytes allocated", name, size, best, each)
		if best > 20*time.Millisecond || each > 16<<10 {
			t.Errorf("%s: opening takes %v and %d bytes", name, best, each)
		}
	}
}

// sparse writes the file of an empty filter whose payload takes at least size
// bytes in memory but hardly any on the disk. Its payload checksum is wrong. The
// header is that of a small filter, with what grows grown in proportion.
func sparse(t *testing.T, path, name string, size uint64) {
	t.Helper()
	header := func(keys uint64) (file []byte, size, payload uint64) {
		f, err := all.New(name, filters.Config{Keys: keys, MaxBytes: filters.HeaderSize + 2*keys})
		if err != nil {
			t.Fatal(err)
		}
		file, err = f.AppendBinary(nil)
		if err != nil {
			t.Fatal(err)
		}
		return file[:filters.HeaderSize], binary.LittleEndian.Uint64(file[32:]), binary.LittleEndian.Uint64(file[40:])
	}
	file, size1, payload1 := header(1 << 12)
	_, size2, payload2 := header(1 << 13)
	steps := size / (payload2 - payload1)
	payload := payload1 + steps*(payload2-payload1)
	binary.LittleEndian.PutUint64(file[32:], size1+steps*(size2-size1))
	binary.LittleEndian.PutUint64(file[40:], payload)
	filtertest.Reseal(file)
	if err := os.WriteFile(path, file, 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(path, filters.HeaderSize+int64(payload)); err != nil {
		t.Fatal(err)
	}
}

func allocated() uint64 {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.TotalAlloc
}

// half writes something and then fails.
type half struct{ err error }

func (h half) WriteTo(w io.Writer) (int64, error) {
	n, err := io.WriteString(w, "half a filter")
	return int64(n), errors.Join(err, h.err)
}

// A save that fails leaves the old file and nothing beside it; one that does not
// keeps the permissions, and the link.
func TestSaveFile(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "filter")
	if err := os.WriteFile(path, []byte("old"), 0o640); err != nil {
		t.Fatal(err)
	}
	dead := errors.New("the disk died")
	if err := all.SaveFile(path, half{dead}); !errors.Is(err, dead) {
		t.Errorf("error is %v", err)
	}
	if b, err := os.ReadFile(path); err != nil || string(b) != "old" {
		t.Errorf("the old file is now %q, %v", b, err)
	}
	if err := all.SaveFile(filepath.Join(dir, "absent", "filter"), half{}); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("no directory: %v", err)
	}
	link := filepath.Join(dir, "link")
	if err := os.Symlink("filter", link); err != nil {
		link = path // not everywhere
	}
	if err := all.SaveFile(link, half{}); err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	if b, err := os.ReadFile(path); err != nil || string(b) != "half a filter" || runtime.GOOS != "windows" && info.Mode().Perm() != 0o640 {
		t.Errorf("the new file is %q, %v, %v", b, info.Mode(), err)
	}
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) > 2 {
		t.Errorf("something stays behind: %v, %v", entries, err)
	}
}

func ExampleOpenFile() {
	dir, err := os.MkdirTemp("", "")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "names.tamis")

	f, err := blocked.New(filters.Config{Keys: 1000, FPR: 0.001})
	if err != nil {
		panic(err)
	}
	f.AddString("alice")
	if err := all.SaveFile(path, f); err != nil {
		panic(err)
	}

	g, err := all.OpenFile(path)
	if err != nil {
		panic(err)
	}
	defer g.Close()
	fmt.Println(g.MayContainString("alice"), g.MayContainString("mallory"))
	// Output: true false
}

// A filter of 1 GiB as a program would have it: built of keys, saved, mapped,
// verified, asked. It takes too much for every run; make test-large has it.
func TestLarge(t *testing.T) {
	if os.Getenv("TAMIS_LARGE") == "" {
		t.Skip("make test-large runs it")
	}
	const size, keys = 1<<30 + filters.HeaderSize, 100_000_000
	path := filepath.Join(t.TempDir(), "filter")
	for _, name := range []string{"blocked", "standard"} {
		f, err := all.New(name, filters.Config{Keys: 1 << 30, MaxBytes: size})
		if err != nil {
			t.Fatal(err)
		}
		const step = 1 << 20
		for from := uint64(0); from < keys; from += step {
			if _, err := f.AddBatch(filtertest.Hashes(1, from, step)); err != nil {
				t.Fatal(err)
			}
		}
		if got := f.Info().Bits / 8; got != 1<<30 {
			t.Fatalf("%s: %d bytes", name, got)
		}
		if err := all.SaveFile(path, f); err != nil {
			t.Fatal(err)
		}
		for how, open := range openers {
			before := allocated()
			start := time.Now()
			g, err := open(path)
			if err != nil {
				t.Fatal(err)
			}
			took, heap := time.Since(start), allocated()-before
			denied, hits := 0, 0
			for from := uint64(0); from < keys; from += 10 * step {
				denied += step - g.MayContainBatch(filtertest.Hashes(1, from, step), nil)
				hits += g.MayContainBatch(filtertest.Hashes(2, from, step), nil)
			}
			t.Logf("%s, %s: opens in %v, with %d bytes allocated; %d members denied, %d strangers accepted", name, how, took, heap, denied, hits)
			if denied != 0 || heap > 16<<10 || hits > 10*step/50 {
				t.Errorf("%s, %s: it shows", name, how)
			}
			if err := g.Close(); err != nil {
				t.Error(err)
			}
		}
		file, err := os.OpenFile(path, os.O_RDWR, 0)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := file.WriteAt([]byte{0xa5, 0x5a}, 1<<29); err != nil {
			t.Fatal(err)
		}
		if err := file.Close(); err != nil {
			t.Fatal(err)
		}
		if _, err := all.OpenFile(path); !errors.Is(err, filters.ErrChecksum) {
			t.Errorf("%s: two bytes in the middle: %v", name, err)
		}
	}
}
