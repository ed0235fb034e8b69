package names

import (
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"golang.org/x/net/idna"
)

// ErrName is what every error of this package wraps.
var ErrName = errors.New("not a host name")

// Error says why a name was refused.
type Error struct {
	Name   string // as given
	Reason string
}

func (e *Error) Error() string { return fmt.Sprintf("%v: %.100q %s", ErrName, e.Name, e.Reason) }
func (e *Error) Unwrap() error { return ErrName }

// Host returns the canonical form of a host: lower-case ASCII without empty labels, or
// an IP address, in brackets if it is one of IPv6. The canonical form of a canonical
// form is itself, and is found without allocation.
func Host(name string) (string, error) {
	if isPlain(name) {
		return name, nil
	}
	host, reason := canonical(name)
	if reason != "" && strings.ContainsRune(name, ':') && name[0] != '[' {
		// An address without brackets, or what has a port.
		if address, no := parseIPv6(name); no == "" {
			return address, nil
		}
	}
	if reason != "" {
		return "", &Error{name, reason}
	}
	return host, nil
}

// isPlain reports whether a name is canonical by its looks: lower-case letters, digits,
// hyphens and underscores, no empty label, no punycode to be looked into, no last label
// that may be a number.
func isPlain(name string) bool {
	start := 0 // of the current label
	for i := range len(name) {
		switch c := name[i]; {
		case c == '.':
			if i == start {
				return false
			}
			start = i + 1
		case 'a' <= c && c <= 'z', '0' <= c && c <= '9', c == '_':
		case c == '-':
			if i == start+3 && name[start:i] == "xn-" {
				return false
			}
		default:
			return false
		}
	}
	return start < len(name) && (name[start] < '0' || name[start] > '9')
}

// canonical applies the standard, takes the empty labels out and, if there were any,
// applies it again.
func canonical(name string) (host, reason string) {
	host, reason = parseHost(name)
	if reason != "" {
		return "", reason
	}
	labels := strings.FieldsFunc(host, func(r rune) bool { return r == '.' })
	if len(labels) == 0 {
		return "", "is only dots"
	}
	if short := strings.Join(labels, "."); short != host {
		return parseHost(short)
	}
	return host, ""
}

// parseHost is the standard's host parser for what is not opaque. A reason other than
// "" says why it refuses.
func parseHost(input string) (host, reason string) {
	if input == "" {
		return "", "is empty"
	}
	if input[0] == '[' {
		inner, closed := strings.CutSuffix(input[1:], "]")
		if !closed {
			return "", `starts with "[" and does not end with "]"`
		}
		return parseIPv6(inner)
	}
	domain := percentDecode(input)
	if !utf8.ValidString(domain) {
		return "", "is not UTF-8"
	}
	ascii, err := toASCII(domain)
	if err != nil {
		return "", fmt.Sprintf("is no internationalised name (%v)", err)
	}
	if ascii == "" {
		return "", "holds nothing that is visible"
	}
	for i := range len(ascii) {
		if isForbidden(ascii[i]) {
			return "", forbidden(ascii[i])
		}
	}
	if endsInNumber(ascii) {
		return parseIPv4(ascii)
	}
	return ascii, ""
}

func percentDecode(s string) string {
	if !strings.Contains(s, "%") {
		return s
	}
	b := make([]byte, 0, len(s))
	for i := 0; i < len(s); i++ {
		c := s[i]
		if c == '%' && i+2 < len(s) {
			high, ok := hexDigit(s[i+1])
			low, ok2 := hexDigit(s[i+2])
			if ok && ok2 {
				c = high<<4 | low
				i += 2
			}
		}
		b = append(b, c)
	}
	return string(b)
}

func hexDigit(c byte) (value byte, ok bool) {
	switch lower := c | 0x20; {
	case '0' <= c && c <= '9':
		return c - '0', true
	case 'a' <= lower && lower <= 'f':
		return lower - 'a' + 10, true
	}
	return 0, false
}

// profile is the standard's domain to ASCII, not strict.
var profile = idna.New(
	idna.MapForLookup(),
	idna.Transitional(false),
	idna.StrictDomainName(false),
	idna.CheckHyphens(false),
	idna.CheckJoiners(true),
	idna.BidiRule(),
	idna.VerifyDNSLength(false),
)

func toASCII(domain string) (string, error) {
	ascii := isASCII(domain)
	if ascii {
		domain = strings.ToLower(domain)
	}
	for label := range strings.SplitSeq(mapped(domain, ascii), ".") {
		// Package idna takes the first for an empty label and encodes the second again.
		switch {
		case label == ace:
			return "", errors.New("xn-- with nothing behind it")
		case strings.HasPrefix(label, ace):
			if strings.Contains(label, wide) {
				return "", errors.New("xn-- before letters that are not ASCII")
			}
			ascii = false
		}
	}
	if ascii {
		return domain, nil
	}
	return profile.ToASCII(domain)
}

const (
	ace  = "xn--" // what punycode starts with
	wide = "?"
)

// mapped is the domain as UTS 46 maps it, with wide for what is not ASCII then.
func mapped(domain string, ascii bool) string {
	if ascii {
		return domain
	}
	var b strings.Builder
	for _, r := range domain {
		a, err := profile.ToASCII(string(r))
		if err != nil || strings.HasPrefix(a, ace) {
			a = wide
		}
		b.WriteString(a)
	}
	return b.String()
}

func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// isForbidden reports whether c is one of the standard's forbidden domain code points.
func isForbidden(c byte) bool {
	return c <= ' ' || c == 0x7f || c == '%' || strings.IndexByte("#/:<>?@[\\]^|", c) >= 0
}

func forbidden(c byte) string {
	switch {
	case c == ' ':
		return "holds a space"
	case c < ' ' || c == 0x7f:
		return "holds a control character"
	case c == ':' || c == '@' || c == '/' || c == '?' || c == '#':
		return fmt.Sprintf("holds %q: a host goes without scheme, userinfo, port and path", c)
	}
	return fmt.Sprintf("holds %q", c)
}
