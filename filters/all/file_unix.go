//go:build unix

package all

import (
	"errors"
	"io/fs"
	"os"

	"golang.org/x/sys/unix"
)

func mmap(file *os.File, size int) ([]byte, error) {
	return unix.Mmap(int(file.Fd()), 0, size, unix.PROT_READ, unix.MAP_SHARED)
}

func munmap(data []byte) error { return unix.Munmap(data) }

// syncDir brings the names in a directory to the disk, where the file system
// knows how and the directory may be read.
func syncDir(dir string) error {
	d, err := os.Open(dir)
	if errors.Is(err, fs.ErrPermission) {
		return nil
	}
	if err != nil {
		return err
	}
	defer d.Close()
	if err := d.Sync(); err != nil && !errors.Is(err, unix.EINVAL) && !errors.Is(err, unix.ENOTSUP) {
		return err
	}
	return nil
}
