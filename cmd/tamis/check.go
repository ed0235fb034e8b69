package main

import (
	"bufio"
	"errors"
	"io"

	"github.com/bits-and-blooms/bitset"
	"github.com/spf13/cobra"
	"github.com/tamis-filter/tamis/filters"
)

func newCheck() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "check FILE [KEY...]",
		Short: "Tell which keys may be in a filter",
		Long: `Check writes one line a key, "maybe<TAB>key" or "no<TAB>key", for the KEYs given
or else for every line of the standard input, an empty one too. Each answer is
written before the next line is waited for, so a program can ask through a pipe.
What follows FILE is a key even if it starts with a dash. FILE is opened in place:
while check waits for lines, replace it by a rename, as build does, and do not
write into it.

It exits 0 if any key may be in, 1 if none may, 2 on an error.`,
		Example: "  tamis check list.tamis example.com example.org",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return errors.New("no filter file given; run 'tamis check FILE [KEY...]'")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			f, err := openFilter(args[0])
			if err != nil {
				return err
			}
			a := newAnswerer(f, cmd.OutOrStdout())
			if keys := args[1:]; len(keys) > 0 {
				err = a.answerStrings(keys)
			} else {
				err = a.answerLines(cmd.InOrStdin())
			}
			if err == nil && !a.any {
				err = errNone
			}
			return err
		},
	}
	cmd.Flags().SetInterspersed(false) // a key "-h" must not end in help and exit code 0
	return cmd
}

// answerer answers batches of keys, of which it keeps nothing.
type answerer struct {
	filter filters.Filter
	hash   func(key []byte) filters.Hash
	hashes []filters.Hash
	hits   *bitset.BitSet
	out    *bufio.Writer
	any    bool // some answer was maybe
}

func newAnswerer(f filters.Filter, out io.Writer) *answerer {
	return &answerer{
		filter: f,
		hash:   hashOf(f),
		hits:   bitset.New(batchLen),
		out:    bufio.NewWriterSize(out, 64<<10),
	}
}

func (a *answerer) answerLines(in io.Reader) error {
	return eachBatch(in, "the standard input", a.answer)
}

func (a *answerer) answerStrings(keys []string) error {
	if keys[0] == "--" && len(keys) > 1 {
		keys = keys[1:] // habit; nothing here takes a dash for a flag
	}
	batch := make([][]byte, len(keys))
	for i, key := range keys {
		batch[i] = []byte(key)
	}
	return a.answer(batch)
}

// answer writes the answers for one batch, all the way out.
func (a *answerer) answer(keys [][]byte) error {
	a.hashes = a.hashes[:0]
	for _, key := range keys {
		a.hashes = append(a.hashes, a.hash(key))
	}
	if a.filter.MayContainBatch(a.hashes, a.hits) > 0 {
		a.any = true
	}
	for i, key := range keys {
		word := "no\t"
		if a.hits.Test(uint(i)) {
			word = "maybe\t"
		}
		// An error sticks to the writer; Flush returns it.
		a.out.WriteString(word)
		a.out.Write(key)
		a.out.WriteByte('\n')
	}
	return a.out.Flush()
}
