package main

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"syscall"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"github.com/tamis-filter/tamis/filters"
)

// flagOf maps the fields of a Config to the flags that set them.
var flagOf = map[string]string{
	"Keys":       "--keys",
	"FPR":        "--fpr",
	"BitsPerKey": "--bits-per-key",
	"MaxBytes":   "--max-bytes",
	"family":     "--family",
}

// message is err as the one line that people read: the field, its value, what
// it may be and what to do next.
func message(err error) string {
	msg := err.Error()
	var field *filters.FieldError
	if errors.As(err, &field) {
		msg = fieldMessage(field)
	}
	return strings.NewReplacer("\n", `\n`, "\r", `\r`).Replace(msg)
}

func fieldMessage(e *filters.FieldError) string {
	name := e.Field
	if flag, ok := flagOf[name]; ok {
		name = flag
	}
	switch {
	case errors.Is(e, filters.ErrConfig):
		return fmt.Sprintf("%s is %v, %s", name, e.Value, e.Bound)
	case errors.Is(e, filters.ErrUnreachable), errors.Is(e, filters.ErrTooLarge):
		return fmt.Sprintf("%v: %s is %v, %s; 'tamis size' compares the families", e.Err, name, e.Value, e.Bound)
	}
	return fmt.Sprintf("%v: %s is %v, %s", e.Err, e.Field, e.Value, e.Bound)
}

// badFlag is the error for a value that a flag may not have.
func badFlag(flag string, value any, bound string) error {
	return &filters.FieldError{Err: filters.ErrConfig, Field: flag, Value: value, Bound: bound}
}

// flagError turns what the flag parser says into this command's words.
func flagError(cmd *cobra.Command, err error) error {
	var bad *pflag.InvalidValueError
	if !errors.As(err, &bad) {
		return fmt.Errorf("%w; run '%s --help' for the flags", err, cmd.CommandPath())
	}
	bound := "must be true or false"
	switch bad.GetFlag().Value.Type() {
	case countType:
		bound = "must be a whole number below 2^64, as 1000000, 1e6 or 1_000_000"
	case "float64":
		bound = "must be a number, as 0.01"
	case "uint64":
		bound = "must be an integer from 0 to 2^64-1"
	}
	return badFlag("--"+bad.GetFlag().Name, fmt.Sprintf("%q", bad.GetValue()), bound)
}

// fileError says what failed with a file, by the name the user gave it.
func fileError(doing, name string, err error) error {
	var path *fs.PathError
	if errors.As(err, &path) {
		err = path.Err // it may name the temporary file
	}
	next := ""
	switch {
	case errors.Is(err, fs.ErrNotExist):
		next = "; check the path"
	case errors.Is(err, fs.ErrPermission):
		next = "; check the permissions"
	case errors.Is(err, syscall.EISDIR), errors.Is(err, syscall.ENOTDIR):
		next = "; give the path of a file"
	case errors.Is(err, syscall.ENOSPC):
		next = "; make room or write elsewhere"
	}
	return fmt.Errorf("cannot %s %s: %w%s", doing, name, err, next)
}
