package names

import (
	"cmp"
	"fmt"
	"strings"
)

// URL returns the canonical host of a URL, which must have its scheme.
func URL(url string) (string, error) {
	host, reason := hostOf(url)
	if reason != "" {
		return "", &Error{url, reason}
	}
	return host, nil
}

// hostOf is the standard's basic URL parser without a base, as far as the port. What
// comes after that never makes it refuse.
func hostOf(url string) (host, reason string) {
	url = strings.TrimFunc(url, func(r rune) bool { return r <= ' ' })
	url = strings.NewReplacer("\t", "", "\n", "", "\r", "").Replace(url)
	scheme, rest, ok := cutScheme(url)
	if !ok {
		return "", "has no scheme: a URL starts with one, as https:"
	}
	const noHost = "has no host"
	switch scheme {
	case "http", "https", "ws", "wss", "ftp":
		// Any number of slashes, of either kind.
		return authority(until(strings.TrimLeft(rest, `/\`), `/\?#`))
	case "file":
		if len(rest) < 2 || !isSlash(rest[0]) || !isSlash(rest[1]) {
			return "", noHost
		}
		host = until(rest[2:], `/\?#`)
		if host == "" || isDrive(host) {
			return "", noHost
		}
		if standard, reason := parseHost(host); reason != "" || standard == "localhost" {
			return "", cmp.Or(reason, noHost)
		}
		return canonical(host)
	}
	rest, ok = strings.CutPrefix(rest, "//")
	if !ok {
		return "", noHost
	}
	if rest = until(rest, "/?#"); strings.ContainsAny(rest[strings.LastIndexByte(rest, '@')+1:], "<>") {
		return "", `holds "<" or ">"` // before a mark can join them to a letter
	}
	return authority(rest)
}

func cutScheme(url string) (scheme, rest string, ok bool) {
	scheme, rest, ok = strings.Cut(url, ":")
	if !ok || scheme == "" {
		return "", "", false
	}
	for i := range len(scheme) {
		c := scheme[i]
		letter := 'a' <= c|0x20 && c|0x20 <= 'z'
		if !letter && (i == 0 || c != '+' && c != '-' && c != '.' && (c < '0' || c > '9')) {
			return "", "", false
		}
	}
	return strings.ToLower(scheme), rest, true
}

// until returns what stands before the first of the ends.
func until(s, ends string) string {
	if i := strings.IndexAny(s, ends); i >= 0 {
		return s[:i]
	}
	return s
}

func isSlash(c byte) bool { return c == '/' || c == '\\' }

// isDrive reports whether s is a drive of Windows, as C: or C|.
func isDrive(s string) bool {
	return len(s) == 2 && 'a' <= s[0]|0x20 && s[0]|0x20 <= 'z' && (s[1] == ':' || s[1] == '|')
}

// authority reads userinfo, host and port.
func authority(s string) (host, reason string) {
	s = s[strings.LastIndexByte(s, '@')+1:]
	host, inBrackets := s, false
	for i := range len(s) {
		if s[i] == '[' {
			inBrackets = true
		} else if s[i] == ']' {
			inBrackets = false
		} else if s[i] == ':' && !inBrackets {
			host = s[:i]
			if reason = badPort(s[i+1:]); reason != "" {
				return "", reason
			}
			break
		}
	}
	if host == "" {
		return "", "has no host"
	}
	return canonical(host)
}

func badPort(port string) (reason string) {
	value := 0
	for i := range len(port) {
		if port[i] < '0' || port[i] > '9' {
			return fmt.Sprintf("has the port %q, which is no number", port)
		}
		if value = value*10 + int(port[i]-'0'); value > 65535 {
			return "has a port above 65535"
		}
	}
	return ""
}
