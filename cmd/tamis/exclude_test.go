package main

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A real blocklist and popular names: all listed names are held, no popular name
// is, but for those that are listed.
func TestExcludeRealLists(t *testing.T) {
	const names = 140_626
	list := gunzip(t, "stevenblack.domains.txt.gz")
	listed := map[string]bool{}
	for line := range strings.Lines(list) {
		if !strings.HasPrefix(line, "#") {
			listed[line] = true
		}
	}
	var members, good strings.Builder
	for line := range listed {
		members.WriteString(line)
	}
	count, both := 0, 0
	popular := gunzip(t, "opendns-top-10k.txt.gz")
	for line := range strings.Lines(popular) {
		if listed[line] {
			both++
		} else {
			good.WriteString(line)
			count++
		}
	}
	if len(listed) != names || count+both != 10_000 || both == 0 {
		t.Fatalf("%d names listed, %d good ones, %d both", len(listed), count, both)
	}
	dir := t.TempDir()
	goodFile, popularFile := write(t, dir, "good.txt", good.String()), write(t, dir, "popular.txt", popular)
	file := filepath.Join(dir, "list.tamis")

	r := tamis(list, "build", "--family", "exact", "--exclude", popularFile, "--comment", "#", "-o", file)
	r.fails(t, "popular.txt, line ", fmt.Sprintf("and %d more", both-1), "grep -vxFf")
	named := strings.Split(r.stderr, `"`)[1] + "\n"
	if !listed[named] || !strings.Contains(popular, named) {
		t.Errorf("%q is not on both lists", named)
	}
	holds(t, dir, "good.txt", "popular.txt")

	strangers := lines("stranger", 50_000)
	for _, p := range []float64{0, 0.5, 0.01, 1e-4} {
		args := []string{"build", "--family", "exact", "--exclude", goodFile, "--comment", "#", "--quiet", "-o", file}
		if p != 0 {
			args = append(args, "--fpr", fmt.Sprint(p))
		} else {
			p = defaultFPR
		}
		tamis(list, args...).must(t)
		if got := strings.Count(tamis(members.String(), "check", file).must(t).stdout, "maybe\t"); got != names {
			t.Errorf("p = %g: %d of %d names are held", p, got, names)
		}
		if r := tamis(good.String(), "check", file); r.code != exitNone || strings.Contains(r.stdout, "maybe\t") {
			t.Errorf("p = %g: of the good names %d are held", p, strings.Count(r.stdout, "maybe\t"))
		}
		held, most := strings.Count(tamis(strangers, "check", file).stdout, "maybe\t"), 50_000*p+5*math.Sqrt(50_000*p)
		if float64(held) > most {
			t.Errorf("p = %g: %d strangers are held, more than %.0f", p, held, most)
		}
		info, err := os.Stat(file)
		if err != nil {
			t.Fatal(err)
		}
		t.Logf("p = %g: %d bytes, %.3f bits per listed name", p, info.Size(), 8*float64(info.Size())/names)
	}
	tamis(list, "build", "--family", "ribbon", "--fpr", fmt.Sprint(1/float64(count)), "--comment", "#", "--quiet", "-o", file).must(t)
	if info, err := os.Stat(file); err == nil {
		t.Logf("ribbon at 1/%d: %d bytes, %.3f bits per listed name", count, info.Size(), 8*float64(info.Size())/names)
	}
}

func TestExcludeRefuses(t *testing.T) {
	dir := t.TempDir()
	list, good := write(t, dir, "list.txt", "a\nb\nc\n"), write(t, dir, "good.txt", "d\n\nc\n")
	out := filepath.Join(dir, "x.tamis")
	for _, test := range []struct {
		args []string
		want []string
	}{
		{[]string{"--family", "ribbon", "--exclude", good}, []string{"--exclude is " + good, "only --family exact"}},
		{[]string{"--family", "exact", "--exclude", "-"}, []string{"--exclude is -, must be a file"}},
		{[]string{"--family", "exact", "--exclude", filepath.Join(dir, "none")}, []string{"none", "check the path"}},
		{[]string{"--family", "exact", "--exclude", good}, []string{"good.txt, line 3", `"c"`}},
		{[]string{"--family", "exact", "--exclude", out}, []string{"x.tamis"}},
	} {
		r := tamis("", append([]string{"build", list, "-o", out}, test.args...)...)
		if r.code == exitOK {
			t.Errorf("%q succeeds", test.args)
		}
		for _, part := range test.want {
			if !strings.Contains(r.stderr, part) {
				t.Errorf("%q: %q does not say %q", test.args, r.stderr, part)
			}
		}
		holds(t, dir, "good.txt", "list.txt")
	}
	// Two lists, and a seed.
	more := write(t, dir, "more.txt", "e\n")
	good = write(t, dir, "good.txt", "d\n")
	tamis("", "build", list, "-o", out, "--family", "exact", "--seed", "9", "--exclude", good, "--exclude", more, "--quiet").must(t)
	if r := tamis("a\nb\nc\nd\ne\n", "check", out); r.stdout != "maybe\ta\nmaybe\tb\nmaybe\tc\nno\td\nno\te\n" {
		t.Errorf("check says %q", r.stdout)
	}
}
