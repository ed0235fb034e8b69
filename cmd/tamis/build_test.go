package main

import (
	"errors"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/bits-and-blooms/bitset"
	"github.com/tamis-filter/tamis/filters"
	"github.com/tamis-filter/tamis/filters/all"
)

func TestBuildHoldsWhatItWasGiven(t *testing.T) {
	const n, p = 20_000, 0.01
	members, strangers := lines("member", n), lines("stranger", n)
	forFamilies(t, func(t *testing.T, family string) {
		path := built(t, family, members, "--fpr", "0.01")
		r := tamis(members, "check", path).must(t)
		if got := strings.Count(r.stdout, "maybe\t"); got != n || strings.Count(r.stdout, "\n") != n {
			t.Errorf("%d of %d members are a maybe", got, n)
		}
		r = tamis(strangers, "check", path)
		limit := 1.03*p*n + 5*math.Sqrt(p*n)
		if got := strings.Count(r.stdout, "maybe\t"); float64(got) > limit {
			t.Errorf("%d of %d strangers are a maybe, want at most %.0f", got, n, limit)
		}
	})
}

func TestBuildTellsWhatItBuilt(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.tamis")
	r := tamis(lines("k", 1000), "build", "--family", "standard", "-o", path).must(t)
	if want := path + ": standard, 1000 keys, 1264 bytes, 9.60 bits/key, expected fpr 0.0"; !strings.HasPrefix(r.stderr, want) || strings.Count(r.stderr, "\n") != 1 {
		t.Errorf("summary is %q, want %q", r.stderr, want)
	}
	if r.stdout != "" {
		t.Errorf("standard output holds %q", r.stdout)
	}
	if r := tamis("k", "build", "-o", path, "--quiet").must(t); r.stderr != "" {
		t.Errorf("--quiet says %q", r.stderr)
	}
}

func TestBuildReadsKeys(t *testing.T) {
	for name, test := range map[string]struct {
		input   string
		args    []string
		members []string
		keys    uint64
	}{
		"unix lines":         {"a\nb\n", nil, []string{"a", "b"}, 2},
		"windows lines":      {"a\r\nb\r\n", nil, []string{"a", "b"}, 2},
		"no end of line":     {"a\nb", nil, []string{"a", "b"}, 2},
		"empty lines":        {"\n\na\n\r\n\n", nil, []string{"a"}, 1},
		"repeats":            {strings.Repeat("a\nb\n", 100), nil, []string{"a", "b"}, 2},
		"bytes":              {"a\x00b\n\xff\xfe\n \tc \n", nil, []string{"a\x00b", "\xff\xfe", " \tc "}, 3},
		"no comments":        {"#a\n!b\n", nil, []string{"#a", "!b"}, 2},
		"comments":           {"#a\n# b\nc#\n !d\n", []string{"--comment", "#"}, []string{"c#", " !d"}, 2},
		"a long comment":     {"//a\n/b\n", []string{"--comment", "//"}, []string{"/b"}, 1},
		"room for more":      {"a\nb\n", []string{"--keys", "1_000"}, []string{"a", "b"}, 2},
		"exact room":         {"a\nb\na\n", []string{"--keys", "2"}, []string{"a", "b"}, 2},
		"seed":               {"a\nb\n", []string{"--seed", "0xfeed"}, []string{"a", "b"}, 2},
		"bits":               {"a\nb\n", []string{"--bits-per-key", "20"}, []string{"a", "b"}, 2},
		"bytes at most":      {"a\nb\n", []string{"--max-bytes", "1e4"}, []string{"a", "b"}, 2},
		"a line of one MiB":  {strings.Repeat("x", 1<<20) + "\nb\n", nil, []string{"b"}, 2},
		"a dash is no input": {"-\n--help\n", nil, []string{"-", "--help"}, 2},
	} {
		t.Run(name, func(t *testing.T) {
			forFamilies(t, func(t *testing.T, family string) {
				path := built(t, family, test.input, test.args...)
				for _, key := range test.members {
					if r := tamis("", "check", path, key); r.code != exitOK || r.stdout != "maybe\t"+key+"\n" {
						t.Errorf("exit %d and %q for member %q", r.code, r.stdout, key)
					}
				}
				f, err := openFilter(path)
				if err != nil {
					t.Fatal(err)
				}
				if got := f.Info().Keys; got != test.keys {
					t.Errorf("%d keys, want %d", got, test.keys)
				}
			})
		})
	}
}

func TestBuildLongKeyIsOneKey(t *testing.T) {
	long := strings.Repeat("long ", 1<<20/5)
	path := built(t, "standard", long+"\n", "--fpr", "1e-6")
	if r := tamis(long+"\n"+long+"!\n", "check", path).must(t); r.stdout != "maybe\t"+long+"\nno\t"+long+"!\n" {
		t.Error("a key of one MiB is not found, or another one is")
	}
}

