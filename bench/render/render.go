// Package render makes a report of a run: tables, charts and the README's
// choosing table. It reads what the run left and nothing else, and the same
// input gives the same bytes.
package render

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"

	"github.com/tamis-filter/tamis/bench/record"
)

// The files of a report.
const (
	ReportFile   = "report.md"
	ChoosingFile = "choosing.md"
)

// File is one rendered file.
type File struct {
	Name string
	Data []byte
}

// Run renders the report of the run in directory dir.
func Run(dir string) ([]File, error) {
	run, err := record.ReadRun(dir)
	if err != nil {
		return nil, err
	}
	results, err := record.ReadResults(dir)
	if err != nil {
		return nil, err
	}
	if len(run.Grid) == 0 {
		return nil, fmt.Errorf("%s: the grid is empty", filepath.Join(dir, record.RunFile))
	}
	absolute, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	d := &data{run, results, filepath.Base(absolute)}
	if d.ofKernels() {
		return []File{{KernelsFile, []byte(d.kernels())}}, nil
	}
	charts := d.charts()
	files := []File{
		{ReportFile, []byte(d.report(charts))},
		{ChoosingFile, []byte(d.choosing())},
	}
	for _, c := range charts {
		svg, err := c.svg()
		if err != nil {
			return nil, err
		}
		png, err := c.png()
		if err != nil {
			return nil, err
		}
		files = append(files, File{c.name + ".svg", svg}, File{c.name + ".png", png})
	}
	return files, nil
}

// Write writes rendered files into dir.
func Write(dir string, files []File) error {
	for _, f := range files {
		if err := os.WriteFile(filepath.Join(dir, f.Name), f.Data, 0o644); err != nil {
			return err
		}
	}
	return nil
}

// Stale returns the names of the files in dir that are not as rendered.
func Stale(dir string, files []File) []string {
	var stale []string
	for _, f := range files {
		have, err := os.ReadFile(filepath.Join(dir, f.Name))
		if err != nil || !bytes.Equal(have, f.Data) {
			stale = append(stale, f.Name)
		}
	}
	return stale
}

// Named returns the content of the file of that name, nil if there is none.
func Named(files []File, name string) []byte {
	for _, f := range files {
		if f.Name == name {
			return f.Data
		}
	}
	return nil
}
