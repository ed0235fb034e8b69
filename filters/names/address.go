package names

import (
	"fmt"
	"net/netip"
	"strconv"
	"strings"
)

// endsInNumber reports whether the standard takes a name for an IPv4 address, a broken
// one perhaps: the last label, or the one before an empty last, is digits or 0x and hex
// digits.
func endsInNumber(name string) bool {
	name = strings.TrimSuffix(name, ".")
	last := name[strings.LastIndexByte(name, '.')+1:]
	if last == "" {
		return false
	}
	if strings.Trim(last, "0123456789") == "" {
		return true
	}
	_, ok := parseNumber(last)
	return ok
}

// maxNumber stands for all numbers above those of an address.
const maxNumber = 1 << 32

// parseNumber is the standard's IPv4 number parser.
func parseNumber(s string) (value uint64, ok bool) {
	if s == "" {
		return 0, false
	}
	base := uint64(10)
	if len(s) >= 2 && s[0] == '0' {
		if s[1]|0x20 == 'x' {
			s, base = s[2:], 16
		} else {
			s, base = s[1:], 8
		}
	}
	for i := range len(s) {
		digit, ok := hexDigit(s[i])
		if !ok || uint64(digit) >= base {
			return 0, false
		}
		value = min(value*base+uint64(digit), maxNumber)
	}
	return value, true
}

func parseIPv4(name string) (host, reason string) {
	parts := strings.Split(strings.TrimSuffix(name, "."), ".")
	if len(parts) > 4 {
		return "", "ends in a number, so it must be an IPv4 address, and has more than four parts"
	}
	var address uint64
	for i, part := range parts {
		value, ok := parseNumber(part)
		if !ok {
			return "", fmt.Sprintf("ends in a number, so it must be an IPv4 address, and %q is no number", part)
		}
		bits := 8
		if i == len(parts)-1 {
			bits = 8 * (5 - len(parts))
		}
		if value >= 1<<bits {
			return "", fmt.Sprintf("ends in a number, so it must be an IPv4 address, and %q is too large", part)
		}
		address = address<<bits | value
	}
	return netip.AddrFrom4([4]byte{byte(address >> 24), byte(address >> 16), byte(address >> 8), byte(address)}).String(), ""
}

// parseIPv6 reads an address without brackets and returns it with them, in the
// standard's form, which has no dots.
func parseIPv6(s string) (host, reason string) {
	address, err := netip.ParseAddr(s)
	if err != nil || !address.Is6() || address.Zone() != "" {
		return "", "is no IPv6 address"
	}
	if address.Is4In6() {
		b := address.As16()
		high, low := uint64(b[12])<<8|uint64(b[13]), uint64(b[14])<<8|uint64(b[15])
		return "[::ffff:" + strconv.FormatUint(high, 16) + ":" + strconv.FormatUint(low, 16) + "]", ""
	}
	return "[" + address.String() + "]", ""
}

// isAddress reports whether a canonical host is an IP address.
func isAddress(host string) bool {
	last := host[len(host)-1]
	return last == ']' || '0' <= last && last <= '9' && endsInNumber(host)
}
