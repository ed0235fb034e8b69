package main

import (
	"bytes"
	"fmt"
	"io"
)

const (
	chunkLen = 256 << 10 // bytes asked of an input at once
	batchLen = 1024      // keys handed on at once, at most
)

// maxLine bounds the length of a key, so that an input without line ends is an
// error before it takes all memory. Tests lower it.
var maxLine = 1 << 30

// eachBatch reads keys, one a line that ends in \n or \r\n or with the input,
// and hands them to do in batches. It never reads while it holds a complete
// line, so whoever writes one key and waits for its answer gets it. Keys are
// parts of a buffer that the next batch overwrites. Memory is bounded by the
// longest line. name is r's, for messages.
func eachBatch(r io.Reader, name string, do func(keys [][]byte) error) error {
	buf := make([]byte, chunkLen)
	keys := make([][]byte, 0, batchLen)
	fill := 0 // buf[:fill] is what is read and not yet handed on
	for {
		n, readErr := r.Read(buf[fill:])
		start, seen := 0, fill // of the current line; where to look on for its end
		fill += n
		for {
			i := bytes.IndexByte(buf[seen:fill], '\n')
			if i < 0 {
				break
			}
			keys = append(keys, bytes.TrimSuffix(buf[start:seen+i], []byte{'\r'}))
			seen += i + 1
			start = seen
			if len(keys) == batchLen {
				if err := do(keys); err != nil {
					return err
				}
				keys = keys[:0]
			}
		}
		if readErr == io.EOF && start < fill {
			keys = append(keys, bytes.TrimSuffix(buf[start:fill], []byte{'\r'}))
		}
		if len(keys) > 0 {
			if err := do(keys); err != nil {
				return err
			}
			keys = keys[:0]
		}
		if readErr == io.EOF {
			return nil
		}
		if readErr != nil {
			return fileError("read", name, readErr)
		}
		fill = copy(buf, buf[start:fill])
		if fill > maxLine {
			return fmt.Errorf("%s holds a line of more than %d bytes, the most that a key may have; give a list of keys, one a line", name, maxLine)
		}
		if fill == len(buf) {
			buf = append(buf, make([]byte, len(buf))...)
		}
	}
}
