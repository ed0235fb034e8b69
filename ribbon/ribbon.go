package ribbon

import (
	"io"
	"iter"

	"github.com/bits-and-blooms/bitset"

	"github.com/tamis-filter/tamis/asm"
	"github.com/tamis-filter/tamis/filters"
)

// Filter is a ribbon filter. Nothing changes it, so its methods are safe for any
// number of goroutines. The zero value holds nothing.
type Filter struct {
	ribbon  asm.Ribbon       // of no layers if there are no keys
	file    filters.Envelope // Size is the rows of all layers, Param the columns, Payload as table.go has it
	columns columns
}

var _ filters.Filter = (*Filter)(nil)

// Family describes this package to package all.
func Family() filters.Family {
	f := filters.Static(filters.Ribbon, "rows of a linear system: the smallest; static, built whole from all keys", Build, Open, Size)
	f.OpenUnverified = filters.Opener(OpenUnverified)
	return f
}

// Build makes a filter of all distinct hashes, sized for their number whatever
// c.Keys says. The file depends on the set of hashes and on c alone. O(n), on up
// to GOMAXPROCS goroutines. While it works it takes, beyond the filter, 16 bytes per
// hash to sort them, and then 12 for each row. c.MaxBuildBytes counts both, although
// some of the first can be free again by then.
func Build(hashes iter.Seq[[]filters.Hash], c filters.Config) (*Filter, error) {
	return build(hashes, c, lastLayerAttempts)
}

func build(hashes iter.Seq[[]filters.Hash], c filters.Config, attempts int) (*Filter, error) {
	distinct, memory, c, err := filters.GatherDistinct(hashes, c)
	if err != nil {
		return nil, err
	}
	return solved(filters.Ribbon, keys{hashes: filters.Raw(distinct)}, memory, c, attempts)
}

// solved makes the filter in which the equations of sorted keys hold, which took
// some memory already. It overwrites them.
func solved(kind filters.Kind, in keys, memory uint64, c filters.Config, attempts int) (*Filter, error) {
	n := uint64(len(in.hashes))
	c.Keys = max(1, n)
	size, err := Size(c)
	if err != nil {
		return nil, err
	}
	memory += solvedBytes(n, in.values != nil) + size.Bytes
	if err := c.CheckBuild(memory); err != nil {
		return nil, err
	}
	// Sorting takes about as long as banding or solving does.
	progress := c.Work(3 * n)
	progress.Add(n)
	bands, lastRound, err := layers(in, attempts, tiled(c), progress)
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
		Kind:     kind,
		Param:    uint8(chosen.wide),
		Seed:     c.Seed,
		Keys:     n,
		Capacity: n,
		Size:     rows,
		Payload:  filters.Bytes(payloadBytes(blocks, chosen)),

		BuildBytes: memory,
	})
	t.encode(f.file.Payload)
	for i, b := range bands {
		solve(b, &f.ribbon.Layers[i], progress)
		copy(f.ribbon.Layers[i].Thresholds, b.thresholds)
	}
	progress.End()
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
	return asm.HasRibbon(&f.ribbon, uint64(h))
}

// MayContainBatch implements filters.Filter.
func (f *Filter) MayContainBatch(hashes []filters.Hash, hits *bitset.BitSet) int {
	words := filters.Answers(len(hashes), hits)
	if len(f.ribbon.Layers) == 0 {
		clear(words)
		return 0
	}
	return asm.ProbeRibbon(&f.ribbon, filters.Raw(hashes), words)
}

// Info implements filters.Filter. O(1).
func (f *Filter) Info() filters.Info {
	info := filters.Describe(&f.file)
	if len(f.ribbon.Layers) == 0 {
		return info
	}
	info.Layout = layout(f.columns, len(f.ribbon.Layers))
	info.Kernel = asm.RibbonLevel(&f.ribbon).String()
	info.DesignFPR = f.columns.rate()
	info.ExpectedFPR = info.DesignFPR
	info.Fill = float64(f.file.Keys) / float64(f.file.Size)
	return info
}

// AppendBinary implements filters.Filter.
func (f *Filter) AppendBinary(b []byte) ([]byte, error) { return f.file.AppendBinary(b) }

// WriteTo implements filters.Filter.
func (f *Filter) WriteTo(w io.Writer) (int64, error) { return f.file.WriteTo(w) }
