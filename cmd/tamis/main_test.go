package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tamis-filter/tamis/filters/all"
)

// asCommand in the environment makes the test binary be the command.
const asCommand = "TAMIS_TEST_AS_COMMAND"

func TestMain(m *testing.M) {
	if os.Getenv(asCommand) != "" {
		main()
	}
	os.Exit(m.Run())
}

// result is what a run of the command left.
type result struct {
	code           int
	stdout, stderr string
}

func tamis(stdin string, args ...string) result {
	return tamisFrom(strings.NewReader(stdin), args...)
}

func tamisFrom(stdin io.Reader, args ...string) result {
	var stdout, stderr bytes.Buffer
	code := run(args, stdin, &stdout, &stderr)
	return result{code, stdout.String(), stderr.String()}
}

// must fails the test unless r is a success.
func (r result) must(t *testing.T) result {
	t.Helper()
	if r.code != exitOK {
		t.Fatalf("exit %d: %s", r.code, r.stderr)
	}
	return r
}

// fails fails the test unless r is an error in one line that holds every part.
func (r result) fails(t *testing.T, parts ...string) {
	t.Helper()
	if r.code != exitError {
		t.Errorf("exit %d, want %d", r.code, exitError)
	}
	if !strings.HasPrefix(r.stderr, "tamis: ") || strings.Count(r.stderr, "\n") != 1 || !strings.HasSuffix(r.stderr, "\n") {
		t.Errorf("want one line that starts with tamis:, have %q", r.stderr)
	}
	for _, part := range parts {
		if !strings.Contains(r.stderr, part) {
			t.Errorf("%q does not name %q", r.stderr, part)
		}
	}
}

// forFamilies runs a test for every family.
func forFamilies(t *testing.T, test func(t *testing.T, family string)) {
	for _, family := range all.Names() {
		t.Run(family, func(t *testing.T) { test(t, family) })
	}
}

// lines writes prefix0 … prefix(n-1), one a line.
func lines(prefix string, n int) string {
	var s strings.Builder
	for i := range n {
		fmt.Fprintf(&s, "%s%d\n", prefix, i)
	}
	return s.String()
}

func write(t *testing.T, dir, name, text string) string {
	t.Helper()
	path := filepath.Join(dir, name)
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

// built is a filter of a family over keys, in a directory of its own.
func built(t *testing.T, family, keys string, args ...string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "list.tamis")
	tamis(keys, append([]string{"build", "--family", family, "--quiet", "-o", path}, args...)...).must(t)
	return path
}

// holds fails the test unless dir has exactly these entries.
func holds(t *testing.T, dir string, want ...string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var have []string
	for _, e := range entries {
		have = append(have, e.Name())
	}
	if strings.Join(have, " ") != strings.Join(want, " ") {
		t.Errorf("directory holds %q, want %q", have, want)
	}
}

func TestHelp(t *testing.T) {
	for _, args := range [][]string{nil, {"--help"}, {"build", "--help"}, {"check", "--help"}, {"info", "--help"}, {"verify", "--help"}, {"convert", "--help"}, {"size", "--help"}} {
		r := tamis("", args...).must(t)
		if !strings.Contains(r.stdout, "Examples:\n  tamis ") || r.stderr != "" {
			t.Errorf("%q: no example in %q, or something in %q", args, r.stdout, r.stderr)
		}
	}
	if r := tamis("", "--version").must(t); !strings.HasPrefix(r.stdout, "tamis version ") || strings.Count(r.stdout, "\n") != 1 {
		t.Errorf("--version says %q", r.stdout)
	}
}
