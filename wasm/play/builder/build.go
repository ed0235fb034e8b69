//go:build js && wasm

package main

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"syscall/js"

	"github.com/tamis-filter/tamis/filters"
	"github.com/tamis-filter/tamis/filters/all"
	"github.com/tamis-filter/tamis/filters/exact"
)

// maxBuildBytes keeps to what a browser gives a module: more is an error in words instead of
// the end of the program.
const maxBuildBytes = 3 << 30

// build makes a filter as the command does, byte for byte.
func build(request js.Value) (map[string]any, error) {
	family, err := all.Find(request.Get("family").String())
	if err != nil {
		return nil, err
	}
	format := request.Get("format").String()
	c := filters.Config{FPR: request.Get("fpr").Float(), MaxBuildBytes: maxBuildBytes}
	include, err := gather(list{request.Get("include"), format}, &c)
	if err != nil {
		return nil, err
	}
	c.Progress = func(done float64) { request.Get("progress").Invoke(done) }

	var exclude []filters.Hash
	dropped = nil
	var f filters.Filter
	if open := request.Get("exclude"); open.Type() == js.TypeFunction {
		counted := c
		counted.Keys = 0
		if exclude, err = gather(list{open, format}, &counted); err != nil {
			return nil, err
		}
		if request.Get("overlap").String() == "drop" {
			include, dropped = part(include, exclude)
			c.Keys = max(1, uint64(len(include)))
		}
		f, err = exact.Build(slices.Chunk(include, batchLen), slices.Chunk(exclude, batchLen), c)
	} else {
		f, err = family.Build(slices.Chunk(include, batchLen), c)
	}
	if err != nil {
		return nil, inWords(err, family, c, list{request.Get("include"), format})
	}
	file, err := f.AppendBinary(nil)
	if err != nil {
		return nil, err
	}
	return map[string]any{
		"file":     bytesOf(file),
		"keys":     len(include),
		"excluded": len(exclude),
		"dropped":  len(dropped),
		"rejected": 0,
		"rejects":  []any{},
	}, nil
}

// gather returns the distinct hashes of a list, ascending, and sets c.Keys to their number.
func gather(l list, c *filters.Config) ([]filters.Hash, error) {
	var readErr error
	hashes, _, counted, err := filters.GatherDistinct(l.hashes(&readErr), *c)
	if errors.Is(readErr, errEnough) {
		readErr = nil
	}
	if err = cmp.Or(err, readErr); err != nil {
		return nil, err
	}
	if len(hashes) == 0 {
		return nil, fmt.Errorf("the list holds no names; give one name a line")
	}
	*c = counted
	return hashes, nil
}

// dropped are the keys that the last filter left out because they are excluded.
var dropped []filters.Hash

// part parts an ascending list into what another one does not have and what it has.
func part(list, other []filters.Hash) (rest, common []filters.Hash) {
	for _, h := range list {
		if contains(other, h) {
			common = append(common, h)
		} else {
			rest = append(rest, h)
		}
	}
	return rest, common
}

func contains(ascending []filters.Hash, h filters.Hash) bool {
	_, found := slices.BinarySearch(ascending, h)
	return found
}
