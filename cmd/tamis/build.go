package main

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"slices"
	"strings"

	"github.com/bits-and-blooms/bitset"
	"github.com/schollz/progressbar/v3"
	"github.com/spf13/cobra"
	"github.com/tamis-filter/tamis/blocked/split"
	"github.com/tamis-filter/tamis/filters"
	"github.com/tamis-filter/tamis/filters/all"
	"github.com/tamis-filter/tamis/filters/names/lists"
)

// stdio is the name that stands for the standard input or output.
const stdio = "-"

// builder is the build command: its flags and streams.
type builder struct {
	goal
	family, output, comment string
	exclude                 []string
	input, hash             string
	seed                    uint64
	quiet                   bool

	config  filters.Config
	format  lists.Format // of the lists; "" for keys as they stand
	rejects rejects
	stdin   io.Reader
	stdout  io.Writer
	stderr  io.Writer
}

func newBuild() *cobra.Command {
	b := &builder{}
	cmd := &cobra.Command{
		Use:   "build [LIST...] -o FILE",
		Short: "Build a filter from lists of keys",
		Long: `Build reads lists of keys, one key a line, from files or from the standard
input ("-", or no LIST), and writes one filter of all of them. A key is any bytes
but a line end; empty lines are skipped, and repeats count once. Memory is taken
for hashes of the keys, not for the keys. FILE appears whole or not at all.

With --input the lists are of host names. Each gets the one form that browsers give
it (evil.com for .EVIL.com., 127.0.0.1 for 0x7f.1), which check --host asks for too.
What cannot be listed is left out and reported, by line and reason, and so is a name
that would match all, as com:
  hosts     0.0.0.0 evil.com more.evil.com  # a comment
  domains   evil.com, .evil.com or *.evil.com, one a line
  adblock   ||evil.com^ without options that narrow it; no other rules
A list that gives no name at all is an error. Lists for --exclude are of the same
kind, and the parents of their names that check --host asks for are excluded too,
unless they are listed.

Families:
` + familyList(),
		Example: `  tamis build --family ribbon --fpr 0.001 list.txt -o list.tamis
  tamis build --family exact --exclude good.txt list.txt -o list.tamis
  tamis build --input hosts hosts.txt -o list.tamis`,
		RunE: func(cmd *cobra.Command, inputs []string) error {
			config, err := b.goal.config(cmd)
			if err != nil {
				return err
			}
			config.Seed = b.seed
			b.config = config
			b.stdin, b.stdout, b.stderr = cmd.InOrStdin(), cmd.OutOrStdout(), cmd.ErrOrStderr()
			if len(inputs) == 0 {
				inputs = []string{stdio}
			}
			return b.build(inputs)
		},
	}
	b.addFlags(cmd, "number of distinct keys to make room for (counted when not set)")
	f := cmd.Flags()
	f.StringVar(&b.family, "family", filters.Ribbon.String(), "one of "+strings.Join(all.Names(), ", "))
	f.StringArrayVar(&b.exclude, "exclude", nil, "list of keys that the filter must not hold, for --family exact; can be given again")
	f.StringVarP(&b.output, "output", "o", "", `filter file to write, "-" for the standard output`)
	f.StringVar(&b.comment, "comment", "", "skip lines that start with this (no default: a key may start with #)")
	f.StringVar(&b.input, "input", inputPlain, "how the lists are written: "+strings.Join(inputs(), ", "))
	f.StringVar(&b.hash, "hash", hashXXH3, "of the keys: "+hashXXH3+", or "+hashXXH64+" as in Parquet files, for --family split")
	f.Uint64Var(&b.seed, "seed", 0, "of the hash; a secret one keeps others from choosing keys that collide")
	f.BoolVar(&b.quiet, "quiet", false, "write nothing on success")
	return cmd
}

func familyList() string {
	var s strings.Builder
	for _, f := range all.Families() {
		fmt.Fprintf(&s, "  %-9s %s\n", f.Name(), f.Summary)
	}
	return strings.TrimSuffix(s.String(), "\n")
}

// build does all that can fail without the keys first.
func (b *builder) build(inputs []string) error {
	family, err := b.find()
	if err != nil {
		return err
	}
	if b.config.Keys != 0 {
		if _, err := family.Size(b.config); err != nil {
			return err
		}
	}
	if b.output == "" {
		return errors.New(`no output is set; say -o FILE, or "-o -" for the standard output`)
	}
	total, err := b.measure(inputs)
	if err != nil {
		return err
	}
	if _, err := b.measure(b.exclude); err != nil {
		return err
	}
	var out output
	if b.output != stdio {
		if out, err = newOutput(b.output); err != nil {
			return err
		}
	}

	hashes, c, err := b.read(inputs, total)
	if err != nil {
		return err
	}
	excluded, err := b.readExcluded(hashes)
	if err != nil {
		return err
	}
	if !b.quiet {
		b.rejects.write(b.stderr)
	}
	if len(b.exclude) > 0 {
		family.Build = excluding(excluded)
	}
	f, err := b.make(family, hashes, c)
	if err == nil {
		err = verifyExcluded(f, excluded)
	}
	if err != nil {
		return b.nameOverlap(err)
	}
	var size int64
	if b.output == stdio {
		size, err = f.WriteTo(b.stdout)
	} else {
		size, err = out.write(f)
	}
	if err == nil && !b.quiet {
		b.summarize(f.Info(), size)
	}
	return err
}

// The values of --hash.
const (
	hashXXH3  = "xxh3"
	hashXXH64 = "xxh64"
)

