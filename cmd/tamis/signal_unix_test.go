//go:build unix

package main

import (
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
	"time"
)

// interrupting writes half a filter, has the process asked to end, and goes on
// writing until that has come through.
type interrupting struct{}

func (interrupting) WriteTo(w io.Writer) (int64, error) {
	if err := syscall.Kill(os.Getpid(), syscall.SIGTERM); err != nil {
		return 0, err
	}
	for end := time.Now().Add(5 * time.Second); time.Now().Before(end); {
		if _, err := io.WriteString(w, "half a filter"); err != nil {
			return 0, err
		}
		time.Sleep(time.Millisecond)
	}
	return 0, errors.New("the signal did not come through")
}

func TestInterruptedWriteLeavesTheOldFile(t *testing.T) {
	dir := t.TempDir()
	const old = "what was there before"
	path := write(t, dir, "out", old)
	o, err := newOutput(path)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := o.write(interrupting{}); err != errInterrupted {
		t.Errorf("error is %v", err)
	}
	if b, err := os.ReadFile(path); err != nil || string(b) != old {
		t.Errorf("the old file is now %q, %v", b, err)
	}
	holds(t, dir, "out")
}

func TestInterruptedBuildLeavesNothing(t *testing.T) {
	for _, signal := range []os.Signal{os.Interrupt, syscall.SIGTERM, os.Kill} {
		dir := t.TempDir()
		cmd := exec.Command(os.Args[0], "build", "-o", filepath.Join(dir, "out"))
		cmd.Env = append(os.Environ(), asCommand+"=1")
		stdin, err := cmd.StdinPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		// More than a pipe holds: when it is written, build is reading.
		if _, err := io.WriteString(stdin, lines("key", 100_000)); err != nil {
			t.Fatal(err)
		}
		if err := cmd.Process.Signal(signal); err != nil {
			t.Fatal(err)
		}
		if err := cmd.Wait(); err == nil {
			t.Errorf("%v: exit 0", signal)
		}
		holds(t, dir)
	}
}

func TestOutputKeepsPermissionsAndLinks(t *testing.T) {
	dir := t.TempDir()
	target := write(t, dir, "target", "old")
	if err := os.Chmod(target, 0o640); err != nil {
		t.Fatal(err)
	}
	link := filepath.Join(dir, "link")
	if err := os.Symlink("target", link); err != nil {
		t.Fatal(err)
	}
	tamis("a\n", "build", "-o", link).must(t)
	tamis("", "check", target, "a").must(t)
	if info, err := os.Lstat(link); err != nil || info.Mode()&os.ModeSymlink == 0 {
		t.Errorf("the link is now %v, %v", info.Mode(), err)
	}
	if info, err := os.Stat(target); err != nil || info.Mode().Perm() != 0o640 {
		t.Errorf("permissions are now %v, %v", info.Mode(), err)
	}
	holds(t, dir, "link", "target")

	pipe := filepath.Join(dir, "pipe")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	tamis("a\n", "build", "-o", pipe).fails(t, "--output is "+pipe, "regular file", "-o -")
}
