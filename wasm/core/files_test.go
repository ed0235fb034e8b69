package core_test

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/tamis-filter/tamis/filters"
)

func key(i int) []byte { return fmt.Appendf(nil, "key %d", i) }

// The files that are kept for ever.
func TestGoldenFiles(t *testing.T) {
	paths, _ := filepath.Glob("../../filters/*/testdata/v1-*.tamis")
	if len(paths) < 17 {
		t.Fatalf("%d files", len(paths))
	}
	forEach(t, func(t *testing.T, c *core) {
		for _, path := range paths {
			file, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			filter := c.compare(file)
			if filter == nil {
				t.Fatalf("%s: refused", path)
			}
			c.agree(filter, 20_000)
		}
	})
}

// agree compares answers for so many keys.
func (c *core) agree(filter filters.Filter, n int) {
	c.Helper()
	keys := make([][]byte, n)
	for i := range keys {
		keys[i] = key(i)
	}
	for i, got := range c.many(keys) {
		if want := filter.MayContain(keys[i]); got != want {
			c.Fatalf("%s, %q: %v, Go: %v", filter.Info().Layout, keys[i], got, want)
		}
	}
}
