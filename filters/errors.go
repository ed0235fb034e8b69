package filters

import (
	"errors"
	"fmt"
)

// Every error of this module wraps one of these.
var (
	// ErrConfig: an argument is out of range, or two contradict each other.
	ErrConfig = errors.New("bad configuration")
	// ErrUnreachable: the layout cannot reach the rate or the budget asked
	// for. The error states the nearest that it can.
	ErrUnreachable = errors.New("out of reach for this layout")
	// ErrTooLarge: the filter would not fit into memory that can be addressed.
	ErrTooLarge = errors.New("too large")
	// ErrFull: no room for one more key. What was added before is intact.
	ErrFull = errors.New("filter is full")
	// ErrReadOnly: the filter is a view over bytes that belong to someone else.
	ErrReadOnly = errors.New("filter is read-only")
	// ErrMismatch: two filters differ in a field that must be equal.
	ErrMismatch = errors.New("filters differ")
	// ErrFormat: bytes that are not a filter file of this version.
	ErrFormat = errors.New("not a valid filter file")
	// ErrChecksum: a filter file whose bytes have changed. It is an ErrFormat.
	ErrChecksum = fmt.Errorf("%w: checksum differs", ErrFormat)
	// ErrBuild: a construction used up its attempts. No filter was made.
	ErrBuild = errors.New("construction failed")
)

// FieldError is an error about one field: which, what it holds and what it may
// hold. Unwrap gives the sentinel.
type FieldError struct {
	Err   error  // one of the sentinels
	Field string // as spelled in Config or in the file format
	Value any
	Bound string // what would be accepted, or what to do
}

func (e *FieldError) Error() string {
	return fmt.Sprintf("%v: %s is %v, %s", e.Err, e.Field, e.Value, e.Bound)
}

func (e *FieldError) Unwrap() error { return e.Err }

// Mismatch returns the ErrMismatch for a field in which two filters differ.
func Mismatch(field string, mine, other any) error {
	return &FieldError{ErrMismatch, field, other, fmt.Sprintf("must be %v", mine)}
}

// Offset returns where in a filter file's header the field is; ok is false for a
// field that is not in it.
func (e *FieldError) Offset() (offset int, ok bool) {
	if !errors.Is(e.Err, ErrFormat) {
		return 0, false
	}
	offset, ok = offsets[e.Field]
	return offset, ok
}

// offsets are where the fields are that readers name in an error.
var offsets = map[string]int{
	"magic":            offMagic,
	"version":          offVersion,
	"family":           offKind,
	"hash":             offHash,
	"k":                offParam,
	"fingerprint bits": offParam,
	"columns":          offParam,
	"parts":            offParam,
	"seed":             offSeed,
	"keys":             offKeys,
	"capacity":         offCapacity,
	"size":             offSize,
	"payload length":   offPayloadLen,
	"payload checksum": offPayloadSum,
	"header checksum":  offHeaderSum,
}
