package exact

import (
	"fmt"
	"iter"
	"slices"

	"github.com/bits-and-blooms/bitset"

	"github.com/tamis-filter/tamis/filters"
	"github.com/tamis-filter/tamis/ribbon"
)

// Build makes a filter that holds all hashes of include and none of exclude, which
// is nil or empty where nothing is to be excluded. It is sized for the distinct
// hashes of include, whatever c.Keys says. c.FPR is for other keys: they are held at
// that rate, or at a lower one where that takes less room. The file depends on both
// sets and on c alone.
//
// A key that is in both sets is an error, an [OverlapError].
//
// O(n), on up to GOMAXPROCS goroutines. The parts are built one after the other, as
// [ribbon.Build] and [ribbon.BuildRetrieval] build them.
func Build(include, exclude iter.Seq[[]filters.Hash], c filters.Config) (*Filter, error) {
	in, memory, c, err := filters.GatherDistinct(include, c)
	if err != nil {
		return nil, err
	}
	var out []filters.Hash
	if exclude != nil {
		var left filters.Config
		if c.MaxBuildBytes != 0 {
			left.MaxBuildBytes = max(1, c.MaxBuildBytes-memory)
		}
		chunks, err := filters.Gather(exclude, left)
		if err != nil {
			return nil, err
		}
		n := uint64(0)
		for _, chunk := range chunks {
			n += uint64(len(chunk))
		}
		memory += filters.DistinctBytes(n)
		if err := c.CheckBuild(memory); err != nil {
			return nil, err
		}
		out = filters.SortDistinct(chunks)
	}
	if err := disjoint(in, out); err != nil {
		return nil, err
	}
	c.Keys = max(1, uint64(len(in)))
	c.Progress = rising(c.Progress)
	limit := budget(c)
	for most := limit; ; {
		rate, err := plan(c, uint64(len(out)), most)
		if err != nil {
			return nil, err
		}
		parts, err := partsOf(c.Keys, uint64(len(out)), rate)
		if err != nil {
			return nil, err
		}
		memory += parts.memory
		if err := c.CheckBuild(memory); err != nil {
			return nil, err
		}
		f, err := build(in, out, rate, c)
		if err != nil {
			return nil, err
		}
		bytes := f.file.FileBytes()
		if limit == 0 || bytes <= limit {
			f.file.BuildBytes = memory
			c.Work(1).End()
			return f, nil
		}
		most -= bytes - limit // it came to more than was planned
	}
}

// OverlapError is the error for keys that are both to be held and to be excluded.
// It is a filters.ErrConfig.
type OverlapError struct {
	Hash filters.Hash // of one of them
	Keys int          // how many there are
}

func (e *OverlapError) Error() string {
	return fmt.Sprintf("%v: %d keys are both in the set and excluded, that of hash %#x is one; take them out of either", filters.ErrConfig, e.Keys, uint64(e.Hash))
}

// Unwrap returns the sentinel.
func (e *OverlapError) Unwrap() error { return filters.ErrConfig }

// disjoint refuses two ascending lists that have elements in common.
func disjoint(in, out []filters.Hash) error {
	var both OverlapError
	for _, h := range out {
		for len(in) > 0 && in[0] < h {
			in = in[1:]
		}
		if len(in) > 0 && in[0] == h {
			both = OverlapError{h, both.Keys + 1}
		}
	}
	if both.Keys > 0 {
		return &both
	}
	return nil
}

// build makes the filter of ascending hashes whose first part has a rate, or is left
// out for a rate of 1.
func build(in, out []filters.Hash, rate float64, c filters.Config) (*Filter, error) {
	f := &Filter{file: filters.Envelope{
		Kind:     filters.Exact,
		Seed:     c.Seed,
		Keys:     uint64(len(in)),
		Capacity: uint64(len(in)),
		Size:     uint64(len(in) + len(out)),
	}}
	var payload []byte
	if rate < 1 || len(in) == 0 {
		first, err := ribbon.Build(slices.Values([][]filters.Hash{in}), filters.Config{FPR: min(rate, 0.5), Seed: c.Seed, Progress: share(c, 0, 0.4)})
		if err != nil {
			return nil, err
		}
		if payload, err = first.AppendBinary(nil); err != nil {
			return nil, err
		}
		out = held(first, out)
		f.file.Param |= hasFirst
	}
	if len(in) > 0 && f.excluded() > 0 {
		second, err := ribbon.BuildRetrieval(func(yield func(filters.Hash, uint32) bool) {
			for value, set := range [][]filters.Hash{in, out} {
				for _, h := range set {
					if !yield(secondHash(h), uint32(value)) {
						return
					}
				}
			}
		}, 1, filters.Config{Seed: c.Seed, Progress: share(c, 0.4, 0.99)})
		if err != nil {
			return nil, err
		}
		if payload, err = second.AppendBinary(payload); err != nil {
			return nil, err
		}
		f.file.Param |= hasSecond
	}
	aligned := filters.Bytes(uint64(len(payload)))
	copy(aligned, payload)
	return view(f.file.With(aligned), nil)
}

// rising returns a Config.Progress that does not hear of less than before, when a
// file has come to more than was planned and is built again.
func rising(tell func(done float64)) func(done float64) {
	if tell == nil {
		return nil
	}
	told := 0.0
	return func(done float64) {
		if done >= told {
			told = done
			tell(done)
		}
	}
}

// share returns what tells c.Progress of a part of the work, from begin to end.
func share(c filters.Config, begin, end float64) func(float64) {
	if c.Progress == nil {
		return nil
	}
	return func(done float64) { c.Progress(begin + done*(end-begin)) }
}

// held returns the hashes that a filter holds.
func held(f *ribbon.Filter, hashes []filters.Hash) (in []filters.Hash) {
	hits := bitset.New(chunkLen)
	for chunk := range slices.Chunk(hashes, chunkLen) {
		f.MayContainBatch(chunk, hits)
		for i := range hits.EachSet() {
			in = append(in, chunk[i])
		}
	}
	return in
}
