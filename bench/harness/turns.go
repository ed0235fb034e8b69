package harness

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"

	"github.com/tamis-filter/tamis/asm"
	"github.com/tamis-filter/tamis/bench/adapter"
	"github.com/tamis-filter/tamis/bench/record"
)

// The level of kernels is chosen once in the life of a process. So a sweep of
// the levels is one process a level, the first at the best one, and their
// rounds take turns: never do two of them measure at once. A line of text is
// the sign to the other.

// Turns is how a run waits for other processes.
type Turns struct {
	Level         bool // rows tell the level of kernels
	follows       bool // another process leads, and measures what has no level
	before, after func(round int) error
}

func (t Turns) hook() Turns {
	none := func(int) error { return nil }
	if t.before == nil {
		t.before = none
	}
	if t.after == nil {
		t.after = none
	}
	return t
}

// Follow makes a run one of a sweep that another process leads: it says on out
// that it is ready, waits on in for the sign to do a round, and says on out
// that it did it.
func Follow(in io.Reader, out io.Writer) Turns {
	lines := bufio.NewReader(in)
	tell := func() error { _, err := io.WriteString(out, "\n"); return err }
	return Turns{
		Level:   true,
		follows: true,
		before: func(round int) error {
			if round == 1 {
				if err := tell(); err != nil {
					return err
				}
			}
			_, err := lines.ReadString('\n')
			return err
		},
		after: func(int) error { return tell() },
	}
}

// Follower is a process that measures at another level.
type Follower struct {
	level string
	dir   string // of its results
	cmd   *exec.Cmd
	in    io.WriteCloser
	out   *bufio.Reader
}

// Lead starts a process at each level but the one in use. The command made by
// command must call Execute with Follow(os.Stdin, os.Stdout) and leave its
// results in the directory. Its environment is set here.
func Lead(ctx context.Context, work string, command func(ctx context.Context, dir string) *exec.Cmd) (Followers, error) {
	var list Followers
	for _, level := range asm.Levels() {
		if level == asm.Use() {
			continue
		}
		f := &Follower{level: level.String(), dir: filepath.Join(work, level.String())}
		if err := os.Mkdir(f.dir, 0o755); err != nil {
			return list, err
		}
		f.cmd = command(ctx, f.dir)
		f.cmd.Env = append(os.Environ(), "TAMIS_CPU="+f.level)
		f.cmd.Stderr = os.Stderr
		var err error
		if f.in, err = f.cmd.StdinPipe(); err != nil {
			return list, err
		}
		out, err := f.cmd.StdoutPipe()
		if err != nil {
			return list, err
		}
		f.out = bufio.NewReader(out)
		if err := f.cmd.Start(); err != nil {
			return list, err
		}
		list = append(list, f)
	}
	return list, nil
}

// wait waits for a sign.
func (f *Follower) wait() error {
	if _, err := f.out.ReadString('\n'); err != nil {
		return fmt.Errorf("the process at level %s ended early: %w", f.level, err)
	}
	return nil
}

// Turns returns how a run waits for the followers: they have a round after each
// of its own, and none is still preparing when it begins the first.
func (f Followers) Turns() Turns {
	return Turns{
		Level: true,
		before: func(round int) error {
			if round > 1 {
				return nil
			}
			for _, one := range f {
				if err := one.wait(); err != nil {
					return err
				}
			}
			return nil
		},
		after: func(int) error {
			for _, one := range f {
				if _, err := io.WriteString(one.in, "\n"); err != nil {
					return fmt.Errorf("the process at level %s: %w", one.level, err)
				}
				if err := one.wait(); err != nil {
					return err
				}
			}
			return nil
		},
	}
}

// Followers are the processes of one sweep.
type Followers []*Follower

// Collect waits for the followers to end, adds their rows to raw and what they
// tell of themselves to run, and removes their directories.
func (f Followers) Collect(raw io.Writer, run *record.Run) error {
	for _, one := range f {
		if err := one.cmd.Wait(); err != nil {
			return fmt.Errorf("the process at level %s: %w", one.level, err)
		}
		rows, err := os.Open(filepath.Join(one.dir, record.RawFile))
		if err != nil {
			return err
		}
		err = record.CopyRows(raw, rows)
		rows.Close()
		if err != nil {
			return err
		}
		other, err := record.ReadRun(one.dir)
		if err != nil {
			return err
		}
		if other.Level != one.level || other.Rounds != run.Rounds {
			return fmt.Errorf("the process at level %s measured at %s, %d rounds of %d", one.level, other.Level, other.Rounds, run.Rounds)
		}
		run.Sweep = append(run.Sweep, record.Sweep{Level: one.level, Contestants: other.Contestants})
		for _, w := range other.Warnings {
			run.Warnings = append(run.Warnings, "at level "+one.level+": "+w)
		}
		if err := os.RemoveAll(one.dir); err != nil {
			return err
		}
	}
	return nil
}

// Stop ends followers whose results nobody wants any more.
func (f Followers) Stop() {
	for _, one := range f {
		if one.cmd.ProcessState == nil {
			_ = one.cmd.Process.Kill()
			var exit *exec.ExitError
			if err := one.cmd.Wait(); err != nil && !errors.As(err, &exit) {
				fmt.Fprintln(os.Stderr, "the process at level", one.level+":", err)
			}
		}
	}
}

// Leveled returns the contestants whose times depend on the level.
func Leveled(list []adapter.Adapter) []adapter.Adapter {
	var some []adapter.Adapter
	for _, a := range list {
		if a.Levels {
			some = append(some, a)
		}
	}
	return some
}
