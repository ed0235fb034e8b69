package names_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/tamis-filter/tamis/filters/names"
)

// row is a row of the vectors that JavaScript is held to as well.
type row struct {
	Kind        string // host or url
	Input       string
	Refused     bool
	Host        string
	Registrable string
	Walk        []string
}

func (r row) canonical() (string, error) {
	if r.Kind == "url" {
		return names.URL(r.Input)
	}
	return names.Host(r.Input)
}

func vectors(tb testing.TB) []row {
	data, err := os.ReadFile("../../wasm/testdata/names.json")
	if err != nil {
		tb.Fatal(err)
	}
	var rows []row
	if err := json.Unmarshal(data, &rows); err != nil {
		tb.Fatal(err)
	}
	if len(rows) < 300 {
		tb.Fatalf("%d rows", len(rows))
	}
	return rows
}

func TestVectors(t *testing.T) {
	for _, r := range vectors(t) {
		host, err := r.canonical()
		if r.Refused {
			if host != "" || !errors.Is(err, names.ErrName) {
				t.Errorf("%s %q is %q, %v; want it refused", r.Kind, r.Input, host, err)
			}
			continue
		}
		if host != r.Host || err != nil {
			t.Errorf("%s %q is %q, %v; want %q", r.Kind, r.Input, host, err, r.Host)
			continue
		}
		if got := names.Registrable(host); got != r.Registrable {
			t.Errorf("%s: registrable is %q, want %q", host, got, r.Registrable)
		}
		if got := walk(host); !slices.Equal(got, r.Walk) {
			t.Errorf("%s: walk is %q, want %q", host, got, r.Walk)
		}
	}
}

func walk(host string) []string {
	return slices.Collect(names.Walk(host, names.Shortest(host)))
}

// Cases B5 to B8: forms of a host that other libraries took for different ones.
func TestCaseB5Dots(t *testing.T) {
	sameHost(t, "evil.com", ".evil.com", "evil.com.", "evil..com", "EVIL.com")
}

func TestCaseB6IPv4Forms(t *testing.T) {
	sameHost(t, "127.0.0.1", "0x7f000001", "127.1", "2130706433")
}

func TestCaseB7UserinfoPortEscapes(t *testing.T) {
	const url = "http://u:p@EVIL.com:443/%2561"
	if host, err := names.URL(url); host != "evil.com" || err != nil {
		t.Errorf("the host of %s is %q, %v", url, host, err)
	}
}

func TestCaseB8Punycode(t *testing.T) {
	sameHost(t, "xn--bcher-kva.de", "bücher.de", "xn--bcher-kva.de", "BÜCHER.DE", "bu\u0308cher.de")
}

func sameHost(t *testing.T, want string, forms ...string) {
	t.Helper()
	for _, form := range forms {
		if host, err := names.Host(form); host != want || err != nil {
			t.Errorf("%q is %q, %v; want %q", form, host, err, want)
		}
	}
}

// A listed parent blocks what is below it, a listed suffix nothing.
func TestParents(t *testing.T) {
	for _, test := range []struct {
		listed, host string
		blocked      bool
	}{
		{"evil.com", "evil.com", true},
		{"evil.com", "a.b.evil.com", true},
		{"b.evil.co.uk", "a.b.evil.co.uk", true},
		{"evil.com", "notevil.com", false},
		{"a.evil.com", "evil.com", false},
		{"com", "evil.com", false},
		{"com", "com", false},
		{"co.uk", "evil.co.uk", false},
		{"co.uk", "co.uk", false},
		{"github.io", "a.github.io", false},
		{"github.io", "github.io", true},
		{"0.0.1", "127.0.0.1", false},
		{"127.0.0.1", "127.0.0.1", true},
	} {
		if got := slices.Contains(walk(test.host), test.listed); got != test.blocked {
			t.Errorf("%s listed: %s is blocked: %v", test.listed, test.host, got)
		}
	}
	if got := walk(""); len(got) != 0 {
		t.Errorf("no host: %q", got)
	}
}

