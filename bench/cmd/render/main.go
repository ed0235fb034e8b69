// Command render makes reports of runs: tables and charts, from raw.txt and
// run.json alone. It never measures, and the same input gives the same bytes.
package main

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/tamis-filter/tamis/bench/record"
	"github.com/tamis-filter/tamis/bench/render"
)

func main() {
	readme := flag.String("readme", "", "also put the choosing table of the one run given into this `file`, between <!-- choosing:begin --> and <!-- choosing:end -->")
	check := flag.Bool("check", false, "write nothing; fail if a file is not what rendering makes of the raw data")
	flag.Usage = func() {
		fmt.Fprintf(flag.CommandLine.Output(), "usage: go run ./cmd/render [flags] [run directory...]\n\nRenders runs, by default every one below ../reports.\n\n")
		flag.PrintDefaults()
		fmt.Fprintf(flag.CommandLine.Output(), "\nexample: go run ./cmd/render -readme ../README.md ../reports/2026-01-31-some-cpu\n")
	}
	flag.Parse()
	if err := run(flag.Args(), *readme, *check); err != nil {
		fmt.Fprintln(os.Stderr, "render:", err)
		os.Exit(1)
	}
}

func run(dirs []string, readme string, check bool) error {
	if readme != "" && len(dirs) != 1 {
		return fmt.Errorf("-readme needs one run directory, there are %d", len(dirs))
	}
	if len(dirs) == 0 {
		found, err := filepath.Glob(filepath.Join("..", "reports", "*", record.RunFile))
		if err != nil {
			return err
		}
		for _, name := range found {
			dirs = append(dirs, filepath.Dir(name))
		}
	}
	var stale []string
	for _, dir := range dirs {
		files, err := render.Run(dir)
		if err != nil {
			return err
		}
		if check {
			for _, name := range render.Stale(dir, files) {
				stale = append(stale, filepath.Join(dir, name))
			}
		} else if err := render.Write(dir, files); err != nil {
			return err
		}
		if readme == "" {
			continue
		}
		old, err := updateReadme(readme, dir, files, check)
		if err != nil {
			return err
		}
		if old {
			stale = append(stale, readme)
		}
	}
	if check && len(stale) > 0 {
		return fmt.Errorf("not as rendered from the raw data: %s; render again", strings.Join(stale, ", "))
	}
	return nil
}

// updateReadme puts the choosing table into a page, unless it only checks, and
// reports whether the page had another one.
func updateReadme(name, dir string, files []render.File, check bool) (old bool, err error) {
	page, err := os.ReadFile(name)
	if err != nil {
		return false, err
	}
	link, err := filepath.Rel(filepath.Dir(name), filepath.Join(dir, render.ReportFile))
	if err != nil {
		return false, err
	}
	table := render.Named(files, render.ChoosingFile)
	text := fmt.Sprintf("%s\nFrom the report [%s](%s).\n", table, filepath.Base(filepath.Dir(link)), filepath.ToSlash(link))
	updated, err := render.Insert(page, "choosing", text)
	if err != nil {
		return false, fmt.Errorf("%s: %w", name, err)
	}
	if bytes.Equal(updated, page) {
		return false, nil
	}
	if check {
		return true, nil
	}
	return true, os.WriteFile(name, updated, 0o644)
}
