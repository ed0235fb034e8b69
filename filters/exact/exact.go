package exact

import (
	"fmt"
	"io"
	"iter"

	"github.com/bits-and-blooms/bitset"

	"github.com/tamis-filter/tamis/asm"
	"github.com/tamis-filter/tamis/filters"
	"github.com/tamis-filter/tamis/ribbon"
)

// Filter holds one set and excludes another. Nothing changes it, so its methods are
// safe for any number of goroutines. The zero value holds nothing.
type Filter struct {
	file   filters.Envelope  // Size is the number of keys and excluded keys, Param the parts
	first  *ribbon.Filter    // nil if it is left out
	second *ribbon.Retrieval // nil if nothing is excluded
}

var _ filters.Filter = (*Filter)(nil)

// The parts, as bits of Param.
const (
	hasFirst  = 1
	hasSecond = 2
)

// Family describes this package to package all: filters that exclude nothing.
func Family() filters.Family {
	build := func(hashes iter.Seq[[]filters.Hash], c filters.Config) (*Filter, error) { return Build(hashes, nil, c) }
	size := func(c filters.Config) (filters.Size, error) { return Size(c, 0) }
	f := filters.Static(filters.Exact, "two ribbons: wrong about no key of a list that it must not hold; static", build, Open, size)
	f.OpenUnverified = filters.Opener(OpenUnverified)
	return f
}

// secondRound makes the hash of a key in the second part another one than in the
// first: were both of one system of equations, a stranger that the first part holds
// would be held by the second.
const secondRound = 1 << 10

func secondHash(h filters.Hash) filters.Hash {
	return filters.Hash(asm.RibbonRehash(uint64(h), secondRound))
}

// Open makes a view of a filter file, without a copy: data must not change while
// the filter is in use. It reads all of data once, for the checksum.
func Open(data []byte) (*Filter, error) { return view(filters.Decode(data, filters.Exact)) }

// OpenUnverified is Open but for the payload's checksum: for bytes that are
// verified elsewhere, as the blocks of a database are. Of the payload it reads the
// headers and tables of the parts: O(1). Damage elsewhere gives wrong answers, and
// no other harm.
func OpenUnverified(data []byte) (*Filter, error) {
	return view(filters.DecodeUnverified(data, filters.Exact))
}

// view makes a view of what a file decodes to.
func view(file filters.Envelope, err error) (*Filter, error) {
	if err != nil {
		return nil, err
	}
	f := &Filter{file: file}
	if file.Param < 1 || file.Param > hasFirst|hasSecond {
		return nil, filters.Malformed("parts", file.Param, "must be 1 to 3")
	}
	if file.Keys != file.Capacity {
		return nil, filters.Malformed("keys", file.Keys, fmt.Sprintf("must be the capacity, %d", file.Capacity))
	}
	if file.Size < file.Keys || file.Size-file.Keys > filters.MaxKeys {
		return nil, filters.Malformed("size", file.Size, fmt.Sprintf("must be the keys, %d, and up to 2^40 excluded ones", file.Keys))
	}
	if (file.Param&hasSecond != 0) != (file.Keys != 0 && f.excluded() != 0) {
		return nil, filters.Malformed("parts", file.Param, fmt.Sprintf("but there are %d keys and %d excluded", file.Keys, f.excluded()))
	}
	// The file's checksum, if it was looked at, was over the parts too.
	rest := file.Payload
	if file.Param&hasFirst != 0 {
		data := rest
		if file.Param&hasSecond != 0 {
			_, n, err := filters.ReadHeader(rest)
			if err != nil {
				return nil, fmt.Errorf("first part: %w", err)
			}
			data = rest[:min(n, uint64(len(rest)))]
		}
		rest = rest[len(data):]
		if f.first, err = ribbon.OpenUnverified(data); err != nil {
			return nil, fmt.Errorf("first part: %w", err)
		}
		if err := f.checkPart("first part", f.first.Info(), file.Keys, file.Keys); err != nil {
			return nil, err
		}
	}
	if file.Param&hasSecond != 0 {
		if f.second, err = ribbon.OpenRetrievalUnverified(rest); err != nil {
			return nil, fmt.Errorf("second part: %w", err)
		}
		info := f.second.Info()
		if err := f.checkPart("second part", info, file.Keys, file.Size); err != nil {
			return nil, err
		}
		if info.DesignFPR != 0.5 {
			return nil, filters.Malformed("second part, columns", info.Layout, "must be 1")
		}
	}
	return f, nil
}

// checkPart refuses a part that is not of this filter.
func (f *Filter) checkPart(part string, info filters.Info, leastKeys, mostKeys uint64) error {
	if info.Seed != f.file.Seed {
		return filters.Malformed(part+", seed", info.Seed, fmt.Sprintf("must be %d", f.file.Seed))
	}
	if info.Keys < leastKeys || info.Keys > mostKeys {
		return filters.Malformed(part+", keys", info.Keys, fmt.Sprintf("must be %d to %d", leastKeys, mostKeys))
	}
	return nil
}

