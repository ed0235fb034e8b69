package ribbon

import (
	"io"

	"github.com/tamis-filter/tamis/filters"
)

// MarshalBinary implements encoding.BinaryMarshaler.
func (f *Filter) MarshalBinary() ([]byte, error) { return f.AppendBinary(nil) }

// UnmarshalBinary implements encoding.BinaryUnmarshaler: f becomes the filter of a
// file, with a copy of its bytes. On an error it is as it was.
func (f *Filter) UnmarshalBinary(data []byte) error {
	g, err := Open(data)
	if err != nil {
		return err
	}
	g, err = view(g.file.Clone(), nil)
	if err != nil {
		return err
	}
	*f = *g
	return nil
}

// ReadFrom is UnmarshalBinary of the file that comes next from r. It reads no
// byte beyond that, so files may follow one another. At the end of r the error
// wraps io.EOF.
func (f *Filter) ReadFrom(r io.Reader) (int64, error) {
	data, err := filters.ReadFrom(r)
	if err != nil {
		return int64(len(data)), err
	}
	g, err := Open(data)
	if err != nil {
		return int64(len(data)), err
	}
	*f = *g
	return int64(len(data)), nil
}
