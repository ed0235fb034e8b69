package lists_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/tamis-filter/tamis/filters/names"
	"github.com/tamis-filter/tamis/filters/names/lists"
)

func read(f lists.Format, line string) (hosts, reasons []string) {
	f.Line(line, func(host string) { hosts = append(hosts, host) }, func(reason error) { reasons = append(reasons, reason.Error()) })
	return hosts, reasons
}

// Case B9: what a line gives, and why it is rejected if it is. Nothing is listed that
// matches all.
func TestCaseB9JunkLines(t *testing.T) {
	for _, test := range []struct {
		format lists.Format
		line   string
		hosts  string
		reason string
	}{
		{lists.Domains, "", "", ""},
		{lists.Domains, " \t\r", "", ""},
		{lists.Domains, "# a comment", "", ""},
		{lists.Domains, "! a comment", "", ""},
		{lists.Domains, "\ufeff# a comment", "", ""},
		{lists.Domains, "evil.com", "evil.com", ""},
		{lists.Domains, "\ufeffEVIL.com\r", "evil.com", ""},
		{lists.Domains, "  evil.com # why", "evil.com", ""},
		{lists.Domains, "*.evil.com", "evil.com", ""},
		{lists.Domains, ".evil.com.", "evil.com", ""},
		{lists.Domains, "bücher.de", "xn--bcher-kva.de", ""},
		{lists.Domains, "0x7f.1", "127.0.0.1", ""},
		{lists.Domains, "::1", "[::1]", ""},
		{lists.Domains, "github.io", "github.io", ""},
		{lists.Domains, "_x.evil.com", "_x.evil.com", ""},
		{lists.Domains, "/", "", "match everything"},
		{lists.Domains, "*", "", "match everything"},
		{lists.Domains, ".", "", "match everything"},
		{lists.Domains, "*.", "", "match everything"},
		{lists.Domains, "\u00ad", "", "visible"},
		{lists.Domains, "com", "", "public suffix"},
		{lists.Domains, "*.com", "", "public suffix"},
		{lists.Domains, ".co.uk", "", "public suffix"},
		{lists.Domains, "localhost", "", "public suffix"},
		{lists.Domains, "evil.*", "", "wildcard inside"},
		{lists.Domains, "evil.com#why", "", "holds '#'"},
		{lists.Domains, "0.0.0.0 evil.com", "", "another kind"},
		{lists.Domains, "||evil.com^", "", "holds '|'"},
		{lists.Domains, "http://evil.com/", "", "without scheme"},
		{lists.Domains, "evil.com,", "", "holds ','"},
		{lists.Domains, `"evil.com"`, "", `holds '"'`},
		{lists.Domains, "evil.com:80", "", "holds ':'"},
		{lists.Domains, "\xff\xfee\x00v\x00", "", "UTF-8"},
		{lists.Domains, "xn--.com", "", "xn--"},
		{lists.Domains, strings.Repeat("a", 64) + ".com", "", "longer than one may be"},
		{lists.Domains, strings.Repeat("a.", 126) + "com", "", "longer than a name may be"},
		{lists.Domains, strings.Repeat("日", 1<<16), "", "longer than 65536 bytes"},

		{lists.Hosts, "", "", ""},
		{lists.Hosts, "# 0.0.0.0 evil.com", "", ""},
		{lists.Hosts, "0.0.0.0 evil.com", "evil.com", ""},
		{lists.Hosts, "\ufeff0.0.0.0\tevil.com  B.Evil.com. # 0.0.0.0 c.com\r", "evil.com b.evil.com", ""},
		{lists.Hosts, "127.0.0.1 evil.com#why", "evil.com", ""},
		{lists.Hosts, ":: evil.com", "evil.com", ""},
		{lists.Hosts, "::1 localhost evil.com", "evil.com", ""},
		{lists.Hosts, "127.0.0.1 localhost localhost.localdomain local", "", ""},
		{lists.Hosts, "255.255.255.255 broadcasthost", "", ""},
		{lists.Hosts, "fe80::1%lo0 localhost", "", ""},
		{lists.Hosts, "ff02::1 ip6-allnodes", "", ""},
		{lists.Hosts, "0.0.0.0 0.0.0.0", "", ""},
		{lists.Hosts, "0.0.0.0 com evil.com /", "evil.com", "public suffix & match everything"},
		{lists.Hosts, "0.0.0.0", "", "without a name"},
		{lists.Hosts, "192.168.1.7 nas.home", "", "no address that blocks"},
		{lists.Hosts, "evil.com", "", "no IP address"},
		{lists.Hosts, "||evil.com^", "", "no IP address"},
		{lists.Hosts, "0.0.0.0 a<b.com", "", "holds '<'"},

		{lists.Adblock, "", "", ""},
		{lists.Adblock, "! a comment", "", ""},
		{lists.Adblock, "# a comment", "", ""},
		{lists.Adblock, "[Adblock Plus 2.0]", "", ""},
		{lists.Adblock, "||evil.com^", "evil.com", ""},
		{lists.Adblock, "||EVIL.com^\r", "evil.com", ""},
		{lists.Adblock, "||evil.com^|", "evil.com", ""},
		{lists.Adblock, "||*.evil.com^", "evil.com", ""},
		{lists.Adblock, "||evil.com^$important", "evil.com", ""},
		{lists.Adblock, "||evil.com^$all,important", "evil.com", ""},
		{lists.Adblock, "||evil.com^$document", "evil.com", ""},
		{lists.Adblock, "||127.0.0.1^", "127.0.0.1", ""},
		{lists.Adblock, "||evil.com^$third-party", "", `"third-party" narrows`},
		{lists.Adblock, "||evil.com^$important,domain=a.com|b.com", "", `"domain=a.com|b.com" narrows`},
		{lists.Adblock, "||evil.com^$badfilter", "", "narrows"},
		{lists.Adblock, "@@||evil.com^", "", "exception"},
		{lists.Adblock, "##.ad", "", "parts of pages"},
		{lists.Adblock, "evil.com##.ad", "", "parts of pages"},
		{lists.Adblock, "evil.com#@#.ad", "", "parts of pages"},
		{lists.Adblock, "evil.com#?#.ad", "", "parts of pages"},
		{lists.Adblock, "evil.com#@$?#.ad", "", "parts of pages"},
		{lists.Adblock, "evil.com$$script", "", "parts of pages"},
		{lists.Adblock, "evil.com", "", "pattern"},
		{lists.Adblock, "/ads/", "", "pattern"},
		{lists.Adblock, "/", "", "pattern"},
		{lists.Adblock, "*", "", "pattern"},
		{lists.Adblock, "|https://evil.com^", "", "pattern"},
		{lists.Adblock, "||evil.com/ads^", "", "parts of URLs"},
		{lists.Adblock, "||evil.com", "", "longer names"},
		{lists.Adblock, "||evil.*^", "", "wildcard inside"},
		{lists.Adblock, "||^", "", "match everything"},
		{lists.Adblock, "||*^", "", "match everything"},
		{lists.Adblock, "||com^", "", "public suffix"},
		{lists.Adblock, "||evil.com:80^", "", "holds ':'"},

		{"csv", "evil.com", "", "none of"},
	} {
		hosts, reasons := read(test.format, test.line)
		if got := strings.Join(hosts, " "); got != test.hosts {
			t.Errorf("%s: %.60q gives %q, want %q", test.format, test.line, got, test.hosts)
		}
		want := strings.Split(test.reason, " & ")
		if test.reason == "" {
			want = nil
		}
		if !slices.EqualFunc(reasons, want, strings.Contains) {
			t.Errorf("%s: %.60q is rejected for %q, want %q", test.format, test.line, reasons, test.reason)
		}
	}
}

// Whatever a line says, what is added is canonical, and would be asked for.
func FuzzLine(f *testing.F) {
	for _, line := range []string{"evil.com", "*.evil.com # x", "0.0.0.0 a.com b.com", "||evil.com^$important", "@@||a^", "a##b", "!", "[x]", "com", "\ufeff/", "bücher.de", "::1", "0x7f.1"} {
		f.Add(line)
	}
	f.Fuzz(func(t *testing.T, line string) {
		for _, format := range lists.Formats() {
			hosts, _ := read(format, line)
			for _, host := range hosts {
				if again, err := names.Host(host); again != host || err != nil {
					t.Fatalf("%s: %q gives %q, which is %q, %v", format, line, host, again, err)
				}
				if names.Shortest(host) > len(host) {
					t.Fatalf("%s: %q gives %q, which is never asked for", format, line, host)
				}
			}
		}
	})
}
