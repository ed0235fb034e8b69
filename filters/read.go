package filters

import (
	"fmt"
	"io"
)

// LoadFrom reads one filter file by ReadFrom and opens it; n is the number of bytes
// read.
func LoadFrom[F any](r io.Reader, open func(data []byte) (*F, error)) (f *F, n int64, err error) {
	data, err := ReadFrom(r)
	if err == nil {
		f, err = open(data)
	}
	return f, int64(len(data)), err
}

// firstRead is the most that is made room for before any of a payload is there.
const firstRead = 64 << 10

// ReadFrom returns the bytes of one filter file, in memory of their own with the
// payload on a cache line. It reads that file and not a byte more, and checks the
// header before it goes on. The room that it makes grows with what comes, not
// with what the header promises: it allocates at most four times the bytes read,
// and 64 KiB. On an error, data is what was read. A reader that is at its end
// gives an error that wraps io.EOF, one that ends within a file
// io.ErrUnexpectedEOF.
func ReadFrom(r io.Reader) (data []byte, err error) {
	header := make([]byte, HeaderSize)
	n, err := io.ReadFull(r, header)
	if err != nil {
		return header[:n], ended(err, n, HeaderSize)
	}
	_, size, err := ReadHeader(header)
	if err != nil {
		return header, err
	}
	data = Bytes(min(size, firstRead))
	have := uint64(copy(data, header))
	for {
		n, err := io.ReadFull(r, data[have:])
		have += uint64(n)
		if err != nil {
			return data[:have], ended(err, int(have), size)
		}
		if have == size {
			return data, nil
		}
		more := Bytes(min(size, 2*have))
		copy(more, data)
		data = more
	}
}

// ended turns the end of a reader into the error that says what is missing.
func ended(err error, have int, want uint64) error {
	switch {
	case err != io.EOF && err != io.ErrUnexpectedEOF:
		return err
	case have > 0:
		err = io.ErrUnexpectedEOF
	}
	return fmt.Errorf("%w: %w", &FieldError{ErrFormat, "length", fmt.Sprintf("%d bytes", have), fmt.Sprintf("must be %d", want)}, err)
}
