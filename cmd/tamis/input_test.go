package main

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"
)

// Case B9: a list with all that lists have in them.
func TestCaseB9Lists(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "list.tamis")
	list := "\ufeff# a list\r\n\r\nEVIL.com.\r\n/\r\n0.0.0.0 b.com\r\n||c.com^\r\ncom\r\n*.bücher.de\r\n0x7f.1\r\nevil..com\r\n"
	r := tamis(list, "build", "--input", "domains", "-o", file).must(t)
	for _, part := range []string{
		`the standard input, line 4: "/" would match everything`,
		"the standard input, line 5: 2 words",
		"the standard input, line 6: ",
		`the standard input, line 7: "com" is a public suffix`,
		"3 keys",
	} {
		if !strings.Contains(r.stderr, part) {
			t.Errorf("%q does not say %q", r.stderr, part)
		}
	}
	if n := strings.Count(r.stderr, "\n"); n != 5 {
		t.Errorf("%d lines: %q", n, r.stderr)
	}
	if r := tamis(list, "build", "--input", "domains", "--quiet", "-o", file).must(t); r.stderr != "" {
		t.Errorf("--quiet says %q", r.stderr)
	}
	want := "maybe\tevil.com\nno\tcom\nmaybe\thttps://u@a.EVIL.com:80/x\nmaybe\tbücher.de\nmaybe\t127.1\nbad\ta b\nno\tnotevil.com\n"
	var asked strings.Builder
	for line := range strings.Lines(want) {
		_, key, _ := strings.Cut(line, "\t")
		asked.WriteString(key)
	}
	if r := tamis(asked.String(), "check", "--host", file).must(t); r.stdout != want {
		t.Errorf("check says %q, want %q", r.stdout, want)
	}
	tamis("a b\ncom\n", "check", "--host", file).fails(t, `"a b" holds a space`)
	if r := tamis("", "check", "--host", file, "com"); r.code != exitNone {
		t.Errorf("exit %d", r.code)
	}
	// The same name asked for as a key.
	if r := tamis("", "check", file, "EVIL.com"); r.code != exitNone {
		t.Errorf("exit %d", r.code)
	}
}

// However many lines are rejected, few are told of one by one.
func TestRejectsAreBounded(t *testing.T) {
	file := filepath.Join(t.TempDir(), "list.tamis")
	r := tamis("evil.com\n"+strings.Repeat("/\n", 1000), "build", "--input", "domains", "-o", file).must(t)
	if n := strings.Count(r.stderr, "\n"); n != maxRejects+2 || !strings.Contains(r.stderr, fmt.Sprintf("and %d more; rejected: 1000\n", 1000-maxRejects)) {
		t.Errorf("%d lines: %q", n, r.stderr)
	}
}

func TestInputRefuses(t *testing.T) {
	dir := t.TempDir()
	list, empty := write(t, dir, "list", "a.com\n"), write(t, dir, "empty", "# nothing\n")
	out := filepath.Join(dir, "out")
	for _, test := range []struct {
		args  []string
		parts []string
	}{
		{[]string{"--input", "csv", list}, []string{`--input is "csv"`, "plain, hosts, domains, adblock"}},
		{[]string{"--input", "hosts", list}, []string{list, "no name that can be listed", `line 1: "a.com" is no IP address`, "--input hosts"}},
		{[]string{"--input", "domains", list, empty}, []string{empty, "no name that can be listed"}},
		{[]string{"--input", "domains", "--comment", ";", list}, []string{"--comment", "comments of their own"}},
		{[]string{"--input", "domains", "--family", "exact", "--exclude", empty, list}, []string{empty, "no name that can be listed"}},
	} {
		tamis("", append([]string{"build", "-o", out}, test.args...)...).fails(t, test.parts...)
		holds(t, dir, "empty", "list")
	}
}

// Excluded names are denied however they are asked for; what is listed is held.
func TestExcludeNames(t *testing.T) {
	dir := t.TempDir()
	out := filepath.Join(dir, "out")
	good := write(t, dir, "good", "WWW.good.com\nok.evil.com\ngood.co.uk\ncom\n")
	r := tamis("evil.com\nb.org\n", "build", "--input", "domains", "--family", "exact", "--fpr", "0.5", "--exclude", good, "-o", out).must(t)
	for _, part := range []string{`good, line 2: "ok.evil.com" is blocked all the same: its parent "evil.com" is listed`, `good, line 4: "com" is a public suffix`} {
		if !strings.Contains(r.stderr, part) {
			t.Errorf("%q does not say %q", r.stderr, part)
		}
	}
	want := "no\twww.good.com\nno\tgood.com\nno\tgood.co.uk\nmaybe\tok.evil.com\nmaybe\tevil.com\nmaybe\tb.org\n"
	if r := tamis("www.good.com\ngood.com\ngood.co.uk\nok.evil.com\nevil.com\nb.org\n", "check", "--host", out).must(t); r.stdout != want {
		t.Errorf("check says %q", r.stdout)
	}
	r = tamis("evil.com\n", "build", "--input", "domains", "--family", "exact", "--exclude", write(t, dir, "both", "# x\n.EVIL.com\n"), "-o", out)
	r.fails(t, "both, line 2", `"evil.com"`)
	if strings.Contains(r.stderr, "grep") {
		t.Errorf("%q advises what does not work for names", r.stderr)
	}
}

// A real list has all its names, in every form, and none is rejected.
func TestInputRealList(t *testing.T) {
	const names = 140_626
	list := gunzip(t, "stevenblack.domains.txt.gz")
	var plain, hosts, rules strings.Builder
	hosts.WriteString("127.0.0.1 localhost\n::1 ip6-localhost\n255.255.255.255 broadcasthost\n")
	for line := range strings.Lines(list) {
		if name := strings.TrimSpace(line); !strings.HasPrefix(name, "#") {
			fmt.Fprintf(&plain, "%s\n", name)
			fmt.Fprintf(&hosts, "0.0.0.0 %s\r\n", name)
			fmt.Fprintf(&rules, "||%s^\n", strings.ToUpper(name))
		}
	}
	for input, list := range map[string]string{"domains": list, "hosts": hosts.String(), "adblock": rules.String()} {
		file := filepath.Join(t.TempDir(), "list.tamis")
		r := tamis(list, "build", "--input", input, "-o", file).must(t)
		if !strings.Contains(r.stderr, fmt.Sprintf("%d keys", names)) || strings.Count(r.stderr, "\n") != 1 {
			t.Errorf("%s: %.500s", input, r.stderr)
		}
		for _, args := range [][]string{{"check", file}, {"check", "--host", file}} {
			if got := strings.Count(tamis(plain.String(), args...).must(t).stdout, "maybe\t"); got != names {
				t.Errorf("%s, %v: %d of %d names may be in it", input, args[:len(args)-1], got, names)
			}
		}
	}
}
