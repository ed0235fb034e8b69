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
	"github.com/tamis-filter/tamis/filters/names/lists"
)

// list is a list of a request.
type list struct {
	open   js.Value // returns what reads it, see reader
	format string   // plain, or one of package lists
}

const (
	plain    = "plain"
	batchLen = 1024    // lines whose keys are handed on at once, at most
	maxLine  = 1 << 20 // bytes
)

// eachBatch gives do the keys of the list in batches, which are good until do returns, and
// reject the lines that hold none.
func (l list) eachBatch(do func(keys [][]byte) error, reject func(line int, text string, reason error)) error {
	lines := bufio.NewReaderSize(reader{l.open.Invoke()}, maxLine)
	keys := make([][]byte, 0, batchLen)
	var text []byte // of keys
	add := func(key []byte) {
		text = append(text, key...)
		keys = append(keys, text[len(text)-len(key):])
	}
	for n := 1; ; n++ {
		line, err := lines.ReadSlice('\n')
		if errors.Is(err, bufio.ErrBufferFull) {
			return errors.New("the list has a line of more than a million bytes; give a text with one name a line")
		}
		line = bytes.TrimSuffix(bytes.TrimSuffix(line, []byte{'\n'}), []byte{'\r'})
		if l.format != plain {
			s := string(line)
			lists.Format(l.format).Line(s, func(host string) { add([]byte(host)) }, func(reason error) { reject(n, s, reason) })
		} else if len(line) > 0 {
			add(line)
		}
		if len(keys) >= batchLen || err != nil {
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

// noReject is for a list whose rejected lines were told of before.
func noReject(int, string, error) {}

// errEnough ends the reading when the receiver wants no more.
var errEnough = errors.New("no more keys wanted")

// hashes reads the list as hashes of its keys. What err points to becomes the error, if any.
func (l list) hashes(reject func(int, string, error), err *error) func(yield func([]filters.Hash) bool) {
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
		}, reject)
	}
}

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
	}, noReject)
	return map[string]any{}, err
}
