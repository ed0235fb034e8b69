package main

import (
	"fmt"

	"github.com/spf13/cobra"
	"github.com/tamis-filter/tamis/filters"
)

// defaultFPR is the goal when no flag sets one.
const defaultFPR = 0.01

// goal is the flags that say how large a filter is to be.
type goal struct {
	keys       count
	fpr        float64
	bitsPerKey float64
	maxBytes   count
}

func (g *goal) addFlags(cmd *cobra.Command, keysUsage string) {
	f := cmd.Flags()
	f.Var(&g.keys, "keys", keysUsage)
	f.Float64Var(&g.fpr, "fpr", 0, fmt.Sprintf("false-positive rate to stay below, a fraction (%v when no goal is set)", defaultFPR))
	f.Float64Var(&g.bitsPerKey, "bits-per-key", 0, "instead of --fpr: bits to spend on a key")
	f.Var(&g.maxBytes, "max-bytes", "instead of --fpr: bytes the file may take")
}

// config checks the flags as far as they go without the keys. Keys is 0 when
// cmd was called without --keys.
func (g *goal) config(cmd *cobra.Command) (filters.Config, error) {
	c := filters.Config{Keys: uint64(g.keys), FPR: g.fpr, BitsPerKey: g.bitsPerKey, MaxBytes: uint64(g.maxBytes)}
	// A Config takes zero for "not set"; a zero that somebody typed is an error.
	for _, f := range []struct {
		name string
		zero bool
	}{{"keys", c.Keys == 0}, {"fpr", c.FPR == 0}, {"bits-per-key", c.BitsPerKey == 0}, {"max-bytes", c.MaxBytes == 0}} {
		if f.zero && cmd.Flags().Changed(f.name) {
			return c, badFlag("--"+f.name, 0, "must be more than 0")
		}
	}
	set := 0
	for _, goal := range []bool{c.FPR != 0, c.BitsPerKey != 0, c.MaxBytes != 0} {
		if goal {
			set++
		}
	}
	switch set {
	case 0:
		c.FPR = defaultFPR
	case 1:
	default:
		return c, badFlag("--fpr, --bits-per-key, --max-bytes", fmt.Sprintf("%d of them set", set), "set exactly one")
	}
	check := c
	if !cmd.Flags().Changed("keys") {
		check.Keys = 1
	}
	if err := check.Check(); err != nil {
		return c, err
	}
	return c, nil
}
