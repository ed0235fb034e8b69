package record

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"golang.org/x/perf/benchfmt"
)

// Results are the rows of a raw file. Every repetition of a timing is there.
type Results struct {
	Sizes   map[Cell]Size
	Rates   map[Cell]Rate
	Builds  map[Cell][]Build
	Adds    map[Cell][]float64  // ns
	Hashes  map[Cell][]float64  // ns
	Queries map[Query][]float64 // ns
}

// ReadResults reads raw.txt from dir.
func ReadResults(dir string) (*Results, error) {
	name := filepath.Join(dir, RawFile)
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return Parse(f, name)
}

// Parse reads a raw file; name is for error messages. It refuses a row that it
// does not know, and a file without rows.
func Parse(r io.Reader, name string) (*Results, error) {
	res := &Results{
		Sizes: map[Cell]Size{}, Rates: map[Cell]Rate{}, Builds: map[Cell][]Build{}, Adds: map[Cell][]float64{}, Hashes: map[Cell][]float64{}, Queries: map[Query][]float64{},
	}
	in := benchfmt.NewReader(r, name)
	rows := 0
	for in.Scan() {
		switch rec := in.Result().(type) {
		case *benchfmt.Result:
			rows++
			if err := res.add(rec); err != nil {
				_, line := rec.Pos()
				return nil, fmt.Errorf("%s:%d: %w", name, line, err)
			}
		case *benchfmt.SyntaxError:
			return nil, rec
		}
	}
	if err := in.Err(); err != nil {
		return nil, err
	}
	if rows == 0 {
		return nil, fmt.Errorf("%s: no rows", name)
	}
	return res, nil
}

// CopyRows copies the rows of a raw file without its configuration lines, to go
// behind those of another.
func CopyRows(w io.Writer, raw io.Reader) error {
	lines := bufio.NewReader(raw)
	for {
		line, err := lines.ReadString('\n')
		if strings.HasPrefix(line, "Benchmark") {
			if _, err := io.WriteString(w, line); err != nil {
				return err
			}
		}
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

func (res *Results) add(row *benchfmt.Result) error {
	base, parts := row.Name.Parts()
	labels := map[string]string{}
	for _, part := range parts {
		key, val, ok := strings.Cut(strings.TrimPrefix(string(part), "/"), "=")
		if !ok {
			return fmt.Errorf("row name %q: %q is no key=value", row.Name, part)
		}
		labels[key] = val
	}
	c := Cell{Name: labels["family"], Keys: parseKeys(labels["n"]), Level: labels["level"]}
	if p, ok := labels["p"]; ok {
		c.Rate, _ = strconv.ParseFloat(p, 64)
		if !(c.Rate > 0 && c.Rate < 1) {
			return fmt.Errorf("row name %q: p must be a fraction", row.Name)
		}
	}
	if procs, ok := labels["procs"]; ok {
		c.Procs, _ = strconv.Atoi(procs)
		if c.Procs < 1 {
			return fmt.Errorf("row name %q: procs must be a number of processors", row.Name)
		}
	}
	if c.Name == "" || c.Keys == 0 {
		return fmt.Errorf("row name %q: needs family and n", row.Name)
	}
	missing := ""
	need := func(unit string) float64 {
		for _, v := range row.Values {
			if v.OrigUnit == unit { // the reader turned ns into seconds
				return v.OrigValue
			}
			if v.Unit == unit {
				return v.Value
			}
		}
		missing = unit
		return 0
	}
	switch kind := string(base); kind {
	case "Size":
		res.Sizes[c] = Size{need(unitBits), need(unitPayload)}
	case "FPR":
		rate := Rate{uint64(need(unitHits)), uint64(row.Iters)}
		if rate.Probes == 0 || rate.Hits > rate.Probes {
			return fmt.Errorf("row %q: %d hits of %d probes", row.Name, rate.Hits, rate.Probes)
		}
		res.Rates[c] = rate
	case "Build":
		res.Builds[c] = append(res.Builds[c], Build{need(unitNs), need(unitBytes)})
	case "Add":
		res.Adds[c] = append(res.Adds[c], need(unitNs))
	case "Hash":
		res.Hashes[c] = append(res.Hashes[c], need(unitNs))
	case "Query":
		hits, err := strconv.Atoi(labels["hits"])
		if err != nil {
			return fmt.Errorf("row name %q: hits: %w", row.Name, err)
		}
		q := Query{c, Mode(labels["mode"]), hits}
		res.Queries[q] = append(res.Queries[q], need(unitNs))
	default:
		return fmt.Errorf("row of unknown kind %q", kind)
	}
	if missing != "" {
		return fmt.Errorf("row %q has no %s", row.Name, missing)
	}
	return nil
}
