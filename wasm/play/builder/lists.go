//go:build js && wasm

package main

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"syscall/js"

	"github.com/tamis-filter/tamis/filters"
)

// list is a list of a request.
type list struct {
	open   js.Value // returns what reads it, see reader
	format string
}

const (
	batchLen = 1024    // keys handed on at once, at most
	maxLine  = 1 << 20 // bytes
)

// eachBatch gives do the keys of the list in batches, which are good until do returns.
func (l list) eachBatch(do func(keys [][]byte) error) error {
	lines := bufio.NewReaderSize(reader{l.open.Invoke()}, maxLine)
	keys := make([][]byte, 0, batchLen)
	var text []byte // of keys
	for {
		line, err := lines.ReadSlice('\n')
		if errors.Is(err, bufio.ErrBufferFull) {
			return errors.New("the list has a line of more than a million bytes; give a text with one name a line")
		}
		if key := bytes.TrimSuffix(bytes.TrimSuffix(line, []byte{'\n'}), []byte{'\r'}); len(key) > 0 {
			text = append(text, key...)
			keys = append(keys, text[len(text)-len(key):])
		}
		if len(keys) == batchLen || err != nil {
			if err := do(keys); err != nil {
				return err
			}
			keys, text = keys[:0], text[:0]
		}
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

// hashes reads the list as hashes of its keys. What err points to becomes the error, if any.
func (l list) hashes(err *error) func(yield func([]filters.Hash) bool) {
	return func(yield func([]filters.Hash) bool) {
		hashes := make([]filters.Hash, 0, batchLen)
		*err = l.eachBatch(func(keys [][]byte) error {
			hashes = hashes[:0]
			for _, key := range keys {
				hashes = append(hashes, filters.Hasher{}.Bytes(key))
			}
			if !yield(hashes) {
				return errEnough
			}
			return nil
		})
	}
}

// errEnough ends the reading when the receiver wants no more.
var errEnough = errors.New("no more keys wanted")

// keys gives the worker the keys of a list.
func keys(request js.Value) (map[string]any, error) {
	l := list{request.Get("list"), request.Get("format").String()}
	take := request.Get("take")
	drop := request.Get("drop").Truthy()
	var lengths, text []byte
	err := l.eachBatch(func(keys [][]byte) error {
		lengths, text = lengths[:0], text[:0]
		for _, key := range keys {
			if drop && contains(dropped, filters.Hasher{}.Bytes(key)) {
				continue
			}
			lengths = binary.LittleEndian.AppendUint32(lengths, uint32(len(key)))
			text = append(text, key...)
		}
		take.Invoke(len(lengths)/4, bytesOf(append(lengths, text...)))
		return nil
	})
	return map[string]any{}, err
}