func TestBuildFromSeveralInputs(t *testing.T) {
	dir := t.TempDir()
	one, two := write(t, dir, "one", "a\nb"), write(t, dir, "two", "c\n")
	out := filepath.Join(dir, "out")
	for _, test := range []struct{ inputs, keys []string }{
		{[]string{one, two}, []string{"a", "b", "c"}},
		{[]string{one, "-"}, []string{"a", "b", "z"}},
		{[]string{"-", two, one}, []string{"a", "b", "c", "z"}},
		{[]string{"-"}, []string{"z"}},
		{nil, []string{"z"}},
	} {
		tamis("z\n", append([]string{"build", "--fpr", "1e-6", "-o", out}, test.inputs...)...).must(t)
		var want strings.Builder
		for _, key := range []string{"a", "b", "c", "z"} {
			if !slices.Contains(test.keys, key) {
				want.WriteString("no\t" + key + "\n")
			} else {
				want.WriteString("maybe\t" + key + "\n")
			}
		}
		if r := tamis("", "check", out, "a", "b", "c", "z"); r.stdout != want.String() {
			t.Errorf("%q: answers %q, want %q", test.inputs, r.stdout, want.String())
		}
	}
}

func TestBuildOfNothingDeniesAll(t *testing.T) {
	forFamilies(t, func(t *testing.T, family string) {
		for _, goal := range [][]string{{}, {"--fpr", "0.5"}, {"--keys", "100"}, {"--bits-per-key", "12"}, {"--max-bytes", "1000"}} {
			path := built(t, family, "\n\n", goal...)
			r := tamis(lines("k", 1000), "check", path)
			if r.code != exitNone || strings.Count(r.stdout, "no\t") != 1000 || r.stderr != "" {
				t.Errorf("%q: exit %d, %q", goal, r.code, r.stderr)
			}
		}
	})
}

func TestBuildToStandardOutput(t *testing.T) {
	forFamilies(t, func(t *testing.T, family string) {
		want, err := os.ReadFile(built(t, family, "a\nb\n"))
		if err != nil {
			t.Fatal(err)
		}
		r := tamis("a\nb\n", "build", "--family", family, "-o", "-").must(t)
		if r.stdout != string(want) {
			t.Error("the standard output differs from the file")
		}
	})
}

func TestFailedBuildLeavesTheOldFile(t *testing.T) {
	dir := t.TempDir()
	const old = "what was there before"
	out := write(t, dir, "out", old)
	broken := io.MultiReader(strings.NewReader("a\nb\n"), iotest.ErrReader(errors.New("the disk died")))
	tamisFrom(broken, "build", "-o", out).fails(t, "the standard input", "the disk died")
	tamis("a\nb\nc\n", "build", "-o", out, "--keys", "2").fails(t, "--keys", "2", "3 distinct")
	tamis("a\n", "build", "-o", out, "--max-bytes", "65").fails(t)
	tamis("", "build", "-o", out, filepath.Join(dir, "absent")).fails(t, "absent")
	tamis("", "build", "-o", out, dir).fails(t, dir)
	tamis("", "build", "-o", out, out).fails(t, "--output", "also an input")
	if b, err := os.ReadFile(out); err != nil || string(b) != old {
		t.Errorf("the old file is now %q, %v", b, err)
	}
	holds(t, dir, "out")
}

func TestBuildReplacesTheOldFile(t *testing.T) {
	dir := t.TempDir()
	out := write(t, dir, "out", "what was there before")
	tamis("a\n", "build", "-o", out).must(t)
	tamis("", "check", out, "a").must(t)
	holds(t, dir, "out")
}

// forgetful is a filter that denies its first key.
type forgetful struct{ filters.Filter }

func (f forgetful) MayContainBatch(hashes []filters.Hash, hits *bitset.BitSet) int {
	n := f.Filter.MayContainBatch(hashes, hits)
	hits.Clear(0)
	return n - 1
}

func TestBuildRefusesAFilterThatDeniesAKey(t *testing.T) {
	forFamilies(t, func(t *testing.T, name string) {
		family, err := all.Find(name)
		if err != nil {
			t.Fatal(err)
		}
		hashes := []filters.Hash{1 << 60, 2 << 60, 3 << 60}
		c := filters.Config{Keys: 3, FPR: 0.01}
		f, err := family.Build(slices.Values([][]filters.Hash{hashes}), c)
		if err != nil {
			t.Fatal(err)
		}
		if err := verify(f, hashes); err != nil {
			t.Error(err)
		}
		if err := verify(forgetful{f}, hashes); err == nil || !strings.Contains(err.Error(), "denies 1 of its 3 keys") {
			t.Errorf("error is %v", err)
		}
	})
}
