package main

import (
	"context"
	"errors"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"

	"github.com/tamis-filter/tamis/filters/all"
)

var errInterrupted = errors.New("interrupted; nothing was written")

// output is a file that appears whole or not at all.
type output struct {
	name string // as the user gave it, for messages
}

// newOutput refuses what could not be written, by trying it, so that nobody
// waits for a build in vain.
func newOutput(name string) (output, error) {
	o := output{name}
	path := name
	if target, err := filepath.EvalSymlinks(name); err == nil {
		path = target
	}
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
		return o, badFlag("--output", name, "must be a regular file; use '-o -' for the standard output")
	}
	err := uninterrupted(func(ctx context.Context) error {
		temp, err := os.CreateTemp(filepath.Dir(path), ".tamis-*.tmp")
		if err != nil {
			return err
		}
		temp.Close()
		os.Remove(temp.Name())
		return stopped(ctx)
	})
	return o, o.wrap(err)
}

// write puts what src writes at the output's name. On any error, and when the
// process is asked to end meanwhile, an earlier file is as it was.
func (o output) write(src io.WriterTo) (size int64, err error) {
	err = uninterrupted(func(ctx context.Context) error {
		f := &stoppable{ctx: ctx, src: src}
		err := all.SaveFile(o.name, f)
		size = f.size
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

// stoppable writes src in pieces until its context is done.
type stoppable struct {
	ctx  context.Context
	src  io.WriterTo
	dst  io.Writer
	size int64
}

func (s *stoppable) WriteTo(w io.Writer) (n int64, err error) {
	s.dst = w
	if s.size, err = s.src.WriteTo(s); err == nil {
		err = stopped(s.ctx)
	}
	return s.size, err
}

func (s *stoppable) Write(p []byte) (int, error) {
	const piece = 1 << 20
	done := 0
	for {
		if err := stopped(s.ctx); err != nil {
			return done, err
		}
		n, err := s.dst.Write(p[done:min(done+piece, len(p))])
		done += n
		if err != nil || done == len(p) {
			return done, err
		}
	}
}
