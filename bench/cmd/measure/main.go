// Command measure runs the benchmark and keeps its results: raw.txt and
// run.json in a new directory below reports, whose name it prints. Command
// render makes the report of them.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
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
	flag.Usage = func() {
		fmt.Fprintf(flag.CommandLine.Output(), "usage: go run ./cmd/measure [flags]\n\nMeasures filters and prints the directory of the results.\n\n")
		flag.PrintDefaults()
		fmt.Fprintf(flag.CommandLine.Output(), "\nexample: go run ./cmd/measure -profile quick -only blocked,line\n")
	}
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	context.AfterFunc(ctx, stop) // a second interrupt ends the program at once
	dir, err := measure(ctx, *profile, *reports, *only)
	if err != nil {
		fmt.Fprintln(os.Stderr, "measure:", err)
		os.Exit(1)
	}
	fmt.Println(dir)
}

// measure does a run in a directory beside its final place, and moves it there
// when it is whole.
func measure(ctx context.Context, profileName, reports, only string) (dir string, err error) {
	profile, err := harness.FindProfile(profileName)
	if err != nil {
		return "", err
	}
	contestants, err := choose(only)
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
	run, err := harness.Execute(ctx, profile, contestants, raw, harness.NewProgress(os.Stderr))
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

// choose returns the contestants of a list of names, or all of them.
func choose(only string) ([]adapter.Adapter, error) {
	list := adapter.All()
	if only == "" {
		return list, nil
	}
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
