package all

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime/debug"

	"github.com/tamis-filter/tamis/filters"
)

// File is a filter that OpenFile opened. Filter is the view, of the type that its
// family's Open gives; the zero value and a closed File have none.
type File struct {
	filters.Filter
	unmap func() error
}

// OpenFile opens a filter file of any family where it lies: the file is mapped
// into memory, read-only, and not copied. (Windows, WebAssembly and what cannot
// be mapped, as a pipe, have it read.) It reads all of the file once, for the
// checksum. While it is open the file must not be changed or cut short; that
// SaveFile or a rename puts another in its place does no harm.
func OpenFile(path string) (*File, error) { return openFile(path, Open) }

// OpenFileUnverified is OpenFile but for the payload's checksum. Nothing of the
// payload is read before a query asks for it: O(1), whatever the size. Damage
// there gives wrong answers, false negatives too, and no other harm.
func OpenFileUnverified(path string) (*File, error) { return openFile(path, OpenUnverified) }

// Close gives the mapping back. No query may be under way or come later, on the
// view neither: its memory is gone. Filter becomes nil.
func (f *File) Close() error {
	unmap := f.unmap
	f.Filter, f.unmap = nil, nil
	if unmap == nil {
		return nil
	}
	return unmap()
}

func openFile(path string, open func([]byte) (filters.Filter, error)) (*File, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close() // a mapping stays
	data, unmap, err := contents(file)
	if err != nil {
		return nil, pathError(path, err)
	}
	f, err := faultless(open, data)
	if err != nil {
		if unmap != nil {
			unmap()
		}
		return nil, pathError(path, err)
	}
	return &File{f, unmap}, nil
}

// faultless opens data whose memory may go missing meanwhile: a file is cut short
// just now, or a disk fails. That is an error here, while in a query it ends the
// program.
func faultless(open func([]byte) (filters.Filter, error), data []byte) (f filters.Filter, err error) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		switch fault := recover().(type) {
		case nil:
		case interface{ Addr() uintptr }:
			f, err = nil, filters.Malformed("file", "not readable to its end", "must not change while it is opened")
		default:
			panic(fault)
		}
	}()
	return open(data)
}

// pathError names the file in an error that does not yet.
func pathError(path string, err error) error {
	if _, ok := errors.AsType[*fs.PathError](err); ok {
		return err
	}
	return &fs.PathError{Op: "open", Path: path, Err: err}
}

// contents returns the bytes of a filter file, mapped if possible. The header is
// checked before anything is mapped or more is read: a device or a huge file of
// another kind is refused at once.
func contents(file *os.File) (data []byte, unmap func() error, err error) {
	info, err := file.Stat()
	if err != nil {
		return nil, nil, err
	}
	if info.Mode().IsRegular() {
		header := make([]byte, filters.HeaderSize)
		n, err := file.ReadAt(header, 0)
		if err != nil && err != io.EOF {
			return nil, nil, err
		}
		_, size, err := filters.ReadHeader(header[:n])
		if err != nil {
			return nil, nil, err
		}
		if uint64(info.Size()) != size {
			return nil, nil, wrongLength(info.Size(), size)
		}
		if data, err := mmap(file, int(size)); err == nil {
			return data, func() error { return munmap(data) }, nil
		}
	}
	data, err = filters.ReadFrom(file)
	if err != nil {
		return nil, nil, err
	}
	if n, _ := file.Read(make([]byte, 1)); n != 0 {
		return nil, nil, wrongLength(int64(len(data))+1, uint64(len(data)))
	}
	return data, nil, nil
}

func wrongLength(is int64, want uint64) error {
	return filters.Malformed("length", fmt.Sprintf("%d bytes", is), fmt.Sprintf("the header says %d", want))
}

// SaveFile puts what f writes, a filter, into a file that appears whole or not at
// all: it is written beside the path, brought to the disk and renamed. An earlier
// file is replaced and its permissions are kept; a symbolic link is followed. On
// an error the earlier file is as it was, unless only the directory could not be
// brought to the disk: then the new file is there, but a power cut may undo it.
func SaveFile(path string, f io.WriterTo) error {
	if target, err := filepath.EvalSymlinks(path); err == nil {
		path = target
	}
	// Unlike os.CreateTemp this leaves the permissions to the umask.
	dir := filepath.Dir(path)
	temp, err := os.OpenFile(filepath.Join(dir, ".tamis-"+rand.Text()+".tmp"), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return err
	}
	err = fill(temp, f, path)
	if closeErr := temp.Close(); err == nil {
		err = closeErr
	}
	if err == nil {
		err = os.Rename(temp.Name(), path)
	}
	if err != nil {
		os.Remove(temp.Name())
		return err
	}
	return syncDir(dir)
}

// fill writes f to temp, with the permissions of the file at path, and brings it
// to the disk.
func fill(temp *os.File, f io.WriterTo, path string) error {
	if old, err := os.Stat(path); err == nil {
		if err := temp.Chmod(old.Mode().Perm()); err != nil {
			return err
		}
	}
	if _, err := f.WriteTo(temp); err != nil {
		return err
	}
	return temp.Sync()
}
