package main

import (
	"bufio"
	"errors"
	"io"
	"math"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"testing/iotest"
	"time"
)

func TestCheckAnswersInOrder(t *testing.T) {
	forFamilies(t, func(t *testing.T, family string) {
		path := built(t, family, "a\nb\n", "--fpr", "1e-4")
		for _, test := range []struct {
			name, stdin string
			args        []string
			want        string
			code        int
		}{
			{"arguments", "", []string{"b", "x", "a"}, "maybe\tb\nno\tx\nmaybe\ta\n", exitOK},
			{"arguments, not input", "a\n", []string{"x"}, "no\tx\n", exitNone},
			{"lines", "b\nx\na\n", nil, "maybe\tb\nno\tx\nmaybe\ta\n", exitOK},
			{"windows lines", "b\r\nx\r\n", nil, "maybe\tb\nno\tx\n", exitOK},
			{"no end of line", "x\nb", nil, "no\tx\nmaybe\tb\n", exitOK},
			{"none", "x\ny\n", nil, "no\tx\nno\ty\n", exitNone},
			{"no input", "", nil, "", exitNone},
			{"empty line", "a\n\nb\n", nil, "maybe\ta\nno\t\nmaybe\tb\n", exitOK},
			{"empty argument", "", []string{""}, "no\t\n", exitNone},
			{"dashes", "", []string{"-h", "--help", "-"}, "no\t-h\nno\t--help\nno\t-\n", exitNone},
			{"after two dashes", "", []string{"--", "-h"}, "no\t-h\n", exitNone},
			{"two dashes", "", []string{"--"}, "no\t--\n", exitNone},
		} {
			r := tamis(test.stdin, append([]string{"check", path}, test.args...)...)
			if r.code != test.code || r.stdout != test.want || r.stderr != "" {
				t.Errorf("%s: exit %d, %q, %q; want exit %d, %q", test.name, r.code, r.stdout, r.stderr, test.code, test.want)
			}
		}
	})
}

// A program that asks one key at a time gets each answer before it asks on.
func TestCheckAnswersAtOnce(t *testing.T) {
	path := built(t, "standard", "a\nb\n", "--fpr", "1e-6")
	question, stdin := io.Pipe()
	stdout, answer := io.Pipe()
	exit := make(chan int)
	go func() {
		code := run([]string{"check", path}, question, answer, io.Discard)
		answer.Close()
		exit <- code
	}()
	deadline := time.AfterFunc(8*time.Second, func() {
		stdin.CloseWithError(errors.New("no answer"))
	})
	defer deadline.Stop()
	answers := bufio.NewReader(stdout)
	for _, test := range []struct{ ask, want string }{
		{"a\n", "maybe\ta\n"},
		{"x\n", "no\tx\n"},
		{"\n", "no\t\n"},
		{"b\ny\nhalf a", "maybe\tb\nno\ty\n"},
		{" line\n", "no\thalf a line\n"},
		{"b", ""}, // answered when the input ends
	} {
		if _, err := io.WriteString(stdin, test.ask); err != nil {
			t.Fatal(err)
		}
		got := make([]byte, len(test.want))
		if _, err := io.ReadFull(answers, got); err != nil || string(got) != test.want {
			t.Fatalf("asked %q: answer %q, %v; want %q", test.ask, got, err, test.want)
		}
	}
	stdin.Close()
	if rest, _ := io.ReadAll(answers); string(rest) != "maybe\tb\n" {
		t.Errorf("last answer is %q", rest)
	}
	if code := <-exit; code != exitOK {
		t.Errorf("exit %d", code)
	}
}

// endless gives n lines without holding them.
type endless struct{ n, line int }

func (e *endless) Read(p []byte) (int, error) {
	text := p[:0]
	for len(text)+20 < len(p) && e.line < e.n {
		text = append(strconv.AppendInt(text, int64(e.line), 10), '\n')
		e.line++
	}
	if len(text) == 0 {
		return 0, io.EOF
	}
	return len(text), nil
}

func TestCheckStreams(t *testing.T) {
	const n = 1 << 18
	path := built(t, "standard", "a\n")
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	code := run([]string{"check", path}, &endless{n: n}, io.Discard, io.Discard)
	runtime.ReadMemStats(&after)
	if code == exitError {
		t.Fatal("check failed")
	}
	if used := after.TotalAlloc - before.TotalAlloc; used > 4<<20 {
		t.Errorf("%d bytes allocated for %d keys", used, n)
	}
}

func TestCheckStopsWhenNobodyReads(t *testing.T) {
	path := built(t, "standard", "a\n")
	for _, gone := range []error{syscall.EPIPE, io.ErrClosedPipe} {
		var stderr strings.Builder
		code := run([]string{"check", path}, &endless{n: math.MaxInt}, failing{gone}, &stderr)
		if code != exitError || stderr.String() != "" {
			t.Errorf("%v: exit %d, %q", gone, code, stderr.String())
		}
	}
	var stderr strings.Builder
	code := run([]string{"check", path, "a"}, strings.NewReader(""), failing{syscall.ENOSPC}, &stderr)
	result{code, "", stderr.String()}.fails(t, "cannot write the standard output", "make room")
}

type failing struct{ err error }

func (w failing) Write([]byte) (int, error) { return 0, w.err }

func TestCheckTellsOfAReadError(t *testing.T) {
	path := built(t, "standard", "a\n")
	r := tamisFrom(io.MultiReader(strings.NewReader("a\nx"), iotest.ErrReader(errors.New("the disk died"))), "check", path)
	r.fails(t, "cannot read the standard input", "the disk died")
	if r.stdout != "maybe\ta\n" {
		t.Errorf("answers before the error are %q", r.stdout)
	}
}
