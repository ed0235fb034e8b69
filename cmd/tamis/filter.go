package main

import (
	"errors"
	"fmt"

	"github.com/tamis-filter/tamis/filters"
	"github.com/tamis-filter/tamis/filters/all"
)

// openFilter opens a filter file of any family where it lies and checks it in
// full. It stays open as long as the process.
func openFilter(name string) (filters.Filter, error) {
	f, err := all.OpenFile(name)
	if err != nil {
		return nil, openError(name, err)
	}
	return f.Filter, nil
}

// openError tells a file that is no filter from one that cannot be read.
func openError(name string, err error) error {
	if _, ok := errors.AsType[*filters.FieldError](err); ok {
		return notAFilter(name, err)
	}
	return fileError("read", name, err)
}

func notAFilter(name string, err error) error {
	next := "; give a file that 'tamis build' wrote"
	if errors.Is(err, filters.ErrChecksum) {
		next = ""
	}
	return fmt.Errorf("%s: %s%s", name, message(err), next)
}
