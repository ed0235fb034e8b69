//go:build unix

package main

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// A pipe is read once, and the error for a key on both lists does not wait for it to
// give more.
func TestExcludeFromPipe(t *testing.T) {
	dir := t.TempDir()
	list, pipe := write(t, dir, "list", "a\nb\n"), filepath.Join(dir, "pipe")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Skip(err)
	}
	go os.WriteFile(pipe, []byte("c\nb\n"), 0)
	tamis("", "build", list, "--family", "exact", "--exclude", pipe, "-o", filepath.Join(dir, "x")).fails(t, "1 keys are both in the set and excluded")
}
