package main

import (
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/schollz/progressbar/v3"
	"github.com/tamis-filter/tamis/filters/names/lists"
)

// inputPlain is the --input of keys as they stand, one a line.
const inputPlain = "plain"

func inputs() []string {
	words := []string{inputPlain}
	for _, f := range lists.Formats() {
		words = append(words, string(f))
	}
	return words
}

// findFormat returns the format of an --input, "" for a plain one.
func findFormat(input string) (lists.Format, error) {
	if input == inputPlain {
		return "", nil
	}
	for _, f := range lists.Formats() {
		if input == string(f) {
			return f, nil
		}
	}
	return "", badFlag("--input", fmt.Sprintf("%q", input), "must be one of "+strings.Join(inputs(), ", "))
}

// entry is a key and the line of its list that it stands on.
type entry struct {
	key  []byte
	line int
}

// eachEntry hands the keys of a list to do, in batches that are overwritten, and what
// of a list of names cannot be one to reject. A list of names that gives none is an
// error. name is r's, for messages.
func (b *builder) eachEntry(r io.Reader, name string, do func([]entry) error, reject func(line int, reason error)) error {
	var entries []entry
	line, found, bad := 0, 0, ""
	add := func(host string) {
		entries = append(entries, entry{[]byte(host), line})
		found++
	}
	refuse := func(reason error) {
		if bad == "" {
			bad = fmt.Sprintf("; line %d: %v", line, reason)
		}
		reject(line, reason)
	}
	err := eachBatch(r, name, func(batch [][]byte) error {
		entries = entries[:0]
		for _, text := range batch {
			line++
			if b.format != "" {
				b.format.Line(string(text), add, refuse)
			} else if len(text) > 0 && !b.isComment(text) {
				entries = append(entries, entry{text, line})
			}
		}
		return do(entries)
	})
	if err == nil && b.format != "" && found == 0 {
		err = fmt.Errorf("%s gives no name that can be listed%s; --input %s may not be what it is", name, bad, b.format)
	}
	return err
}

// readList is eachEntry for a file or the standard input, of what is said about it.
func (b *builder) readList(name string, bar *progressbar.ProgressBar, do func([]entry) error) error {
	in := b.stdin
	if name == stdio {
		name = "the standard input"
	} else {
		file, err := os.Open(name)
		if err != nil {
			return fileError("read", name, err)
		}
		defer file.Close()
		in = file
	}
	watched := progressbar.NewReader(in, bar)
	return b.eachEntry(&watched, name, do, func(line int, reason error) { b.rejects.add(name, line, reason) })
}

// maxRejects is how many rejected lines are reported in full.
const maxRejects = 20

// rejects are the lines that gave no key, or not all that they say.
type rejects struct {
	reports []string // of the first ones
	count   int
}

func (r *rejects) add(name string, line int, reason error) {
	if r.count++; r.count <= maxRejects {
		r.reports = append(r.reports, fmt.Sprintf("%s, line %d: %v\n", name, line, reason))
	}
}

func (r *rejects) write(w io.Writer) {
	for _, report := range r.reports {
		io.WriteString(w, report)
	}
	if more := r.count - len(r.reports); more > 0 {
		fmt.Fprintf(w, "and %d more; rejected: %d\n", more, r.count)
	}
}
