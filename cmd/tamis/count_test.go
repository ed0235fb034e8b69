package main

import "testing"

func TestCount(t *testing.T) {
	for s, want := range map[string]uint64{
		"0": 0, "7": 7, "1000000": 1e6, "1e6": 1e6, "1E6": 1e6, "1e+6": 1e6, "1_000_000": 1e6,
		"1.5e6": 1_500_000, "1.50e1": 15, "2.0": 2, "0e99": 0, "010": 10, "12e0": 12,
		"18446744073709551615": 1<<64 - 1, "1_2.34e2": 1234, "100_000e13": 1e18,
	} {
		if got, err := parseCount(s); err != nil || got != want {
			t.Errorf("%q is %d, %v; want %d", s, got, err, want)
		}
	}
	for _, s := range []string{
		"", " 1", "1 ", "-1", "+1", "1.5", "1e-3", "1.23e1", "1e", "e6", ".5e1", "1.e3", "1e6.0", "0x10",
		"_1", "1_", "1__0", "18446744073709551616", "1e20", "1e99", "1e100", "1e999999999", "NaN", "Inf", "million",
	} {
		if got, err := parseCount(s); err == nil {
			t.Errorf("%q is %d, want an error", s, got)
		}
	}
}
