package main

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// count is a flag for a whole number, which people write as 1000000,
// 1_000_000 or 1e6. It is exact: what no integer equals is an error.
type count uint64

// countType is what pflag calls the type in a usage text.
const countType = "count"

func (c *count) String() string { return strconv.FormatUint(uint64(*c), 10) }
func (c *count) Type() string   { return countType }

func (c *count) Set(s string) error {
	n, err := parseCount(s)
	*c = count(n)
	return err
}

// countSyntax: digits in groups, a fraction, an exponent.
var countSyntax = regexp.MustCompile(`^([0-9]+(?:_[0-9]+)*)(?:\.([0-9]+))?(?:[eE]\+?([0-9]{1,2}))?$`)

func parseCount(s string) (uint64, error) {
	m := countSyntax.FindStringSubmatch(s)
	if m == nil {
		return 0, fmt.Errorf("not a whole number")
	}
	digits := strings.ReplaceAll(m[1], "_", "") + m[2]
	exponent := 0
	if m[3] != "" {
		exponent, _ = strconv.Atoi(m[3]) // two digits at most
	}
	// The decimal point stands len(m[2]) digits before the end; move it.
	for exponent -= len(m[2]); exponent < 0; exponent++ {
		var zero bool
		if digits, zero = strings.CutSuffix(digits, "0"); !zero {
			return 0, fmt.Errorf("not a whole number")
		}
	}
	return strconv.ParseUint(digits+strings.Repeat("0", exponent), 10, 64)
}
