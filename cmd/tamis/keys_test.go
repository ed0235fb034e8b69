package main

import (
	"bytes"
	"io"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
)

func collect(r io.Reader) (keys []string, err error) {
	err = eachBatch(r, "list", func(batch [][]byte) error {
		if len(batch) > batchLen {
			panic("a batch is too long")
		}
		for _, key := range batch {
			keys = append(keys, string(key))
		}
		return nil
	})
	return keys, err
}

func TestEachBatchSplitsLines(t *testing.T) {
	long := strings.Repeat("0123456789", 3*chunkLen/10)
	for _, input := range []string{
		"", "a", "\n", "\r\n", "a\n", "a\r\n", "a\r\nb\n\nc\r", "\r", "a\rb\n",
		lines("key", 3*batchLen+1), lines("key", batchLen), long, long + "\n" + long + "\r\na",
	} {
		want := strings.Split(input, "\n")
		if want[len(want)-1] == "" {
			want = want[:len(want)-1]
		}
		for i := range want {
			want[i] = strings.TrimSuffix(want[i], "\r")
		}
		readers := []func(io.Reader) io.Reader{
			func(r io.Reader) io.Reader { return r },
			iotest.HalfReader,
			iotest.DataErrReader,
		}
		if len(input) < 100_000 {
			readers = append(readers, iotest.OneByteReader)
		}
		for i, reader := range readers {
			got, err := collect(reader(strings.NewReader(input)))
			if err != nil || !slices.Equal(got, want) {
				t.Errorf("reader %d, input %.20q: %d keys, %v; want %d", i, input, len(got), err, len(want))
			}
		}
	}
}

func TestEachBatchBoundsALine(t *testing.T) {
	defer func(old int) { maxLine = old }(maxLine)
	maxLine = 1 << 20
	if keys, err := collect(bytes.NewReader(bytes.Repeat([]byte{'x'}, maxLine))); err != nil || len(keys) != 1 {
		t.Errorf("the longest line gives %d keys, %v", len(keys), err)
	}
	tamisFrom(zeros{}, "build", "-o", "-").fails(t, "the standard input", "1048576 bytes", "one a line")
}

type zeros struct{}

func (zeros) Read(p []byte) (int, error) {
	clear(p)
	return len(p), nil
}
