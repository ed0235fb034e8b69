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
	r := rejects{first: []any{}}
	include, err := gather(list{request.Get("include"), format}, &c, r.of(1))
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
		if exclude, err = gather(list{open, format}, &counted, r.of(2)); err != nil {
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
		"rejected": r.count,
		"rejects":  r.first,
	}, nil
}

// rejects are the lines that gave no key, or not all that they say.
type rejects struct {
	count int
	first []any
}

// mostRejects is how many lines the page shows.
const mostRejects = 100

// of returns what takes the lines of the first list or of the second.
func (r *rejects) of(list int) func(line int, text string, reason error) {
	return func(line int, text string, reason error) {
		r.count++
		if len(r.first) < mostRejects {
			r.first = append(r.first, map[string]any{"list": list, "line": line, "text": fmt.Sprintf("%.200s", text), "reason": reason.Error()})
		}
	}
}

// gather returns the distinct hashes of a list, ascending, and sets c.Keys to their number.
func gather(l list, c *filters.Config, reject func(int, string, error)) ([]filters.Hash, error) {
	var readErr error
	hashes, _, counted, err := filters.GatherDistinct(l.hashes(reject, &readErr), *c)
	if errors.Is(readErr, errEnough) {
		readErr = nil
	}
	if err = cmp.Or(err, readErr); err != nil {
		return nil, err
	}
	if len(hashes) == 0 {
		return nil, errors.New("no line of the list holds a name: is it of another form than is chosen?")
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
