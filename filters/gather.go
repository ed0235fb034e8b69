package filters

import (
	"fmt"
	"iter"
	"slices"
)

// chunkLen bounds the hashes of a chunk that Gather allocates at once.
const chunkLen = 1 << 16

// Gather collects every hash of a sequence, in chunks. It refuses more than c.Keys
// of them, if that is not 0, and to take more memory than c.MaxBuildBytes. The
// batches are copied, never kept or changed.
func Gather(hashes iter.Seq[[]Hash], c Config) (chunks [][]Hash, err error) {
	if hashes == nil {
		return nil, errNoSequence
	}
	total, room := uint64(0), uint64(0)
	var chunk []Hash
	for batch := range hashes {
		if c.Keys != 0 && uint64(len(batch)) > c.Keys-total {
			return nil, tooMany(c.Keys)
		}
		total += uint64(len(batch))
		for len(batch) > 0 {
			if len(chunk) == cap(chunk) {
				if chunk != nil {
					chunks = append(chunks, chunk)
				}
				next := min(max(2*cap(chunk), len(batch)), chunkLen)
				room += uint64(next)
				if err := c.CheckBuild(8 * room); err != nil {
					return nil, err
				}
				chunk = make([]Hash, 0, next)
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
// of distinct hashes or to 1. memory is what it took.
func GatherDistinct(hashes iter.Seq[[]Hash], c Config) (distinct []Hash, memory uint64, _ Config, err error) {
	if err := c.checkBuild(); err != nil {
		return nil, 0, c, err
	}
	chunks, err := Gather(hashes, c)
	if err != nil {
		return nil, 0, c, err
	}
	total := uint64(0)
	for _, chunk := range chunks {
		total += uint64(len(chunk))
	}
	memory = DistinctBytes(total)
	if err := c.CheckBuild(memory); err != nil {
		return nil, 0, c, err
	}
	distinct = SortDistinct(chunks)
	if c.Keys == 0 {
		c.Keys = max(1, uint64(len(distinct)))
	}
	return distinct, memory, c, c.Check()
}

// DistinctBytes is the most that GatherDistinct takes for n hashes, repeats counted:
// it holds them twice, and more while it sorts them.
func DistinctBytes(n uint64) uint64 {
	return 8*(n+min(2*n, chunkLen)) + SortBytes(n)
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
		chunks, err := Gather(hashes, c)
		if err != nil {
			return none, err
		}
		room := uint64(0)
		for _, chunk := range chunks {
			c.Keys += uint64(len(chunk))
			room += uint64(cap(chunk))
		}
		if c.MaxBuildBytes != 0 { // for the filter beside the hashes
			c.MaxBuildBytes = max(1, c.MaxBuildBytes-8*room)
		}
		c.Keys = max(1, c.Keys)
		hashes = slices.Values(chunks)
	}
	f, err := size(c)
	if err != nil {
		return none, err
	}
	progress := c.Work(c.Keys)
	left := c.Keys
	for batch := range hashes {
		if uint64(len(batch)) > left {
			return none, tooMany(c.Keys)
		}
		left -= uint64(len(batch))
		if _, err := f.AddBatch(batch); err != nil {
			return none, err
		}
		progress.Add(uint64(len(batch)))
	}
	progress.End()
	return f, nil
}

var errNoSequence = &FieldError{ErrConfig, "hashes", "nil", "must be a sequence; slices.Values(nil) is an empty one"}

func tooMany(keys uint64) error {
	return &FieldError{ErrConfig, "Keys", keys, fmt.Sprintf("but more than %d hashes came, repeats counted; set 0 to have them counted", keys)}
}
