package main

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// gunzip returns a list of testdata.
func gunzip(t *testing.T, name string) string {
	t.Helper()
	packed, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	r, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		t.Fatal(err)
	}
	list, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	return string(list)
}

// A real blocklist, in every family: each of its names may be in the filter,
// and of popular names that are not on it no more than the rate says.
func TestRealLists(t *testing.T) {
	const names = 140_626
	list := gunzip(t, "stevenblack.domains.txt.gz")
	listed := map[string]bool{}
	var members strings.Builder
	for line := range strings.Lines(list) {
		if !strings.HasPrefix(line, "#") {
			listed[line] = true
			members.WriteString(line)
		}
	}
	if len(listed) != names {
		t.Fatalf("%d names, want %d", len(listed), names)
	}
	var strangers strings.Builder
	count := 0
	for line := range strings.Lines(gunzip(t, "opendns-top-10k.txt.gz")) {
		if !listed[line] {
			strangers.WriteString(line)
			count++
		}
	}
	forFamilies(t, func(t *testing.T, family string) {
		for _, p := range []float64{0.01, 0.001} {
			file := filepath.Join(t.TempDir(), "list.tamis")
			tamis(list, "build", "--family", family, "--fpr", fmt.Sprint(p), "--comment", "#", "--quiet", "-o", file).must(t)
			if got := strings.Count(tamis(members.String(), "check", file).must(t).stdout, "maybe\t"); got != names {
				t.Errorf("p = %g: %d of %d names may be in it", p, got, names)
			}
			hits := strings.Count(tamis(strangers.String(), "check", file).stdout, "maybe\t")
			expected := 1.03 * p * float64(count)
			if most := expected + 5*math.Sqrt(expected) + 1; float64(hits) > most {
				t.Errorf("p = %g: %d of %d strangers are accepted, more than %.0f", p, hits, count, most)
			}
			info, err := os.Stat(file)
			if err != nil {
				t.Fatal(err)
			}
			bound := names * -math.Log2(p) / 8
			t.Logf("p = %g: %d bytes, %.3f of the bound %.0f; %d of %d strangers accepted", p, info.Size(), float64(info.Size())/bound, bound, hits, count)
		}
	})
}
