package filters

import (
	"fmt"
	"iter"
	"slices"
)

// chunkLen bounds the hashes of a chunk that Gather allocates at once.
const chunkLen = 1 << 16

// Gather collects every hash of a sequence, in chunks. It refuses more than
// limit of them; a limit of 0 is none. The batches are copied, never kept or
// changed.
func Gather(hashes iter.Seq[[]Hash], limit uint64) (chunks [][]Hash, err error) {
	if hashes == nil {
		return nil, errNoSequence
	}
	total := uint64(0)
	var chunk []Hash
	for batch := range hashes {
		if limit != 0 && uint64(len(batch)) > limit-total {
			return nil, tooMany(limit)
		}
		total += uint64(len(batch))
		for len(batch) > 0 {
			if len(chunk) == cap(chunk) {
				if chunk != nil {
					chunks = append(chunks, chunk)
				}
				chunk = make([]Hash, 0, min(max(2*cap(chunk), len(batch)), chunkLen))
			}
			n := min(len(batch), cap(chunk)-len(chunk))
			chunk = append(chunk, batch[:n]...)
			batch = batch[n:]
		}
	}
	if chunk != nil {
		chunks = append(chunks, chunk)
	}
	return chunks, nil
}

// GatherDistinct is Gather, sorted and without repeats: what a family needs
// that must see its keys before it builds. Two keys with one hash are one key
// to every family. It validates c and sets c.Keys, if that is 0, to the number
// of distinct hashes or to 1.
func GatherDistinct(hashes iter.Seq[[]Hash], c Config) ([]Hash, Config, error) {
	if err := c.checkBuild(); err != nil {
		return nil, c, err
	}
	chunks, err := Gather(hashes, c.Keys)
	if err != nil {
		return nil, c, err
	}
	all := SortDistinct(chunks)
	if c.Keys == 0 {
		c.Keys = max(1, uint64(len(all)))
	}
	return all, c, c.Check()
}

// Fill builds a growing filter from a sequence: it sizes one for c with size,
// counting the hashes first where c.Keys is 0, and adds them all.
func Fill[F Adder](hashes iter.Seq[[]Hash], c Config, size func(Config) (F, error)) (F, error) {
	var none F
	if err := c.checkBuild(); err != nil {
		return none, err
	}
	if hashes == nil {
		return none, errNoSequence
	}
	if c.Keys == 0 {
		chunks, err := Gather(hashes, 0)
		if err != nil {
			return none, err
		}
		for _, chunk := range chunks {
			c.Keys += uint64(len(chunk))
		}
		c.Keys = max(1, c.Keys)
		hashes = slices.Values(chunks)
	}
	f, err := size(c)
	if err != nil {
		return none, err
	}
	left := c.Keys
	for batch := range hashes {
		if uint64(len(batch)) > left {
			return none, tooMany(c.Keys)
		}
		left -= uint64(len(batch))
		if _, err := f.AddBatch(batch); err != nil {
			return none, err
		}
	}
	return f, nil
}

var errNoSequence = &FieldError{ErrConfig, "hashes", "nil", "must be a sequence; slices.Values(nil) is an empty one"}

func tooMany(keys uint64) error {
	return &FieldError{ErrConfig, "Keys", keys, fmt.Sprintf("but more than %d hashes came, repeats counted; set 0 to have them counted", keys)}
}
