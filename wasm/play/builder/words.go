//go:build js && wasm

package main

import (
	"errors"
	"fmt"

	"github.com/tamis-filter/tamis/filters"
	"github.com/tamis-filter/tamis/filters/exact"
)

// inWords returns an error of building that tells somebody at the page what to do.
func inWords(err error, family filters.Family, c filters.Config, include list) error {
	field, _ := errors.AsType[*filters.FieldError](err)
	switch {
	case field != nil && errors.Is(err, filters.ErrUnreachable):
		return fmt.Errorf("%s cannot keep mistakes as rare as 1 in %.0f: %s. Allow more of them, or take another family", family.Name(), 1/c.FPR, field.Bound)
	case errors.Is(err, filters.ErrTooLarge):
		return fmt.Errorf("the list is too long for a browser: build its filter by tamis build, and drop that here")
	}
	overlap, ok := errors.AsType[*exact.OverlapError](err)
	if !ok {
		return err
	}
	return &overlapError{fmt.Sprintf("%s on both lists%s: a filter cannot hold a name and not hold it. Take what is on both out of one list, or build without it", are(overlap.Keys), include.lookUp(overlap.Hash))}
}

// overlapError is an error that names are on both lists.
type overlapError struct{ words string }

func (e *overlapError) Error() string { return e.words }

func are(names int) string {
	if names == 1 {
		return "one name is"
	}
	return fmt.Sprintf("%d names are", names)
}

// lookUp returns a key of a hash as a part of a message.
func (l list) lookUp(h filters.Hash) (message string) {
	l.eachBatch(func(keys [][]byte) error {
		for _, key := range keys {
			if (filters.Hasher{}).Bytes(key) == h {
				message = fmt.Sprintf(", as %.100s", key)
				return errEnough
			}
		}
		return nil
	}, noReject)
	return message
}
