package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestBarShowsOnATerminalOnly(t *testing.T) {
	if file, err := os.Create(filepath.Join(t.TempDir(), "log")); err != nil {
		t.Fatal(err)
	} else {
		defer file.Close()
		if isTerminal(file) || isTerminal(&strings.Builder{}) {
			t.Error("a file passes for a terminal")
		}
	}
	for _, visible := range []bool{false, true} {
		var out strings.Builder
		bar := newBar(&out, visible, "reading", 1000)
		for range 1000 {
			bar.Add(1)
		}
		bar.Clear()
		if shown := strings.Contains(out.String(), "reading"); shown != visible {
			t.Errorf("visible is %v, output is %q", visible, out.String())
		}
		if visible && !strings.HasSuffix(out.String(), " \r") {
			t.Errorf("the bar stays: %q", out.String())
		}
	}
}
