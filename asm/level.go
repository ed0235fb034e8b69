package asm

import (
	"fmt"
	"os"
	"strings"
)

// Level is a set of CPU features that kernels are written for.
type Level int

// The levels, from the slowest up. Generic is plain Go and always there.
const (
	Generic Level = iota
	NEON
	AVX2
	AVX512
)

var levelNames = [...]string{Generic: "generic", NEON: "neon", AVX2: "avx2", AVX512: "avx512"}

func (l Level) String() string { return levelNames[l] }

// level is the one in use: the best there is, or the one that the environment
// variable TAMIS_CPU names. It is set once, before main, and by tests. (The go
// command does not see that a test depends on the variable: use -count=1.)
var level = func() Level {
	l, err := choose(os.Getenv("TAMIS_CPU"), Levels())
	if err != nil {
		// Nobody could trust what ran without it.
		fmt.Fprintln(os.Stderr, "tamis:", err)
		os.Exit(2)
	}
	return l
}()

// choose returns the level of a name, or the best one for no name.
func choose(name string, available []Level) (Level, error) {
	if name == "" {
		return available[len(available)-1], nil
	}
	names := make([]string, len(available))
	for i, l := range available {
		if names[i] = l.String(); names[i] == name {
			return l, nil
		}
	}
	return 0, fmt.Errorf("TAMIS_CPU is %q, but this machine and build have %s", name, strings.Join(names, ", "))
}

// Use returns the level in use.
func Use() Level { return level }
