// Package lists reads the names out of lists of hosts as they are published: files of
// hosts, of domains and of filters for ad blockers.
package lists

import (
	"errors"
	"fmt"
	"net/netip"
	"slices"
	"strings"

	"github.com/tamis-filter/tamis/filters/names"
)

// Format is how a list is written.
type Format string

const (
	// Hosts: an address and names for it. The address must be one that goes
	// nowhere, as 0.0.0.0: what a line with another says is no blocking.
	Hosts Format = "hosts"
	// Domains: one name a line, perhaps with dots or *. before it.
	Domains Format = "domains"
	// Adblock: rules of ad blockers, of which ||host^ is the form of a host.
	Adblock Format = "adblock"
)

// Formats returns them all.
func Formats() []Format { return []Format{Hosts, Domains, Adblock} }

// maxLine is a bound far above the length of any line that means something: the time
// that a name takes can be quadratic in its length.
const maxLine = 64 << 10

// Line hands the canonical names of a line to add, and to reject why what the line says
// cannot be listed. A name is also rejected if it would block all names below a public
// suffix, or if the DNS has none like it, as with a quote or a comma in it. Blank lines,
// comments and what every file of hosts says of localhost give neither. A byte-order
// mark before the line and a carriage return after it are no part of it.
func (f Format) Line(line string, add func(host string), reject func(reason error)) {
	line = strings.Trim(strings.TrimPrefix(line, "\ufeff"), " \t\r")
	if len(line) > maxLine {
		reject(fmt.Errorf("longer than %d bytes", maxLine))
		return
	}
	l := liner{add, reject}
	switch f {
	case Hosts:
		l.hosts(line)
	case Domains:
		l.domains(line)
	case Adblock:
		l.adblock(line)
	default:
		reject(fmt.Errorf("the format %q is none of %v", string(f), Formats()))
	}
}

type liner struct {
	add    func(host string)
	reject func(reason error)
}

// name adds a name, or rejects it.
func (l liner) name(name string) {
	name = strings.TrimPrefix(name, "*.") // a listed parent blocks what is below it
	switch {
	case strings.Trim(name, ".*/") == "":
		l.reject(fmt.Errorf("%q would match everything", name))
		return
	case strings.Contains(name, "*"):
		l.reject(fmt.Errorf("%.100q has a wildcard inside", name))
		return
	}
	host, err := names.Host(name)
	if err != nil {
		l.reject(err)
		return
	}
	if names.Shortest(host) > len(host) {
		l.reject(fmt.Errorf("%.100q is a public suffix: it would match all names below it", host))
		return
	}
	if reason := unheard(host); reason != "" {
		l.reject(fmt.Errorf("%.100q %s", host, reason))
		return
	}
	l.add(host)
}

// unheard says why no host of the DNS has a name. An address is none of its names.
func unheard(host string) (reason string) {
	if host[0] == '[' {
		return ""
	}
	if len(host) > 253 {
		return "is longer than a name may be"
	}
	for label := range strings.SplitSeq(host, ".") {
		if len(label) > 63 {
			return "has a label that is longer than one may be"
		}
	}
	const letters = "abcdefghijklmnopqrstuvwxyz0123456789-_."
	if i := strings.IndexFunc(host, func(r rune) bool { return !strings.ContainsRune(letters, r) }); i >= 0 {
		return fmt.Sprintf("holds %q, as no host name does", host[i])
	}
	return ""
}

// cutComment cuts what a # starts, at the start or after a space.
func cutComment(line string) string {
	for i := range len(line) {
		if line[i] == '#' && (i == 0 || line[i-1] == ' ' || line[i-1] == '\t') {
			return line[:i]
		}
	}
	return line
}

func (l liner) hosts(line string) {
	text, _, _ := strings.Cut(line, "#")
	fields := strings.Fields(text)
	if len(fields) == 0 {
		return
	}
	address, err := netip.ParseAddr(fields[0])
	if err != nil {
		l.reject(fmt.Errorf("%.100q is no IP address, with which a line of a hosts file starts", fields[0]))
		return
	}
	if len(fields) == 1 {
		l.reject(errors.New("an address without a name"))
		return
	}
	listed := slices.DeleteFunc(fields[1:], isOwn)
	if len(listed) > 0 && !address.IsUnspecified() && !address.IsLoopback() {
		l.reject(fmt.Errorf("%s is no address that blocks, as 0.0.0.0 or 127.0.0.1", address))
		return
	}
	for _, name := range listed {
		l.name(name)
	}
}

// isOwn reports whether a name is one that a hosts file gives to its own machine and
// network.
func isOwn(name string) bool {
	switch name = strings.ToLower(name); name {
	case "localhost", "localhost.localdomain", "localhost4", "localhost4.localdomain4", "localhost6", "localhost6.localdomain6", "local", "broadcasthost", "0.0.0.0":
		return true
	}
	return strings.HasPrefix(name, "ip6-")
}

func (l liner) domains(line string) {
	if strings.HasPrefix(line, "!") {
		return
	}
	fields := strings.Fields(cutComment(line))
	switch len(fields) {
	case 0:
	case 1:
		l.name(fields[0])
	default:
		l.reject(fmt.Errorf("%d words on a line, which may have one name; is it a list of another kind?", len(fields)))
	}
}

func (l liner) adblock(line string) {
	switch {
	case line == "", line[0] == '!', line[0] == '[' && line[len(line)-1] == ']', line == "#", strings.HasPrefix(line, "# "):
		return // blank, comment or the list's header
	case isCosmetic(line):
		l.reject(errors.New("hides or changes parts of pages, which a list of hosts cannot"))
		return
	case strings.HasPrefix(line, "@@"):
		l.reject(errors.New("an exception, which a list of hosts cannot hold"))
		return
	}
	pattern, options, _ := strings.Cut(line, "$")
	for option := range strings.SplitSeq(options, ",") {
		switch option = strings.TrimSpace(option); option {
		case "", "important", "all", "document", "doc":
		default:
			l.reject(fmt.Errorf("the option %.100q narrows what is blocked, which a list of hosts cannot", option))
			return
		}
	}
	name, isHost := strings.CutPrefix(strings.TrimSpace(pattern), "||")
	if !isHost {
		l.reject(errors.New("matches by a pattern; a host is ||host^"))
		return
	}
	name, whole := strings.CutSuffix(strings.TrimSuffix(name, "|"), "^")
	switch {
	case strings.ContainsAny(name, "/?"):
		l.reject(errors.New("matches parts of URLs; a host is ||host^"))
	case !whole:
		l.reject(errors.New(`matches longer names too, for want of "^": a host is ||host^`))
	default:
		l.name(name)
	}
}

// isCosmetic reports whether a rule is about what is on a page: it has #, up to three
// signs, and #, or $$.
func isCosmetic(line string) bool {
	if strings.Contains(line, "$$") {
		return true
	}
	for i := range len(line) {
		if line[i] != '#' {
			continue
		}
		for n := 1; n <= 4 && i+n < len(line); n++ {
			if line[i+n] == '#' {
				return true
			}
			if strings.IndexByte("@?$%", line[i+n]) < 0 {
				break
			}
		}
	}
	return false
}
