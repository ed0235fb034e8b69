package record

import (
	"bufio"
	"fmt"
	"io"
	"math"
	"strconv"

	"golang.org/x/perf/benchfmt"
)

// Units of raw rows. An operation is one key.
const (
	unitBits    = "bits/key"
	unitPayload = "payload-bits/key"
	unitRate    = "fpr"
	unitLow     = "fpr-low95"
	unitHigh    = "fpr-high95"
	unitHits    = "false-positives"
	unitFew     = "fewer-than-100-false-positives"
	unitNs      = "ns/op"
	unitBytes   = "B/op"
)

// Writer writes raw rows in the Go benchmark text format, which benchstat reads.
type Writer struct {
	buf    *bufio.Writer
	out    *benchfmt.Writer
	config []benchfmt.Config
	err    error
}

// NewWriter starts a raw file with the configuration lines of r.
func NewWriter(w io.Writer, r Run) *Writer {
	buf := bufio.NewWriter(w)
	raw := &Writer{buf: buf, out: benchfmt.NewWriter(buf)}
	for _, kv := range [][2]string{
		{"goos", r.Build.GOOS},
		{"goarch", r.Build.GOARCH},
		{"pkg", "github.com/tamis-filter/tamis/bench"},
		{"cpu", r.Machine.CPU},
		{"go", r.Build.Go},
		{"commit", r.Source.Commit},
		{"profile", r.Profile},
	} {
		raw.config = append(raw.config, benchfmt.Config{Key: kv[0], Value: []byte(kv[1]), File: true})
	}
	for _, unit := range []string{unitBits, unitPayload, unitRate, unitLow, unitHigh} {
		_, raw.err = fmt.Fprintf(buf, "Unit %s better=lower\nUnit %s assume=exact\n", unit, unit)
	}
	return raw
}

// Size writes a cell's size.
func (w *Writer) Size(c Cell, s Size) {
	w.row("Size", c, "", 1, value(micro(s.File), unitBits), value(micro(s.Payload), unitPayload))
}

// Rate writes a cell's measured rate; the iterations are the probes. A row of
// fewer than FewHits hits says so.
func (w *Writer) Rate(c Cell, r Rate) {
	low, high := r.Interval()
	values := []benchfmt.Value{
		value(six(r.FPR()), unitRate), value(six(low), unitLow), value(six(high), unitHigh), value(float64(r.Hits), unitHits),
	}
	if r.Few() {
		values = append(values, value(1, unitFew))
	}
	w.row("FPR", c, "", r.Probes, values...)
}

// Build writes one repetition of a cell's construction, over keys keys.
func (w *Writer) Build(c Cell, keys uint64, b Build) {
	w.row("Build", c, "", keys, value(milli(b.Ns), unitNs), value(milli(b.Bytes), unitBytes))
}

// Add writes one repetition of adding keys keys in one call.
func (w *Writer) Add(c Cell, keys uint64, ns float64) {
	w.row("Add", c, "", keys, value(milli(ns), unitNs))
}

// Hash writes one repetition of hashing batches of c.Keys keys, ops keys in
// all, in the way that c names.
func (w *Writer) Hash(c Cell, ops uint64, ns float64) {
	w.row("Hash", c, "", ops, value(milli(ns), unitNs))
}

// Query writes one repetition of a query timing, over ops operations.
func (w *Writer) Query(q Query, ops uint64, ns float64) {
	w.row("Query", q.Cell, fmt.Sprintf("/hits=%d/mode=%s", q.Hits, q.Mode), ops, value(milli(ns), unitNs))
}

// Flush writes what is buffered and returns the first error of the writer.
func (w *Writer) Flush() error {
	if w.err != nil {
		return w.err
	}
	return w.buf.Flush()
}

// milli rounds to thousandths: nanoseconds to picoseconds.
func milli(v float64) float64 { return math.Round(v*1000) / 1000 }

// micro rounds to millionths.
func micro(v float64) float64 { return math.Round(v*1e6) / 1e6 }

// six rounds to six significant digits.
func six(v float64) float64 {
	rounded, _ := strconv.ParseFloat(strconv.FormatFloat(v, 'g', 6, 64), 64)
	return rounded
}

func value(v float64, unit string) benchfmt.Value { return benchfmt.Value{Value: v, Unit: unit} }

func (w *Writer) row(base string, c Cell, rest string, iterations uint64, values ...benchfmt.Value) {
	if w.err == nil {
		w.err = w.out.Write(&benchfmt.Result{
			Config: w.config, Name: benchfmt.Name(base + c.label() + rest), Iters: int(iterations), Values: values,
		})
	}
}
