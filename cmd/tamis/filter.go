package main

import (
	"errors"
	"fmt"
	"os"

	"github.com/tamis-filter/tamis/blocked/split"
	"github.com/tamis-filter/tamis/filters"
	"github.com/tamis-filter/tamis/filters/all"
)

// openFilter opens a filter file of any family and says for people what is wrong.
func openFilter(name string) (filters.Filter, error) {
	f, err := open(name)
	if err != nil {
		return nil, openError(name, err)
	}
	return f, nil
}

// open opens a filter file of any family where it lies and checks it in full. It
// stays open as long as the process.
func open(name string) (filters.Filter, error) {
	f, err := all.OpenFile(name)
	if err == nil {
		return f.Filter, nil
	}
	if field, ok := errors.AsType[*filters.FieldError](err); ok && field.Field == "hash" {
		// Of the other hash, that package all leaves alone.
		if data, err := os.ReadFile(name); err == nil {
			if f, err := split.OpenParquet(data); err == nil {
				return f, nil
			}
		}
	}
	return nil, err
}

// hashOf returns the hash of f's keys.
func hashOf(f filters.Filter) func(key []byte) filters.Hash {
	info := f.Info()
	if info.Hash == "XXH64" {
		return split.ParquetHash
	}
	return filters.Hasher{Seed: info.Seed}.Bytes
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
