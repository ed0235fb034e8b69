package main

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestErrorsAreOneLine(t *testing.T) {
	dir := t.TempDir()
	list, empty := write(t, dir, "list", "a\n"), write(t, dir, "empty", "")
	absent, out := filepath.Join(dir, "absent"), filepath.Join(dir, "out")
	for _, test := range []struct {
		args  []string
		parts []string
	}{
		{[]string{"frobnicate"}, []string{`"frobnicate"`, "tamis --help"}},
		{[]string{"check\nup"}, []string{`check\nup`}},
		{[]string{"--frobnicate"}, []string{"--frobnicate", "tamis --help"}},

		{[]string{"build", list}, []string{"output", "-o FILE"}},
		{[]string{"build", list, "-o"}, []string{"tamis build --help"}},
		{[]string{"build", list, "-o", out, "--frobnicate"}, []string{"--frobnicate", "tamis build --help"}},
		{[]string{"build", list, "-o", out, "--family", "xor"}, []string{"--family", `"xor"`, "standard, blocked"}},
		{[]string{"build", list, "-o", out, "--fpr", "one"}, []string{"--fpr", `"one"`, "must be a number"}},
		{[]string{"build", list, "-o", out, "--fpr", "0"}, []string{"--fpr is 0", "more than 0"}},
		{[]string{"build", list, "-o", out, "--fpr", "-1"}, []string{"--fpr is -1", "less than 1"}},
		{[]string{"build", list, "-o", out, "--fpr", "1"}, []string{"--fpr is 1", "less than 1"}},
		{[]string{"build", list, "-o", out, "--fpr", "NaN"}, []string{"--fpr is NaN", "less than 1"}},
		{[]string{"build", list, "-o", out, "--fpr", "-Inf"}, []string{"--fpr is -Inf", "less than 1"}},
		{[]string{"build", list, "-o", out, "--fpr", "1e-30"}, []string{"--fpr is 1e-30", "at least 2^-32"}},
		{[]string{"build", list, "-o", out, "--fpr", "1e999"}, []string{"--fpr", "1e999"}},
		{[]string{"build", list, "-o", out, "--fpr", "0.1", "--max-bytes", "1e6"}, []string{"--fpr", "--max-bytes", "2 of them", "exactly one"}},
		{[]string{"build", list, "-o", out, "--bits-per-key", "0"}, []string{"--bits-per-key is 0"}},
		{[]string{"build", list, "-o", out, "--bits-per-key", "-3"}, []string{"--bits-per-key is -3"}},
		{[]string{"build", list, "-o", out, "--max-bytes", "0"}, []string{"--max-bytes is 0"}},
		{[]string{"build", list, "-o", out, "--max-bytes", "64"}, []string{"--max-bytes is 64", "more than the 64 bytes"}},
		{[]string{"build", list, "-o", out, "--max-bytes", "1GB"}, []string{"--max-bytes", `"1GB"`, "whole number"}},
		{[]string{"build", list, "-o", out, "--keys", "0"}, []string{"--keys is 0"}},
		{[]string{"build", list, "-o", out, "--keys", "1.5"}, []string{"--keys", `"1.5"`, "whole number"}},
		{[]string{"build", list, "-o", out, "--keys", "1e18"}, []string{"--keys is 1000000000000000000", "2^40"}},
		{[]string{"build", list, "-o", out, "--keys", "1e12", "--family", "standard", "--fpr", "1e-9"}, []string{"too large", "tamis size"}},
		{[]string{"build", list, "-o", out, "--seed", "-1"}, []string{"--seed", `"-1"`, "2^64-1"}},
		{[]string{"build", list, "-o", out, "--quiet=perhaps"}, []string{"--quiet", "true or false"}},
		{[]string{"build", absent, "-o", out}, []string{"absent", "check the path"}},
		{[]string{"build", dir, "-o", out}, []string{dir, "directory"}},
		{[]string{"build", list, "-o", dir}, []string{"--output is " + dir, "regular file"}},
		{[]string{"build", list, "-o", filepath.Join(absent, "out")}, []string{"absent", "check the path"}},
		{[]string{"build", list, "-o", filepath.Join(list, "out")}, []string{"cannot write " + list}},

		{[]string{"check"}, []string{"tamis check FILE"}},
		{[]string{"check", absent}, []string{"absent", "check the path"}},
		{[]string{"check", dir}, []string{dir}},
		{[]string{"check", empty, "a"}, []string{empty, "length is 0 bytes", "'tamis build'"}},
		{[]string{"check", list, "a"}, []string{list, "length is 2 bytes"}},
		{[]string{"check", "--json", list}, []string{"--json", "tamis check --help"}},

		{[]string{"info"}, []string{"tamis info FILE"}},
		{[]string{"info", list, empty}, []string{"2 filter files", "tamis info FILE"}},
		{[]string{"info", absent}, []string{"absent", "check the path"}},
		{[]string{"info", filepath.Join(dir, "two\nlines")}, []string{`two\nlines`}},

		{[]string{"size"}, []string{"--keys", "tamis size --keys 1e6"}},
		{[]string{"size", "--keys", "1e6", "--fpr", "2"}, []string{"--fpr is 2", "less than 1"}},
		{[]string{"size", "--keys", "0"}, []string{"--keys is 0"}},
		{[]string{"size", "--keys", "1e13"}, []string{"--keys is 10000000000000", "2^40"}},
		{[]string{"size", "1e6"}, []string{`"1e6"`, "tamis size --help"}},
	} {
		t.Run(strings.Join(test.args, " "), func(t *testing.T) {
			r := tamis("", test.args...)
			r.fails(t, test.parts...)
			if r.stdout != "" {
				t.Errorf("standard output holds %q", r.stdout)
			}
		})
	}
	holds(t, dir, "empty", "list")
}

// Whatever happens to a filter file, the answer is an error in one line.
func TestSpoiledFilterIsAnError(t *testing.T) {
	forFamilies(t, func(t *testing.T, family string) {
		good, err := os.ReadFile(built(t, family, lines("k", 10)))
		if err != nil {
			t.Fatal(err)
		}
		dir := t.TempDir()
		refused := func(what string, data []byte) {
			path := write(t, dir, "spoiled", string(data))
			r := tamis("k1\n", "check", path)
			if r.fails(t, path); t.Failed() {
				t.Fatal(what)
			}
		}
		random := rand.New(rand.NewPCG(1, 2))
		for range 60 {
			n := random.IntN(len(good))
			refused("cut", good[:n])
			spoiled := []byte(string(good))
			spoiled[n] ^= 1 << random.IntN(8)
			refused("flipped", spoiled)
		}
		refused("one byte more", append([]byte(string(good)), 0))
	})
}