// find returns the family, which builds filters of Parquet's hash if that is asked
// for.
func (b *builder) find() (filters.Family, error) {
	family, err := all.Find(b.family)
	if err != nil {
		return family, err
	}
	if len(b.exclude) > 0 && family.Kind != filters.Exact {
		return family, badFlag("--exclude", b.exclude[0], "which only --family exact has")
	}
	if slices.Contains(b.exclude, stdio) {
		return family, badFlag("--exclude", stdio, "must be a file")
	}
	if b.format, err = findFormat(b.input); err != nil {
		return family, err
	}
	if b.format != "" && b.comment != "" {
		return family, badFlag("--comment", fmt.Sprintf("%q", b.comment), "but lists of --input "+b.input+" have comments of their own")
	}
	switch b.hash {
	case hashXXH3:
	case hashXXH64:
		if family.Kind != filters.Split {
			return family, badFlag("--hash", b.hash, "which only --family split has")
		}
		family.Build = func(hashes iter.Seq[[]filters.Hash], c filters.Config) (filters.Filter, error) {
			return filters.Fill(hashes, c, split.NewParquet)
		}
		if b.seed != 0 {
			return family, badFlag("--seed", b.seed, "but --hash xxh64 has none")
		}
	default:
		return family, badFlag("--hash", fmt.Sprintf("%q", b.hash), "must be xxh3 or xxh64")
	}
	return family, nil
}

// measure returns the bytes of all inputs together, or -1 where that cannot be
// known. It refuses inputs that are not there, and the output as an input.
func (b *builder) measure(inputs []string) (total int64, err error) {
	out, outErr := os.Stat(b.output)
	for _, name := range inputs {
		if name == stdio {
			total = -1
			continue
		}
		info, err := os.Stat(name)
		switch {
		case err != nil:
			return 0, fileError("read", name, err)
		case info.IsDir():
			return 0, fmt.Errorf("cannot read %s: it is a directory; give the files in it", name)
		case b.output != stdio && outErr == nil && os.SameFile(out, info):
			return 0, badFlag("--output", b.output, "which is also an input; write to another file")
		case !info.Mode().IsRegular():
			total = -1
		case total >= 0:
			total += info.Size()
		}
	}
	return total, nil
}

// read returns the distinct hashes of all keys and the config for that many.
func (b *builder) read(inputs []string, total int64) ([]filters.Hash, filters.Config, error) {
	bar := newBar(b.stderr, b.showsProgress(), "reading", total)
	defer bar.Clear()
	counted := b.config
	counted.Keys = 0
	var readErr error
	hashes, _, c, err := filters.GatherDistinct(func(yield func([]filters.Hash) bool) {
		for _, name := range inputs {
			if readErr = b.readOne(name, bar, yield); readErr != nil {
				return
			}
		}
	}, counted)
	if err = cmp.Or(err, readErr); err != nil {
		return nil, c, err
	}
	if set := b.config.Keys; set != 0 {
		if c.Keys > set {
			return nil, c, badFlag("--keys", set, fmt.Sprintf("but the input holds %d distinct keys; raise it or leave it out", c.Keys))
		}
		c.Keys = set
	}
	return hashes, c, nil
}

// errEnough ends the reading when the receiver wants no more.
var errEnough = errors.New("no more keys wanted")

func (b *builder) readOne(name string, bar *progressbar.ProgressBar, yield func([]filters.Hash) bool) error {
	hash := b.hasher()
	hashes := make([]filters.Hash, 0, batchLen)
	return b.readList(name, bar, func(entries []entry) error {
		hashes = hashes[:0]
		for _, e := range entries {
			hashes = append(hashes, hash(e.key))
		}
		if !yield(hashes) {
			return errEnough
		}
		return nil
	})
}

func (b *builder) hasher() func(key []byte) filters.Hash {
	if b.hash == hashXXH64 {
		return split.ParquetHash
	}
	return filters.Hasher{Seed: b.seed}.Bytes
}

func (b *builder) isComment(line []byte) bool {
	return b.comment != "" && bytes.HasPrefix(line, []byte(b.comment))
}

// make builds the filter and asks it for every key: whatever else may be wrong
// with a filter, it must not deny a key.
func (b *builder) make(family filters.Family, hashes []filters.Hash, c filters.Config) (filters.Filter, error) {
	bar := newShareBar(b.stderr, b.showsProgress(), "building")
	defer bar.Clear()
	c.Progress = func(done float64) { bar.Set(int(done * shareBarSteps)) }
	f, err := family.Build(slices.Chunk(hashes, batchLen), c)
	if err != nil {
		return nil, err
	}
	return f, verify(f, hashes)
}

// verify asks f for every hash.
func verify(f filters.Filter, hashes []filters.Hash) error {
	found, hits := 0, bitset.New(batchLen)
	for batch := range slices.Chunk(hashes, batchLen) {
		found += f.MayContainBatch(batch, hits)
	}
	if found != len(hashes) {
		return fmt.Errorf("the filter denies %d of its %d keys, which is a fault of tamis; nothing was written: use another --family and report this one", len(hashes)-found, len(hashes))
	}
	return nil
}

func (b *builder) showsProgress() bool { return !b.quiet && isTerminal(b.stderr) }

// summarize tells in one line what was built.
func (b *builder) summarize(info filters.Info, size int64) {
	name := b.output
	if name == stdio {
		name = "standard output"
	}
	fmt.Fprintf(b.stderr, "%s: %s, %d keys, %d bytes, %.2f bits/key, expected fpr %.3g\n",
		name, info.Family, info.Keys, size, info.BitsPerKey, info.ExpectedFPR)
}
