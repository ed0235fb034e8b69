package main

import (
	"context"
	"crypto/rand"
	"errors"
	"io"
	"io/fs"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"
)

var errInterrupted = errors.New("interrupted; nothing was written")

// output is a file that appears whole or not at all: it is written beside its
// name and then renamed.
type output struct {
	name string      // as the user gave it, for messages
	path string      // where it goes: name, with symbolic links resolved
	mode fs.FileMode // permissions of the file it replaces; 0 when there is none
}

// newOutput refuses what could not be written, by trying it, so that nobody
// waits for a build in vain.
func newOutput(name string) (output, error) {
	o := output{name: name, path: name}
	if path, err := filepath.EvalSymlinks(name); err == nil {
		o.path = path
	}
	if info, err := os.Stat(o.path); err == nil {
		if !info.Mode().IsRegular() {
			return o, badFlag("--output", name, "must be a regular file; use '-o -' for the standard output")
		}
		o.mode = info.Mode().Perm()
	}
	err := uninterrupted(func(ctx context.Context) error {
		temp, err := o.create()
		if err != nil {
			return err
		}
		discard(temp)
		return stopped(ctx)
	})
	return o, o.wrap(err)
}

// write puts what src writes at the output's name. On any error, and when the
// process is asked to end meanwhile, the temporary file is gone and an earlier
// file is as it was.
func (o output) write(src io.WriterTo) (size int64, err error) {
	err = uninterrupted(func(ctx context.Context) error {
		temp, err := o.create()
		if err != nil {
			return err
		}
		size, err = fill(ctx, temp, src, o.mode)
		if err == nil {
			err = temp.Close()
		}
		if err == nil {
			err = os.Rename(temp.Name(), o.path)
		}
		if err != nil {
			discard(temp)
		}
		return err
	})
	return size, o.wrap(err)
}

func (o output) wrap(err error) error {
	if err == nil || errors.Is(err, errInterrupted) {
		return err
	}
	var link *os.LinkError
	if errors.As(err, &link) {
		err = link.Err
	}
	return fileError("write", o.name, err)
}

// create opens a new file beside the output. Unlike os.CreateTemp it leaves
// the permissions to the umask.
func (o output) create() (*os.File, error) {
	name := filepath.Join(filepath.Dir(o.path), ".tamis-"+rand.Text()+".tmp")
	return os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
}

func discard(temp *os.File) {
	temp.Close()
	os.Remove(temp.Name())
}

// fill writes src to temp and has it on the disk.
func fill(ctx context.Context, temp *os.File, src io.WriterTo, mode fs.FileMode) (int64, error) {
	if mode != 0 {
		if err := temp.Chmod(mode); err != nil {
			return 0, err
		}
	}
	size, err := src.WriteTo(stoppable{ctx, temp})
	if err != nil {
		return 0, err
	}
	if err := temp.Sync(); err != nil {
		return 0, err
	}
	return size, stopped(ctx)
}

// uninterrupted calls do while a signal to end the process only cancels do's
// context. Outside of it signals end the process at once, which leaves nothing
// behind.
func uninterrupted(do func(context.Context) error) error {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	return do(ctx)
}

func stopped(ctx context.Context) error {
	if ctx.Err() != nil {
		return errInterrupted
	}
	return nil
}

// stoppable writes in pieces until its context is done.
type stoppable struct {
	ctx context.Context
	w   io.Writer
}

func (s stoppable) Write(p []byte) (int, error) {
	const piece = 1 << 20
	done := 0
	for {
		if err := stopped(s.ctx); err != nil {
			return done, err
		}
		n, err := s.w.Write(p[done:min(done+piece, len(p))])
		done += n
		if err != nil || done == len(p) {
			return done, err
		}
	}
}
