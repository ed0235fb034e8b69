// Package names makes one form of a host name of the many that people and programs
// write, and tells which of its parents a list is asked for. package tamis of
// wasm/js does the same in a browser; the rows of wasm/testdata/names.json hold both.
//
// # Canonical hosts
//
// [Host] reads a host, [URL] the host of a URL, by the rules of the WHATWG URL
// standard, which are those of browsers: percent signs are decoded, names mapped and
// turned to ASCII as UTS 46 has it (non-transitional; bidi and joiner rules, but no
// limits on length or hyphens), 0x7f.1 is 127.0.0.1, an IPv6 address stands in
// brackets in its shortest form. What the standard refuses is refused. Beyond it:
//
//   - Empty labels go: .evil.com, evil..com and evil.com. are evil.com. The standard
//     keeps them, though no such name but the last can be asked of the DNS. They go
//     after its rules were applied, and what is left must pass these rules again, so
//     that the canonical form of a canonical form is itself: 127.0.0.1.. is the
//     address 127.0.0.1, and .127.0.0.1, which the standard refuses, is refused.
//   - A host that is only dots is refused.
//   - [Host] takes an IPv6 address without brackets too. It refuses what surrounds a
//     host in a URL, userinfo, port and path: use [URL].
//   - A URL must have a host. In one of a scheme that the standard does not know
//     (git://EVIL.com/), whose host it would leave as it stands, the host is read as
//     [Host] reads it.
//
// Two programs can differ about a few names that are not ASCII: letters that a version
// of Unicode added are known once the tables have them, and some engines for JavaScript
// let names pass that break the rules for letters written from right to left or for
// joiners. Such a name is never listed, because it is refused here.
//
// The standard sets no bound on the length of a host. A name in lower-case ASCII takes
// time in proportion to its length; one that is not ASCII takes a time quadratic in its
// labels' lengths: bound what strangers can pass.
//
// # Which parents are asked for
//
// A listed parent blocks the names below it, up to the registrable domain, which is
// one label more than the public suffix as the public-suffix list has it, with its
// private section: a.b.evil.co.uk is asked for as itself, as b.evil.co.uk and as
// evil.co.uk, never as co.uk. [Walk] gives these names. Hosts that are themselves
// suffixes have no registrable domain:
//
//   - com and co.uk, and any name of one label, are not asked for at all: listing them
//     blocks nothing.
//   - A suffix of the private section, as github.io, is a host like others and is
//     asked for as itself alone: listing it blocks this host and none below it.
//   - An IP address is asked for as itself.
//
// # What the walk does to the rate
//
// Every name asked for is a chance of a false positive. A filter of rate p that is
// asked for the k names of a walk says "maybe" for a host none of whose names is listed
// with probability 1-(1-p)^k, which is about k·p for small p: k is 1 for a registrable
// domain, 2 for most hosts (www.example.com), and one more for each label more. Size a
// list for the rate wanted divided by the labels expected, or build one of family exact
// against a list of hosts that must pass.
package names
