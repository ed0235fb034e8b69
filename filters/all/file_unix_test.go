//go:build unix

package all

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"syscall"
	"testing"

	"github.com/tamis-filter/tamis/filters"
)

// A pipe cannot be mapped. It is read, up to its end.
func TestOpenPipe(t *testing.T) {
	path := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		t.Skip(err)
	}
	for _, name := range Names() {
		f, err := Build(name, slices.Values([][]filters.Hash{{1 << 60, 2 << 60, 3 << 60}}), filters.Config{Keys: 1 << 17, FPR: 0.01})
		if err != nil {
			t.Fatal(err)
		}
		good, err := f.AppendBinary(nil)
		if err != nil {
			t.Fatal(err)
		}
		for what, data := range map[string][]byte{"": good, "a byte more": append(slices.Clone(good), 0), "cut": good[:len(good)-1], "no header": good[:20]} {
			go os.WriteFile(path, data, 0)
			g, err := OpenFile(path)
			if what != "" {
				if g != nil || !errors.Is(err, filters.ErrFormat) {
					t.Errorf("%s, %s: %v", name, what, err)
				}
				continue
			}
			if err != nil {
				t.Fatal(err)
			}
			want := f.Info()
			want.BuildBytes = 0
			if !g.MayContainHash(2<<60) || g.Info() != want {
				t.Errorf("%s: another filter", name)
			}
			if err := g.Close(); err != nil {
				t.Error(err)
			}
		}
	}
}

// A file that is cut short between its header and its checksum is an error, and
// no fault that ends the program. Any other panic comes through.
func TestFileCutWhileOpened(t *testing.T) {
	path := filepath.Join(t.TempDir(), "filter")
	for _, name := range Names() {
		f, err := Build(name, slices.Values([][]filters.Hash{{1, 2, 3}}), filters.Config{Keys: 1 << 20, FPR: 0.01})
		if err != nil {
			t.Fatal(err)
		}
		if err := SaveFile(path, f); err != nil {
			t.Fatal(err)
		}
		if info, err := os.Stat(path); err != nil || info.Size() < 1<<16 {
			continue // a static family takes no more than its keys need: too few for a page
		}
		g, err := openFile(path, func(data []byte) (filters.Filter, error) {
			if err := os.Truncate(path, filters.HeaderSize); err != nil {
				t.Fatal(err)
			}
			return Open(data)
		})
		if g != nil || !errors.Is(err, filters.ErrFormat) {
			t.Errorf("%s: %v", name, err)
		}
	}
	defer func() {
		if recover() != "other" {
			t.Error("a panic is swallowed")
		}
	}()
	faultless(func([]byte) (filters.Filter, error) { panic("other") }, nil)
}
