package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/tamis-filter/tamis/filters"
	"github.com/tamis-filter/tamis/filters/all"
)

// openFilter reads a filter file of any family and returns it with its length.
func openFilter(name string) (filters.Filter, int64, error) {
	data, err := readFilter(name)
	if err != nil {
		var field *filters.FieldError
		if errors.As(err, &field) {
			return nil, 0, notAFilter(name, err)
		}
		return nil, 0, fileError("read", name, err)
	}
	f, err := all.Open(data)
	if err != nil {
		return nil, 0, notAFilter(name, err)
	}
	return f, int64(len(data)), nil
}

func notAFilter(name string, err error) error {
	next := "; give a file that 'tamis build' wrote"
	if errors.Is(err, filters.ErrChecksum) {
		next = ""
	}
	return fmt.Errorf("%s: %s%s", name, message(err), next)
}

// readFilter returns the bytes of a filter file, of which the header is
// checked before more is read, and no more than it promises: a device or a huge
// file of another kind is refused at once.
func readFilter(name string) ([]byte, error) {
	file, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	header := make([]byte, filters.HeaderSize)
	n, err := io.ReadFull(file, header)
	if err != nil && err != io.EOF && err != io.ErrUnexpectedEOF {
		return nil, err
	}
	_, size, err := filters.ReadHeader(header[:n])
	if err != nil {
		return nil, err
	}
	var data bytes.Buffer
	if info, err := file.Stat(); err == nil && info.Mode().IsRegular() {
		data.Grow(int(min(int64(size), info.Size())) + bytes.MinRead) // the room that ReadFrom wants at the end
	}
	data.Write(header)
	// One byte more than the header promises tells that there is too much.
	if _, err := data.ReadFrom(io.LimitReader(file, int64(size)-filters.HeaderSize+1)); err != nil {
		return nil, err
	}
	return data.Bytes(), nil
}
