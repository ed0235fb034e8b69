// Command measure runs the benchmark and keeps its results: raw.txt and
// run.json in a new directory below reports, whose name it prints. Command
// render makes the report of them.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"

	"github.com/tamis-filter/tamis/bench/adapter"
	"github.com/tamis-filter/tamis/bench/harness"
	"github.com/tamis-filter/tamis/bench/record"
)

func main() {
	profile := flag.String("profile", "quick", "how much to measure: "+strings.Join(harness.ProfileNames(), ", "))
	reports := flag.String("reports", "../reports", "`directory` in which to make the run's own")
	only := flag.String("only", "", "measure these contestants alone: `names` with commas between")
	sweep := flag.Bool("sweep", false, "measure the tamis families at each level of kernels, in processes whose rounds take turns")
	follow := flag.String("follow", "", "for the processes that -sweep starts: leave results in this `directory`, and do a round for each line of standard input")
	flag.Usage = func() {
		fmt.Fprintf(flag.CommandLine.Output(), "usage: go run ./cmd/measure [flags]\n\nMeasures filters and prints the directory of the results.\n\n")
		flag.PrintDefaults()
		fmt.Fprintf(flag.CommandLine.Output(), "\nexamples:\n  go run ./cmd/measure -profile quick -only blocked,parquet,line\n  go run ./cmd/measure -profile kernels -sweep\n")
	}
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	context.AfterFunc(ctx, stop) // a second interrupt ends the program at once
	if *follow != "" {
		if err := followIn(ctx, *follow, *profile, *only); err != nil {
			fmt.Fprintln(os.Stderr, "measure:", err)
			os.Exit(1)
		}
		return
	}
	dir, err := measure(ctx, *profile, *reports, *only, *sweep)
	if err != nil {
		fmt.Fprintln(os.Stderr, "measure:", err)
		os.Exit(1)
	}
	fmt.Println(dir)
}

// measure does a run in a directory beside its final place, and moves it there
// when it is whole.
func measure(ctx context.Context, profileName, reports, only string, sweep bool) (dir string, err error) {
	profile, err := harness.FindProfile(profileName)
	if err != nil {
		return "", err
	}
	contestants, err := choose(profile, only)
	if err != nil {
		return "", err
	}
	if err := os.MkdirAll(reports, 0o755); err != nil {
		return "", err
	}
	work, err := os.MkdirTemp(reports, ".run-")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(work)
	if err := os.Chmod(work, 0o755); err != nil {
		return "", err
	}
	raw, err := os.Create(filepath.Join(work, record.RawFile))
	if err != nil {
		return "", err
	}
	run, err := execute(ctx, profile, contestants, raw, work, only, sweep)
	if closeErr := raw.Close(); err == nil {
		err = closeErr
	}
	if err != nil {
		return "", err
	}
	if err := record.WriteRun(work, run); err != nil {
		return "", err
	}
	return harness.Keep(work, reports, run)
}

// execute does a run, alone or with a process at each other level.
func execute(ctx context.Context, profile harness.Profile, contestants []adapter.Adapter, raw io.Writer, work, only string, sweep bool) (record.Run, error) {
	progress := harness.NewProgress(os.Stderr)
	if !sweep {
		return harness.Execute(ctx, profile, contestants, raw, progress, harness.Turns{})
	}
	if profile.Budget > 0 {
		return record.Run{}, fmt.Errorf("profile %s has a budget of time, which the processes of a sweep would spend differently", profile.Name)
	}
	program, err := os.Executable()
	if err != nil {
		return record.Run{}, err
	}
	followers, err := harness.Lead(ctx, work, func(ctx context.Context, dir string) *exec.Cmd {
		return exec.CommandContext(ctx, program, "-profile", profile.Name, "-only", only, "-follow", dir)
	})
	defer followers.Stop()
	if err != nil {
		return record.Run{}, err
	}
	run, err := harness.Execute(ctx, profile, contestants, raw, progress, followers.Turns())
	if err != nil {
		return run, err
	}
	return run, followers.Collect(raw, &run)
}

// followIn does a run that another process leads, and leaves its results in
// dir.
func followIn(ctx context.Context, dir, profileName, only string) error {
	profile, err := harness.FindProfile(profileName)
	if err != nil {
		return err
	}
	contestants, err := choose(profile, only)
	if err != nil {
		return err
	}
	raw, err := os.Create(filepath.Join(dir, record.RawFile))
	if err != nil {
		return err
	}
	run, err := harness.Execute(ctx, profile, harness.Leveled(contestants), raw, harness.NewProgress(io.Discard), harness.Follow(os.Stdin, os.Stdout))
	if closeErr := raw.Close(); err == nil {
		err = closeErr
	}
	if err != nil {
		return err
	}
	return record.WriteRun(dir, run)
}

// choose returns the contestants of a list of names, or all of the profile.
func choose(profile harness.Profile, only string) ([]adapter.Adapter, error) {
	if only == "" {
		return profile.Contestants(), nil
	}
	list := append(adapter.All(), adapter.Rivals()...)
	var chosen []adapter.Adapter
	for name := range strings.SplitSeq(only, ",") {
		i := slices.IndexFunc(list, func(a adapter.Adapter) bool { return a.Name == name })
		if i < 0 {
			return nil, fmt.Errorf("there is no contestant %q", name)
		}
		chosen = append(chosen, list[i])
	}
	return chosen, nil
}
