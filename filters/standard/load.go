package standard

import (
	"io"

	"github.com/tamis-filter/tamis/filters"
)

// MarshalBinary implements encoding.BinaryMarshaler.
func (f *Filter) MarshalBinary() ([]byte, error) { return f.AppendBinary(nil) }

// UnmarshalBinary implements encoding.BinaryUnmarshaler: f becomes the filter of a
// file, with a copy of its bytes, and can be changed. On an error it is as it was.
func (f *Filter) UnmarshalBinary(data []byte) error {
	g, err := Open(data)
	if err != nil {
		return err
	}
	*f = *g.Clone()
	return nil
}

// ReadFrom is UnmarshalBinary of the file that comes next from r. It reads no
// byte beyond that, so files may follow one another. At the end of r the error
// wraps io.EOF.
func (f *Filter) ReadFrom(r io.Reader) (int64, error) {
	g, n, err := filters.LoadFrom(r, Open)
	if err == nil {
		*f = *g
		f.readOnly = false
	}
	return n, err
}