func (f *Filter) excluded() uint64 { return f.file.Size - f.file.Keys }

func (f *Filter) hasher() filters.Hasher { return filters.Hasher{Seed: f.file.Seed} }

// MayContain implements filters.Filter.
func (f *Filter) MayContain(key []byte) bool { return f.MayContainHash(f.hasher().Bytes(key)) }

// MayContainString implements filters.Filter.
func (f *Filter) MayContainString(key string) bool { return f.MayContainHash(f.hasher().String(key)) }

// MayContainHash implements filters.Filter.
func (f *Filter) MayContainHash(h filters.Hash) bool {
	switch f.file.Param {
	case hasFirst:
		return f.first.MayContainHash(h)
	case hasSecond:
		return f.second.Zero(secondHash(h))
	case hasFirst | hasSecond:
		return f.first.MayContainHash(h) && f.second.Zero(secondHash(h))
	}
	return false
}

// MayContainBatch implements filters.Filter.
func (f *Filter) MayContainBatch(hashes []filters.Hash, hits *bitset.BitSet) int {
	if f.file.Param == hasFirst {
		return f.first.MayContainBatch(hashes, hits)
	}
	words := filters.Answers(len(hashes), hits)
	if f.file.Param == 0 {
		clear(words)
		return 0
	}
	count := 0
	for len(words) > 0 {
		n := min(len(hashes), chunkLen)
		count += f.chunk(hashes[:n], words[:(n+63)/64])
		hashes, words = hashes[n:], words[(n+63)/64:]
	}
	return count
}

// chunkLen is how many hashes go through both parts at a time.
const chunkLen = 1024

// chunk tests a chunk of hashes of a filter that has a second part.
func (f *Filter) chunk(hashes []filters.Hash, words []uint64) (count int) {
	var wordsOfParts [chunkLen / 64]uint64
	hits := bitset.From(wordsOfParts[:])
	if f.first != nil {
		f.first.MayContainBatch(hashes, hits)
		copy(words, wordsOfParts[:])
	}
	var left [chunkLen]filters.Hash // that the first part holds, as the second knows them
	var places [chunkLen]uint16
	n := 0
	for i, h := range hashes {
		if f.first == nil || words[i/64]>>(i%64)&1 != 0 {
			left[n], places[n] = secondHash(h), uint16(i)
			n++
		}
	}
	count = f.second.ZeroBatch(left[:n], hits)
	clear(words)
	for i, place := range places[:n] {
		words[place/64] |= wordsOfParts[i/64] >> (i % 64) & 1 << (place % 64)
	}
	return count
}

// Info implements filters.Filter. Kernel and Fill are the first part's, if there is
// one. O(1).
func (f *Filter) Info() filters.Info {
	info := filters.Describe(&f.file)
	rate := 1.0
	if f.first != nil {
		first := f.first.Info()
		info.Kernel, info.Fill = first.Kernel, first.Fill
		if f.file.Keys > 0 {
			info.Layout = "first: " + first.Layout
		}
		rate = first.DesignFPR
	}
	if f.second != nil {
		second := f.second.Info()
		if f.first != nil {
			info.Layout += "; "
		} else {
			info.Kernel, info.Fill = second.Kernel, second.Fill
		}
		info.Layout += fmt.Sprintf("second: %d keys, %s; excluded: %d", second.Keys, second.Layout, f.excluded())
		rate /= 2
	}
	if f.file.Keys > 0 {
		info.DesignFPR, info.ExpectedFPR = rate, rate
	}
	return info
}

// AppendBinary implements filters.Filter.
func (f *Filter) AppendBinary(b []byte) ([]byte, error) { return f.file.AppendBinary(b) }

// WriteTo implements filters.Filter.
func (f *Filter) WriteTo(w io.Writer) (int64, error) { return f.file.WriteTo(w) }

// MarshalBinary implements encoding.BinaryMarshaler.
func (f *Filter) MarshalBinary() ([]byte, error) { return f.AppendBinary(nil) }

// UnmarshalBinary implements encoding.BinaryUnmarshaler: f becomes the filter of a
// file, with a copy of its bytes. On an error it is as it was.
func (f *Filter) UnmarshalBinary(data []byte) error {
	g, err := Open(data)
	if err != nil {
		return err
	}
	g, err = view(g.file.Clone(), nil)
	if err != nil {
		return err
	}
	*f = *g
	return nil
}

// ReadFrom is UnmarshalBinary of the file that comes next from r. It reads no byte
// beyond that, so files may follow one another. At the end of r the error wraps
// io.EOF.
func (f *Filter) ReadFrom(r io.Reader) (int64, error) {
	g, n, err := filters.LoadFrom(r, Open)
	if err == nil {
		*f = *g
	}
	return n, err
}
