//go:build unix

package main

import (
	"bytes"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// A build that is killed at any moment leaves the old file as it was or the new
// one whole. Half of the moments lie anywhere, half just after the new file has
// begun to appear.
func TestKilledBuild(t *testing.T) {
	kills := 50
	if testing.Short() {
		kills = 6
	}
	dir := t.TempDir()
	list := write(t, dir, "list", lines("key", 300_000))
	out := filepath.Join(dir, "out")
	command := func() *exec.Cmd {
		cmd := exec.Command(os.Args[0], "build", "--family", "blocked", "--bits-per-key", "200", list, "-o", out)
		cmd.Env = append(os.Environ(), asCommand+"=1")
		return cmd
	}
	start := time.Now()
	if err := command().Run(); err != nil {
		t.Fatal(err)
	}
	whole := time.Since(start)
	want, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	old := []byte("what was there before")
	random := rand.New(rand.NewPCG(1, uint64(time.Now().UnixNano())))
	kept, replaced := 0, 0
	for i := range kills {
		if err := os.WriteFile(out, old, 0o644); err != nil {
			t.Fatal(err)
		}
		cmd := command()
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		if i%2 == 0 {
			time.Sleep(time.Duration(random.Int64N(int64(whole + whole/4))))
		} else {
			// The first one that appears only tries whether one can be written.
			for end := time.Now().Add(10 * whole); time.Now().Before(end) && !writing(dir); {
				time.Sleep(50 * time.Microsecond)
			}
			time.Sleep(time.Duration(random.Int64N(int64(whole / 8))))
		}
		cmd.Process.Kill()
		cmd.Wait()
		got, err := os.ReadFile(out)
		switch {
		case err == nil && bytes.Equal(got, old):
			kept++
		case err == nil && bytes.Equal(got, want):
			replaced++
		default:
			t.Fatalf("kill %d: the file is neither the old one nor the new one: %d bytes, %v", i, len(got), err)
		}
		temps, _ := filepath.Glob(filepath.Join(dir, ".tamis-*.tmp"))
		for _, temp := range temps {
			os.Remove(temp)
		}
	}
	t.Logf("%d kills, a build takes %v: %d times the old file is intact, %d times the new one is complete", kills, whole, kept, replaced)
}

// writing reports whether a new file is under way in dir and has bytes.
func writing(dir string) bool {
	entries, _ := os.ReadDir(dir)
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), ".tamis-") {
			if info, err := e.Info(); err == nil && info.Size() > 0 {
				return true
			}
		}
	}
	return false
}
