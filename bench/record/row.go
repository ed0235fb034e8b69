package record

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/tamis-filter/tamis/bench/stat"
)

// Cell is one contestant at one number of keys and one rate asked for. The
// rate is 0 for a contestant that is never wrong.
type Cell struct {
	Name string
	Keys uint64
	Rate float64
	// Level of kernels, in a run that sweeps them, of a contestant that has
	// any; empty otherwise.
	Level string
	// Procs is how many processors a construction may use; 0 for all of them.
	Procs int
}

// Size is what a cell's filter takes, in bits per key.
type Size struct {
	File    float64 // all that is stored, header included
	Payload float64
}

// FewHits is the number of false positives below which a measured rate is
// marked as uncertain.
const FewHits = 100

// Rate is how often strangers were taken for members.
type Rate struct{ Hits, Probes uint64 }

// FPR returns the measured false-positive rate.
func (r Rate) FPR() float64 { return float64(r.Hits) / float64(r.Probes) }

// Interval returns its 95 % interval.
func (r Rate) Interval() (low, high float64) { return stat.Wilson(r.Hits, r.Probes) }

// Few reports whether there were too few hits for a good estimate.
func (r Rate) Few() bool { return r.Hits < FewHits }

// slack is how far above the rate asked for a filter may be.
const slack = 1.03

// Exceeds reports whether the rate is above the rate asked for, by more than
// the slack that every tamis filter has and than chance explains.
func (r Rate) Exceeds(asked float64) bool {
	low, _ := r.Interval()
	return low > slack*asked
}

// Build is one repetition of a construction: per key.
type Build struct{ Ns, Bytes float64 }

// Mode is a way to query.
type Mode string

// The modes.
const (
	Single Mode = "single" // one hash a call, calls independent of each other
	Chain  Mode = "chain"  // one hash a call, each needs the answer before it
	Batch  Mode = "batch"  // many hashes a call, answers into a bit set
	Key    Mode = "key"    // one 8-byte key a call, hashing included
)

// Modes lists the modes.
var Modes = []Mode{Single, Chain, Batch, Key}

// HitShares lists the shares of members among the queries, in percent.
var HitShares = []int{0, 50, 100}

// Query is one way to query a cell.
type Query struct {
	Cell
	Mode Mode
	Hits int // percent
}

// label is the part of a row's name that identifies the cell. Rates are never
// in exponent form: benchmark names end in "-N" for N processors.
func (c Cell) label() string {
	s := fmt.Sprintf("/family=%s/n=%s", c.Name, formatKeys(c.Keys))
	if c.Rate != 0 {
		s += "/p=" + formatRate(c.Rate)
	}
	if c.Level != "" {
		s += "/level=" + c.Level
	}
	if c.Procs != 0 {
		s += fmt.Sprintf("/procs=%d", c.Procs)
	}
	return s
}

func formatKeys(n uint64) string {
	s := strconv.FormatFloat(float64(n), 'e', -1, 64)
	if parseKeys(s) != n || strings.Contains(s, ".") {
		return strconv.FormatUint(n, 10)
	}
	return strings.Replace(s, "e+0", "e", 1)
}

// parseKeys returns 0 for what is no number of keys.
func parseKeys(s string) uint64 {
	f, err := strconv.ParseFloat(s, 64)
	if err != nil || !(f >= 1 && f < 1<<53) {
		return 0
	}
	return uint64(f)
}

func formatRate(p float64) string { return strconv.FormatFloat(p, 'f', -1, 64) }
