package main

import (
	"errors"
	"io"
	"os"
	"testing"
)

// half writes something and then fails.
type half struct{ err error }

func (h half) WriteTo(w io.Writer) (int64, error) {
	n, err := io.WriteString(w, "half a filter")
	return int64(n), errors.Join(err, h.err)
}

func TestFailedWriteLeavesTheOldFile(t *testing.T) {
	dir := t.TempDir()
	const old = "what was there before"
	path := write(t, dir, "out", old)
	o, err := newOutput(path)
	if err != nil {
		t.Fatal(err)
	}
	dead := errors.New("the disk died")
	if _, err := o.write(half{dead}); !errors.Is(err, dead) {
		t.Errorf("error is %v", err)
	}
	if b, err := os.ReadFile(path); err != nil || string(b) != old {
		t.Errorf("the old file is now %q, %v", b, err)
	}
	holds(t, dir, "out")

	if n, err := o.write(half{}); err != nil || n != int64(len("half a filter")) {
		t.Errorf("%d bytes written, %v", n, err)
	}
	if b, err := os.ReadFile(path); err != nil || string(b) != "half a filter" {
		t.Errorf("the new file is %q, %v", b, err)
	}
	holds(t, dir, "out")
}
