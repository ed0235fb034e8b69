package core_test

import (
	"bytes"
	"compress/gzip"
	"os"
	"testing"
)

// A page can afford so much: the whole core, and as it is sent.
const (
	maxBytes = 8 << 10
	maxGzip  = 4 << 10
)

func TestSize(t *testing.T) {
	for _, path := range []string{"core.wasm", "core-scalar.wasm"} {
		module, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		var packed bytes.Buffer
		w, _ := gzip.NewWriterLevel(&packed, gzip.BestCompression)
		w.Write(module)
		w.Close()
		t.Logf("%s: %d bytes, gzip %d", path, len(module), packed.Len())
		if len(module) > maxBytes || packed.Len() > maxGzip {
			t.Errorf("%s: %d bytes, gzip %d, must be at most %d and %d", path, len(module), packed.Len(), maxBytes, maxGzip)
		}
	}
}
