package filters

import (
	"fmt"
	"math"
	"strconv"
)

// Limits that hold for every family.
const (
	// MinFPR is the smallest false-positive rate that can be asked for. Below
	// it, keys that share all 64 bits of their hash would weigh in.
	MinFPR = 1.0 / (1 << 32)
	// MaxKeys bounds Config.Keys.
	MaxKeys = 1 << 40
)

// Config says how large a filter is to be. Keys and exactly one of FPR,
// BitsPerKey and MaxBytes must be set. A budget must give at least a bit to each
// key. What is within these bounds but does not fit into the machine's memory
// ends the program, as with any allocation in Go: Size tells what it would take.
type Config struct {
	// Keys is the number of distinct keys to make room for, 1 to MaxKeys. A
	// Build function takes 0 as "count the hashes", and refuses more hashes
	// than a Keys that is set.
	Keys uint64
	// FPR is the false-positive rate wanted when Keys keys are in: a fraction,
	// MinFPR or more and less than 1. What shows is at most 1.03 times that.
	FPR float64
	// BitsPerKey is a budget: the payload takes at most Keys times this. With
	// few keys, the fixed parts of a layout come on top.
	BitsPerKey float64
	// MaxBytes is a budget: the filter's file, header included, takes at most
	// this.
	MaxBytes uint64
	// Seed of the Hasher. With a secret one, an adversary cannot prepare keys
	// that all collide. 0 is plain XXH3-64.
	Seed uint64
	// MaxBuildBytes bounds the memory that New or Build takes, the filter included
	// but not the input: what would take more, when nothing is freed before the end,
	// is refused, as ErrTooLarge, before it does. Size tells how much that is, for
	// hashes that are well mixed. 0 is no bound.
	MaxBuildBytes uint64
	// Progress, if it is not nil, is told by Build, now and then and at the end, what
	// share of the work is done: 0 to 1, never less than before. Build waits for it,
	// and calls it from one goroutine at a time. It must not panic: nobody could catch
	// that.
	Progress func(done float64)
}

// Check validates c for a filter of a fixed capacity. Families call it before
// they compute anything.
func (c Config) Check() error {
	if c.Keys == 0 || c.Keys > MaxKeys {
		return &FieldError{ErrConfig, "Keys", c.Keys, "must be 1 to 2^40"}
	}
	if err := c.checkGoal(); err != nil {
		return err
	}
	if least := HeaderSize + c.Keys/8; c.MaxBytes != 0 && c.MaxBytes < least {
		return TooSmall("MaxBytes", c.MaxBytes, float64(least))
	}
	return (Config{}).CheckPayload(max(c.BitsPerKey*float64(c.Keys)/8, float64(c.MaxBytes)-HeaderSize))
}

// checkBuild validates c for a Build function, where Keys may be 0.
func (c Config) checkBuild() error {
	if c.Keys == 0 {
		return c.checkGoal()
	}
	return c.Check()
}

// checkGoal validates all but Keys.
func (c Config) checkGoal() error {
	goals := 0
	if c.FPR != 0 {
		goals++
		if !(c.FPR >= MinFPR && c.FPR < 1) {
			return &FieldError{ErrConfig, "FPR", c.FPR, "must be at least 2^-32 and less than 1"}
		}
	}
	if c.BitsPerKey != 0 {
		goals++
		if !(c.BitsPerKey >= 1 && c.BitsPerKey <= math.MaxUint32) {
			return &FieldError{ErrConfig, "BitsPerKey", c.BitsPerKey, "must be 1 to 2^32"}
		}
	}
	if c.MaxBytes != 0 {
		goals++
		if c.MaxBytes <= HeaderSize {
			return &FieldError{ErrConfig, "MaxBytes", c.MaxBytes, fmt.Sprintf("must be more than the %d bytes of the header", HeaderSize)}
		}
	}
	if goals != 1 {
		return &FieldError{ErrConfig, "goals set (of FPR, BitsPerKey, MaxBytes)", goals, "must be exactly 1"}
	}
	return nil
}

// Budget returns the payload bits that BitsPerKey or MaxBytes allow, and false
// when the goal is a rate. c must have passed Check.
func (c Config) Budget() (payloadBits uint64, ok bool) {
	switch {
	case c.MaxBytes != 0:
		return (c.MaxBytes - HeaderSize) * 8, true
	case c.BitsPerKey != 0:
		return uint64(c.BitsPerKey * float64(c.Keys)), true
	}
	return 0, false
}

// CheckPayload refuses a payload of more than MaxPayload bytes, or more than
// building may take.
func (c Config) CheckPayload(bytes float64) error {
	if !(bytes <= MaxPayload) {
		return &FieldError{ErrTooLarge, "payload", fmt.Sprintf("%.0f bytes", bytes), fmt.Sprintf("must be at most %d bytes on this machine", uint64(MaxPayload))}
	}
	return c.CheckBuild(uint64(max(0, bytes)))
}

// CheckBuild refuses what takes more memory than building may.
func (c Config) CheckBuild(bytes uint64) error {
	if c.MaxBuildBytes != 0 && bytes > c.MaxBuildBytes {
		return &FieldError{ErrTooLarge, "MaxBuildBytes", c.MaxBuildBytes, fmt.Sprintf("but it takes up to %d", bytes)}
	}
	return nil
}

// TooSmall returns the error for a budget that is less than the least that a
// layout takes, rounded up so that it suffices.
func TooSmall(budget string, value any, least float64) error {
	return &FieldError{ErrUnreachable, budget, value, "this layout takes at least " + strconv.FormatFloat(math.Ceil(least*1000)/1000, 'f', -1, 64)}
}

// Unreachable returns the error for a rate that the layout cannot reach with
// keys keys.
func Unreachable(fpr, smallest float64) error {
	return &FieldError{ErrUnreachable, "FPR", fpr, fmt.Sprintf("the smallest reachable here is %.3g", smallest)}
}
