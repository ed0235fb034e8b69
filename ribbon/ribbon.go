package ribbon

import (
	"io"
	"iter"
	"math/bits"

	"github.com/bits-and-blooms/bitset"

	"github.com/tamis-filter/tamis/asm"
	"github.com/tamis-filter/tamis/filters"
)

// Filter is a ribbon filter. Nothing changes it, so its methods are safe for any
// number of goroutines. The zero value holds nothing.
type Filter struct {
	file    filters.Envelope // Size is the rows of all layers, Param the columns, Payload as table.go has it
	columns columns
	layers  []asm.RibbonLayer
	// lastRound is the round of asm.RibbonRehash of the last layer.
	lastRound uint64
}

var _ filters.Filter = (*Filter)(nil)

// Family describes this package to package all.
func Family() filters.Family {
	f := filters.Static(filters.Ribbon, "rows of a linear system: the smallest; static, built whole from all keys", Build, Open, Size)
	f.OpenUnverified = filters.Opener(OpenUnverified)
	return f
}

// Build makes a filter of all distinct hashes, sized for their number whatever
// c.Keys says. While it works it takes about 30 bytes per hash beyond the filter.
func Build(hashes iter.Seq[[]filters.Hash], c filters.Config) (*Filter, error) {
	return build(hashes, c, lastLayerAttempts)
}

func build(hashes iter.Seq[[]filters.Hash], c filters.Config, attempts int) (*Filter, error) {
	distinct, c, err := filters.GatherDistinct(hashes, c)
	if err != nil {
		return nil, err
	}
	c.Keys = max(1, uint64(len(distinct)))
	if _, err := Size(c); err != nil {
		return nil, err
	}
	keys := uint64(len(distinct))
	bands, lastRound, err := layers(filters.Raw(distinct), attempts)
	if err != nil {
		return nil, err
	}
	blocks := make([]uint64, len(bands))
	rows := uint64(0)
	for i, b := range bands {
		blocks[i] = b.blocks()
		rows += 64 * blocks[i]
	}
	chosen, err := choose(c, blocks)
	if err != nil {
		return nil, err
	}
	t := table{columns: chosen, lastRound: lastRound, blocks: blocks}
	f := t.filter(filters.Envelope{
		Kind:     filters.Ribbon,
		Param:    uint8(chosen.wide),
		Seed:     c.Seed,
		Keys:     keys,
		Capacity: keys,
		Size:     rows,
		Payload:  filters.Bytes(payloadBytes(blocks, chosen)),
	})
	t.encode(f.file.Payload)
	for i, b := range bands {
		solve(b, &f.layers[i])
		copy(f.layers[i].Thresholds, b.thresholds)
	}
	return f, nil
}

// Open makes a view of a filter file, without a copy: data must not change
// while the filter is in use. It reads all of data once, for the checksum.
func Open(data []byte) (*Filter, error) {
	return view(filters.Decode(data, filters.Ribbon))
}

// OpenUnverified is Open but for the payload's checksum: for bytes that are
// verified elsewhere, as the blocks of a database are. It does not read the
// payload but for its table: O(1). Damage there gives wrong answers, and no other
// harm.
func OpenUnverified(data []byte) (*Filter, error) {
	return view(filters.DecodeUnverified(data, filters.Ribbon))
}

// view makes a view of what a file decodes to.
func view(file filters.Envelope, err error) (*Filter, error) {
	if err != nil {
		return nil, err
	}
	t, err := decodeTable(&file)
	if err != nil {
		return nil, err
	}
	return t.filter(file), nil
}

func (f *Filter) hasher() filters.Hasher { return filters.Hasher{Seed: f.file.Seed} }

// MayContain implements filters.Filter.
func (f *Filter) MayContain(key []byte) bool { return f.MayContainHash(f.hasher().Bytes(key)) }

// MayContainString implements filters.Filter.
func (f *Filter) MayContainString(key string) bool { return f.MayContainHash(f.hasher().String(key)) }

// MayContainHash implements filters.Filter.
func (f *Filter) MayContainHash(h filters.Hash) bool {
	x := uint64(h)
	for i := range f.layers {
		x = asm.RibbonRehash(x, f.round(i))
		has, bumped := asm.HasRibbon(&f.layers[i], x)
		if !bumped {
			return has
		}
	}
	return false
}

// round returns the round of asm.RibbonRehash of a layer.
func (f *Filter) round(layer int) uint64 {
	if layer == len(f.layers)-1 {
		return f.lastRound
	}
	return uint64(layer)
}

// MayContainBatch implements filters.Filter.
func (f *Filter) MayContainBatch(hashes []filters.Hash, hits *bitset.BitSet) int {
	words := filters.Answers(len(hashes), hits)
	count := 0
	for len(hashes) > 0 {
		n := min(len(hashes), chunkLen)
		count += f.probeChunk(filters.Raw(hashes[:n]), words[:(n+63)/64])
		hashes, words = hashes[n:], words[(n+63)/64:]
	}
	return count
}

// chunkLen bounds the hashes that go down the layers together, a multiple of 64.
const chunkLen = 512

// probeChunk probes a layer after the other, each with what the one before
// bumped. answers has a word for every 64 hashes.
func (f *Filter) probeChunk(hashes, answers []uint64) int {
	if len(f.layers) == 0 {
		clear(answers)
		return 0
	}
	var (
		bumped [chunkLen / 64]uint64
		left   [chunkLen]uint64 // the hashes that are not answered yet
		index  [chunkLen]int    // which they are
	)
	if round := f.round(0); round != 0 {
		for i, h := range hashes {
			left[i] = asm.RibbonRehash(h, round)
		}
		hashes = left[:len(hashes)]
	}
	count := asm.ProbeRibbon(&f.layers[0], hashes, answers, bumped[:len(answers)])
	n := 0
	for w := range answers {
		for m := bumped[w]; m != 0; m &= m - 1 {
			index[n] = 64*w + bits.TrailingZeros64(m)
			left[n] = hashes[index[n]]
			n++
		}
	}
	for i := 1; n > 0; i++ { // the last layer bumps nothing
		round := f.round(i)
		for j, h := range left[:n] {
			left[j] = asm.RibbonRehash(h, round)
		}
		var hits [chunkLen / 64]uint64
		words := (n + 63) / 64
		count += asm.ProbeRibbon(&f.layers[i], left[:n], hits[:words], bumped[:words])
		n = 0
		for w := range words {
			for m := hits[w]; m != 0; m &= m - 1 {
				at := index[64*w+bits.TrailingZeros64(m)]
				answers[at/64] |= 1 << (at % 64)
			}
			for m := bumped[w]; m != 0; m &= m - 1 {
				j := 64*w + bits.TrailingZeros64(m)
				left[n], index[n] = left[j], index[j]
				n++
			}
		}
	}
	return count
}

// Info implements filters.Filter. O(1).
func (f *Filter) Info() filters.Info {
	info := filters.Describe(&f.file)
	if len(f.layers) == 0 {
		return info
	}
	info.Layout = layout(f.columns, len(f.layers))
	info.Kernel = asm.RibbonLevel(&f.layers[0]).String()
	info.DesignFPR = f.columns.rate()
	info.ExpectedFPR = info.DesignFPR
	info.Fill = float64(f.file.Keys) / float64(f.file.Size)
	return info
}

// AppendBinary implements filters.Filter.
func (f *Filter) AppendBinary(b []byte) ([]byte, error) { return f.file.AppendBinary(b) }

// WriteTo implements filters.Filter.
func (f *Filter) WriteTo(w io.Writer) (int64, error) { return f.file.WriteTo(w) }
