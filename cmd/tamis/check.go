package main

import (
	"bufio"
	"cmp"
	"errors"
	"io"
	"strings"

	"github.com/bits-and-blooms/bitset"
	"github.com/spf13/cobra"
	"github.com/tamis-filter/tamis/filters"
	"github.com/tamis-filter/tamis/filters/names"
)

func newCheck() *cobra.Command {
	var hosts bool
	cmd := &cobra.Command{
		Use:   "check FILE [KEY...]",
		Short: "Tell which keys may be in a filter",
		Long: `Check writes one line a key, "maybe<TAB>key" or "no<TAB>key", for the KEYs given
or else for every line of the standard input, an empty one too. Each answer is
written before the next line is waited for, so a program can ask through a pipe.
What follows FILE is a key even if it starts with a dash. FILE is opened in place:
while check waits for lines, replace it by a rename, as build does, and do not
write into it.

With --host a KEY is a host or a URL (with ://), and the filter is asked for the host
in the form that browsers give it, and for its parents down to the registrable domain
by the public-suffix list. What is no host is answered by "bad<TAB>key".

It exits 0 if any key may be in, 1 if none may, 2 on an error, or if none may and one is bad.`,
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
			a.hosts = hosts
			if keys := args[1:]; len(keys) > 0 {
				err = a.answerStrings(keys)
			} else {
				err = a.answerLines(cmd.InOrStdin())
			}
			switch {
			case err != nil, a.any:
			case a.bad != nil:
				err = a.bad
			default:
				err = errNone
			}
			return err
		},
	}
	cmd.Flags().BoolVar(&hosts, "host", false, "keys are hosts or URLs, blocked with their parents")
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

	hosts bool
	bad   error // what is wrong with the first key that is no host

	words []string // what a key is answered by if none of its hashes may be in
	ends  []int    // where the hashes of a key end
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
	a.hashes, a.words, a.ends = a.hashes[:0], a.words[:0], a.ends[:0]
	for _, key := range keys {
		word := "no\t"
		if a.hosts {
			word = a.addHost(string(key))
		} else {
			a.hashes = append(a.hashes, a.hash(key))
		}
		a.words = append(a.words, word)
		a.ends = append(a.ends, len(a.hashes))
	}
	if a.filter.MayContainBatch(a.hashes, a.hits) > 0 {
		a.any = true
	}
	at := 0
	for i, key := range keys {
		word := a.words[i]
		for ; at < a.ends[i]; at++ {
			if a.hits.Test(uint(at)) {
				word = "maybe\t"
			}
		}
		// An error sticks to the writer; Flush returns it.
		a.out.WriteString(word)
		a.out.Write(key)
		a.out.WriteByte('\n')
	}
	return a.out.Flush()
}

// addHost adds the hashes of the names that are asked for for a host or a URL, and
// returns the word for a key of which none may be in.
func (a *answerer) addHost(key string) string {
	canonical := names.Host
	if strings.Contains(key, "://") {
		canonical = names.URL
	}
	host, err := canonical(key)
	if err != nil {
		a.bad = cmp.Or(a.bad, err)
		return "bad\t"
	}
	for name := range names.Walk(host, names.Shortest(host)) {
		a.hashes = append(a.hashes, a.hash([]byte(name)))
	}
	return "no\t"
}
