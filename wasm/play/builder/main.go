//go:build js && wasm

// Builder is the Go library for the play page's worker, which builds filters with it. It
// gives the worker two functions, of the object tamisBuilder:
//
//   - build(request) makes a filter. The request has a family, an fpr, the format of the
//     list, include and exclude (null for none): each returns a function that reads a list
//     from its start, see reader; overlap, "drop" to leave out the keys that exclude has
//     too; progress(done), told a share from 0 to 1. It returns file, keys, excluded and
//     dropped (counts), rejected (how many lines of both lists) and rejects (the first
//     of them).
//   - keys(request) reads list, of a format, again and gives take(count, bytes) its keys, in
//     batches: the length of each in 4 bytes, little-endian, then the keys. With drop it
//     leaves out what the last filter left out.
//
// What fails returns an object with error, in words without a full stop, and kind: "overlap"
// if keys are on both lists, "" for all else.
package main

import (
	"errors"
	"io"
	"syscall/js"
)

func main() {
	js.Global().Set("tamisBuilder", map[string]any{
		"build": function(build),
		"keys":  function(keys),
	})
	select {}
}

// function makes a function for JavaScript, of one object, whose error is a value.
func function(f func(request js.Value) (map[string]any, error)) js.Func {
	return js.FuncOf(func(_ js.Value, args []js.Value) any {
		result, err := f(args[0])
		if err != nil {
			kind := ""
			if _, ok := errors.AsType[*overlapError](err); ok {
				kind = "overlap"
			}
			return map[string]any{"error": err.Error(), "kind": kind}
		}
		return result
	})
}

// reader reads a list by a function that returns at most that many bytes, none at the end.
type reader struct{ read js.Value }

func (r reader) Read(p []byte) (int, error) {
	n := js.CopyBytesToGo(p, r.read.Invoke(len(p)))
	if n == 0 {
		return 0, io.EOF
	}
	return n, nil
}

func bytesOf(b []byte) js.Value {
	array := js.Global().Get("Uint8Array").New(len(b))
	js.CopyBytesToJS(array, b)
	return array
}
