//go:build unix

package all

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/tamis-filter/tamis/filters"
)

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