// An error names what is wrong.
func TestReasons(t *testing.T) {
	for name, reason := range map[string]string{
		"":                "is empty",
		"..":              "only dots",
		"evil com":        "space",
		"evil.com:80":     `holds ':'`,
		"http://x.com/":   "without scheme",
		"evil.com/path":   "without scheme",
		"a\x00b":          "control character",
		"a<b":             `holds '<'`,
		"evil.1":          `"evil" is no number`,
		"1.2.3.256":       `"256" is too large`,
		"1.2.3.4.5":       "more than four parts",
		"[::1":            `does not end with "]"`,
		"[::g]":           "no IPv6 address",
		"xn--.com":        "nothing behind it",
		"xn--ü.com":       "not ASCII",
		"a\u200db.com":    "internationalised",
		"%ff":             "UTF-8",
		"\u00ad":          "visible",
		"evil.com%2Fpath": "without scheme",
	} {
		_, err := names.Host(name)
		if err == nil || !strings.Contains(err.Error(), reason) || !strings.Contains(err.Error(), fmt.Sprintf("%q", name)) {
			t.Errorf("%q: %v, want %q", name, err, reason)
		}
	}
	for url, reason := range map[string]string{
		"evil.com":           "no scheme",
		"about:blank":        "no host",
		"http://:80":         "no host",
		"http://x.com:a":     `port "a"`,
		"http://x.com:1e5":   `port "1e5"`,
		"http://x.com:65536": "above 65535",
		"http://x y/":        "space",
	} {
		if _, err := names.URL(url); err == nil || !strings.Contains(err.Error(), reason) {
			t.Errorf("%q: %v, want %q", url, err, reason)
		}
	}
	long := strings.Repeat("a b", 1e5)
	if _, err := names.Host(long); err == nil || len(err.Error()) > 300 {
		t.Errorf("the error for a long name has %d bytes", len(err.Error()))
	}
}

// Canonical hosts cost nothing to recognise and to walk.
func TestAllocations(t *testing.T) {
	const host = "www.tracker.evil.co.uk"
	shortest := names.Shortest(host)
	n := 0
	if got := testing.AllocsPerRun(100, func() {
		if h, err := names.Host(host); h != host || err != nil {
			t.Error(h, err)
		}
		for name := range names.Walk(host, shortest) {
			n += len(name)
		}
	}); got != 0 {
		t.Errorf("%v allocations", got)
	}
}

// What looks canonical is: the fast way gives what the standard's gives.
func TestFastPath(t *testing.T) {
	for _, r := range vectors(t) {
		checkFastPath(t, r.Input)
		checkFastPath(t, r.Host)
	}
}

func checkFastPath(t *testing.T, name string) {
	t.Helper()
	if !names.IsPlain(name) {
		return
	}
	if host, reason := names.Canonical(name); host != name || reason != "" {
		t.Errorf("%q passes for canonical and is %q, %s", name, host, reason)
	}
}

func FuzzHost(f *testing.F) {
	for _, r := range vectors(f) {
		f.Add(r.Input)
	}
	f.Fuzz(func(t *testing.T, name string) {
		checkFastPath(t, name)
		check(t, name, names.Host)
	})
}

func FuzzURL(f *testing.F) {
	for _, r := range vectors(f) {
		f.Add(r.Input)
	}
	f.Fuzz(func(t *testing.T, url string) { check(t, url, names.URL) })
}

// check holds what is true of every input: an error or a canonical host, which stays
// what it is, and of which the walk takes dots off.
func check(t *testing.T, input string, canonical func(string) (string, error)) {
	host, err := canonical(input)
	if err != nil {
		if host != "" || !errors.Is(err, names.ErrName) {
			t.Fatalf("%q is %q, %v", input, host, err)
		}
		return
	}
	if again, err := names.Host(host); again != host || err != nil {
		t.Fatalf("%q is %q, which is %q, %v", input, host, again, err)
	}
	if strings.HasPrefix(host, ".") || strings.HasSuffix(host, ".") || strings.Contains(host, "..") || strings.ContainsAny(host, " /@\\?#%ABCDEFGHIJKLMNOPQRSTUVWXYZ") {
		t.Fatalf("%q is %q", input, host)
	}
	if viaURL, err := names.URL("https://u:p@" + host + ":443/x"); viaURL != host || err != nil {
		t.Fatalf("%q in a URL is %q, %v", host, viaURL, err)
	}
	registrable := names.Registrable(host)
	walked := walk(host)
	for i, name := range walked {
		if i == 0 && name != host || !strings.HasSuffix(host, name) {
			t.Fatalf("%q is walked by %q", host, walked)
		}
	}
	if registrable != "" && (len(walked) == 0 || walked[len(walked)-1] != registrable) || registrable == "" && len(walked) > 1 {
		t.Fatalf("%q with the registrable domain %q is walked by %q", host, registrable, walked)
	}
}
