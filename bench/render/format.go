package render

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// How figures are written. Each function takes what was measured and returns
// text for a table or a chart.

// digits writes v with n significant digits and without an exponent.
func digits(v float64, n int) string {
	if v == 0 || math.IsNaN(v) || math.IsInf(v, 0) {
		return strconv.FormatFloat(v, 'f', -1, 64)
	}
	rounded, _ := strconv.ParseFloat(strconv.FormatFloat(v, 'e', n-1, 64), 64)
	decimals := max(0, n-1-int(math.Floor(math.Log10(math.Abs(rounded)))))
	return strconv.FormatFloat(rounded, 'f', decimals, 64)
}

// nanoseconds writes a time per operation.
func nanoseconds(ns float64) string {
	if ns < 100 {
		return digits(ns, 3)
	}
	return strconv.FormatFloat(ns, 'f', 0, 64)
}

// percent writes a fraction, as measured.
func percent(fraction float64) string { return digits(100*fraction, 3) + " %" }

// asked writes a fraction that was typed in.
func asked(fraction float64) string {
	return strconv.FormatFloat(math.Round(fraction*1e12)/1e10, 'f', -1, 64) + " %"
}

// bitsPerKey writes a size.
func bitsPerKey(bits float64) string { return strconv.FormatFloat(bits, 'f', 2, 64) }

// over writes an overhead: how far above a bound, as a fraction of it.
func over(fraction float64) string {
	if math.IsNaN(fraction) {
		return none
	}
	return fmt.Sprintf("%+.1f %%", 100*fraction)
}

var superscripts = strings.NewReplacer("0", "⁰", "1", "¹", "2", "²", "3", "³", "4", "⁴", "5", "⁵", "6", "⁶", "7", "⁷", "8", "⁸", "9", "⁹")

// keys writes a number of keys: 10⁶, 5·10⁷, or plain.
func keys(n uint64) string {
	zeros, rest := 0, n
	for rest%10 == 0 && rest > 0 {
		rest /= 10
		zeros++
	}
	switch {
	case zeros < 3 || rest > 9:
		return strconv.FormatUint(n, 10)
	case rest == 1:
		return "10" + superscripts.Replace(strconv.Itoa(zeros))
	}
	return fmt.Sprintf("%d·10%s", rest, superscripts.Replace(strconv.Itoa(zeros)))
}

// size writes bytes in binary units.
func size(bytes uint64) string {
	units := []string{"B", "KiB", "MiB", "GiB", "TiB"}
	v := float64(bytes)
	for v >= 1024 && len(units) > 1 {
		v /= 1024
		units = units[1:]
	}
	if v == math.Trunc(v) {
		return fmt.Sprintf("%.0f %s", v, units[0])
	}
	return digits(v, 3) + " " + units[0]
}

// count writes a large count with spaces between groups of three digits.
func count(n uint64) string {
	s := strconv.FormatUint(n, 10)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + " " + s[i:]
	}
	return s
}

// bold writes text in bold Markdown.
func bold(text string) string { return "**" + text + "**" }

// table writes a Markdown table. Columns whose heading starts with a colon are
// aligned left, the others right.
func table(b *strings.Builder, headings []string, rows [][]string) {
	line := func(cells []string) { b.WriteString("| " + strings.Join(cells, " | ") + " |\n") }
	var names, rules []string
	for _, h := range headings {
		name, left := strings.CutPrefix(h, ":")
		names = append(names, name)
		if left {
			rules = append(rules, "---")
		} else {
			rules = append(rules, "--:")
		}
	}
	line(names)
	line(rules)
	for _, row := range rows {
		line(row)
	}
}
