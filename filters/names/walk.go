package names

import (
	"iter"
	"strings"

	"golang.org/x/net/publicsuffix"
)

// Registrable returns the registrable domain that a canonical host ends in, or "" if
// it has none: an IP address, a public suffix, a name of one label.
func Registrable(host string) string {
	length, _ := registrable(host)
	return host[len(host)-length:]
}

// Shortest returns how many bytes the shortest name has that a list is asked for when
// it is asked for a canonical host: the length of the registrable domain, of the host
// itself if that is asked for alone, or one more than the host has if nothing is asked
// for. The walk in the browser's core takes this number.
func Shortest(host string) int {
	length, alone := registrable(host)
	switch {
	case length > 0:
		return length
	case alone:
		return len(host)
	}
	return len(host) + 1
}

// registrable returns the length of the registrable domain, or 0 and whether the host
// is asked for all the same.
func registrable(host string) (length int, alone bool) {
	if host == "" {
		return 0, false
	}
	if isAddress(host) {
		return 0, true
	}
	suffix, icann := publicsuffix.PublicSuffix(host)
	if len(suffix) == len(host) {
		return 0, !icann && strings.Contains(host, ".")
	}
	dot := len(host) - len(suffix) - 1
	return len(host) - strings.LastIndexByte(host[:dot], '.') - 1, false
}

// Walk gives a canonical host and its parents that are at least shortest bytes long,
// from the longest to the shortest: the names that a list is asked for. It does not
// allocate.
func Walk(host string, shortest int) iter.Seq[string] {
	return func(yield func(string) bool) {
		name := host
		for len(name) >= shortest && len(name) > 0 {
			if !yield(name) {
				return
			}
			dot := strings.IndexByte(name, '.')
			if dot < 0 {
				return
			}
			name = name[dot+1:]
		}
	}
}
