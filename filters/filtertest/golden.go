package filtertest

import (
	"bytes"
	"flag"
	"os"
	"testing"
)

var update = flag.Bool("update", false, "write the golden files that are missing")

// Golden returns the file that is kept for ever at path, and fails the test if what
// is made now differs from it.
func Golden(t *testing.T, path string, now []byte) []byte {
	t.Helper()
	if _, err := os.Stat(path); *update && os.IsNotExist(err) {
		if err := os.WriteFile(path, now, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	file, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(file, now) {
		t.Errorf("%s: building gives other bytes", path)
	}
	return file
}
