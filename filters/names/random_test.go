package names_test

import (
	"encoding/json"
	"flag"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/tamis-filter/tamis/filters/names"
)

var update = flag.Bool("update", false, "write the digests of the random names anew")

// random says how random names are made and what comes of them: a digest for every
// so many. The test of wasm/js makes the same names and holds the same digests. It has
// no letters written from right to left and no joiners, about which engines for
// JavaScript are laxer than the standard.
type random struct {
	Seed    uint32   `json:"seed"`
	Rows    int      `json:"rows"`
	Every   int      `json:"every"`
	Parts   []string `json:"parts"`
	Before  []string `json:"before"`
	After   []string `json:"after"`
	Digests []uint32 `json:"digests"`
}

func TestRandom(t *testing.T) {
	const path = "../../wasm/testdata/names-random.json"
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var r random
	if err := json.Unmarshal(data, &r); err != nil {
		t.Fatal(err)
	}
	rows := r.Rows
	if testing.Short() && !*update {
		rows /= 4
	}
	state := r.Seed
	below := func(n int) int {
		state = state*1664525 + 1013904223
		return int(uint64(state) * uint64(n) >> 32)
	}
	var digests []uint32
	digest, accepted := uint32(0), 0
	for i := range rows {
		var s strings.Builder
		for parts := 1 + below(5); parts > 0; parts-- {
			s.WriteString(r.Parts[below(len(r.Parts))])
			if below(3) == 0 {
				s.WriteByte('.')
			}
		}
		input, canonical := s.String(), names.Host
		if below(3) == 0 {
			input = r.Before[below(len(r.Before))] + input + r.After[below(len(r.After))]
			canonical = names.URL
		}
		check(t, input, canonical)
		checkFastPath(t, input)
		line := "\n"
		if host, err := canonical(input); err == nil {
			accepted++
			line = strings.Join(append([]string{host}, walk(host)...), " ") + "\n"
		}
		for _, c := range []byte(line) {
			digest = (digest ^ uint32(c)) * 16777619
		}
		if (i+1)%r.Every == 0 {
			digests = append(digests, digest)
			digest = 0
		}
	}
	if accepted < rows/5 {
		t.Errorf("%d of %d are hosts", accepted, rows)
	}
	if *update {
		r.Digests = digests
		if data, err = json.Marshal(r); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, append(data, '\n'), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if want := r.Digests[:rows/r.Every]; !slices.Equal(digests, want) {
		t.Errorf("digests are %d, want %d", digests, want)
	}
}
