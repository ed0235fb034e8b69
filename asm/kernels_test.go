package asm

import (
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"
)

// atEachLevel runs f under every level that this machine has.
func atEachLevel(f func(Level)) {
	defer func(l Level) { level = l }(level)
	for _, l := range Levels() {
		level = l
		f(l)
	}
}

// probe is a batch of answers of some function: a word for every 64 hashes.
type probe func(hashes, hits []uint64) int

// sameAtEachLevel compares a probe's answers under every level with those of
// the portable code.
func sameAtEachLevel(t *testing.T, name string, hashes []uint64, p probe) {
	t.Helper()
	var want []uint64
	wantCount := 0
	atEachLevel(func(l Level) {
		got := slices.Repeat([]uint64{^uint64(0)}, (len(hashes)+63)/64)
		count := p(hashes, got)
		if l == Generic {
			want, wantCount = got, count
		} else if count != wantCount || !slices.Equal(got, want) {
			t.Fatalf("%s, %d hashes, %v: %d %x, want %d %x", name, len(hashes), l, count, got, wantCount, want)
		}
	})
}

// single is a probe that tests one hash after the other.
func single(has func(h uint64) bool) probe {
	return func(hashes, hits []uint64) int {
		clear(hits)
		count := 0
		for i, h := range hashes {
			if has(h) {
				hits[i/64] |= 1 << (i % 64)
				count++
			}
		}
		return count
	}
}

// filled is an array of each family, of about as many blocks, half full of some
// of the hashes.
type filled struct {
	lines, blocks []byte
	bits          []byte // of a standard filter
	m             uint64
	k             int
	tables        map[int][]byte // by fingerprint bits
	ribbons       []*Ribbon
	count         int
}

func fill(r *rand.Rand, hashes []uint64, count, k int) *filled {
	f := &filled{lines: make([]byte, count*LineBytes), blocks: make([]byte, count*SplitBytes), k: k, tables: map[int][]byte{}, count: count}
	f.m = uint64(count)*37 - uint64(k) // of no special shape
	f.bits = make([]byte, (f.m+63)/64*8)
	half := hashes[:len(hashes)/2]
	for range f.m / uint64(k+1) {
		AddStandard(f.bits, f.m, k, r.Uint64())
	}
	for _, h := range half[:len(half)/8] {
		AddStandard(f.bits, f.m, k, h)
	}
	for i := range count*LineBytes*8/k/2 + len(half) {
		h := r.Uint64()
		if i < len(half) {
			h = half[i]
		}
		AddBlocked(f.lines, k, h)
		if i < count*16 || i < len(half) {
			AddSplit(f.blocks, h)
		}
	}
	for _, bits := range fingerprintBits {
		table := make([]byte, count*CuckooBucketBytes(bits)+CuckooPadding)
		for _, h := range half {
			fp, bucket := CuckooPlace(h, uint64(count), bits)
			if r.IntN(2) == 0 {
				bucket = CuckooOther(bucket, fp, uint64(count))
			}
			CuckooSetSlot(table, bits, bucket, r.IntN(4), fp)
		}
		f.tables[bits] = table
	}
	for i, columns := range []int{8, 8, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 14, 16, 17, 32} {
		ribbon := randomRibbon(r, uint64(count), columns, 1+i%MaxRibbonLayers, i < 2)
		zero := withArrays(ribbon, func(b []byte) []byte { return make([]byte, len(b)) }) // which a hash whose fingerprint is 0 is in
		f.ribbons = append(f.ribbons, ribbon, zero)
	}
	return f
}

// randomRibbon is a ribbon of random bits, its first layer of count blocks with starts
// and the others smaller.
func randomRibbon(r *rand.Rand, count uint64, columns, layers int, tiled bool) *Ribbon {
	var list []RibbonLayer
	for i := range layers {
		l := RibbonLayer{Starts: 64 * count, Columns: columns, Tiled: tiled}
		if !tiled && columns > 1 {
			l.Narrow = r.Uint64N(count + 1)
		}
		l.Solution = make([]byte, l.BlockOffset(count+1))
		for i := range l.Solution {
			l.Solution[i] = byte(r.Uint32())
		}
		if i < layers-1 {
			l.Thresholds = make([]byte, (count+63)/64*8)
			for i := range l.Thresholds {
				l.Thresholds[i] = byte(r.Uint32())
			}
		}
		list = append(list, l)
		count = count/3 + 1
	}
	ribbon := MakeRibbon(list, uint64(layers-1)+MaxRibbonLayers*r.Uint64N(3))
	return &ribbon
}

// withArrays is a ribbon with other arrays in place of its own.
func withArrays(ribbon *Ribbon, other func([]byte) []byte) *Ribbon {
	layers := slices.Clone(ribbon.Layers)
	for i := range layers {
		l := &layers[i]
		l.Solution = other(l.Solution)
		if l.Thresholds != nil {
			l.Thresholds = other(l.Thresholds)
		}
	}
	moved := MakeRibbon(layers, ribbon.LastRound)
	return &moved
}

func (f *filled) check(t *testing.T, hashes []uint64) {
	t.Helper()
	sameAtEachLevel(t, fmt.Sprintf("standard, %d bits, k = %d", f.m, f.k), hashes, func(h, hits []uint64) int { return ProbeStandard(f.bits, f.m, f.k, h, hits) })
	sameAtEachLevel(t, fmt.Sprintf("blocked, %d lines, k = %d", f.count, f.k), hashes, func(h, hits []uint64) int { return ProbeBlocked(f.lines, f.k, h, hits) })
	sameAtEachLevel(t, fmt.Sprintf("split, %d blocks", f.count), hashes, func(h, hits []uint64) int { return ProbeSplit(f.blocks, h, hits) })
	sameAtEachLevel(t, fmt.Sprintf("blocked, alone, %d lines, k = %d", f.count, f.k), hashes, single(func(h uint64) bool { return HasBlocked(&f.lines, f.k, h) }))
	sameAtEachLevel(t, fmt.Sprintf("split, alone, %d blocks", f.count), hashes, single(func(h uint64) bool { return HasSplit(&f.blocks, h) }))
	for bits, table := range f.tables {
		sameAtEachLevel(t, fmt.Sprintf("cuckoo, %d buckets of %d bits", f.count, bits), hashes, func(h, hits []uint64) int { return ProbeCuckoo(table, uint64(f.count), bits, h, hits) })
	}
	for i, l := range f.ribbons {
		sameAtEachLevel(t, fmt.Sprintf("ribbon %d, %d starts", i, l.Layers[0].Starts), hashes, func(h, hits []uint64) int { return ProbeRibbon(l, h, hits) })
		sameAtEachLevel(t, fmt.Sprintf("ribbon %d, alone, %d starts", i, l.Layers[0].Starts), hashes, single(func(h uint64) bool { return HasRibbon(l, h) }))
	}
}

// edges are hashes at which an index or a field is at its end.
var edges = []uint64{0, 1, 1<<32 - 1, 1 << 32, 1<<63 - 1, 1 << 63, 1<<64 - 1, 0xffffffff << 32}

func randomHashes(r *rand.Rand, n int) []uint64 {
	hashes := slices.Clone(edges)
	for len(hashes) < n {
		hashes = append(hashes, r.Uint64())
	}
	return hashes[:n]
}

// Every length of a batch up to four words and one.
func TestKernelsAtEveryLength(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	hashes := randomHashes(r, 257)
	f := fill(r, hashes, 20, 6)
	for n := range 258 {
		f.check(t, hashes[:n])
	}
}

// Every number of blocks up to 70, every k, every place of the hashes within a
// cache line.
func TestKernelsAtEverySize(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 2))
	step := 1
	if testing.Short() {
		step = 9
	}
	for count := 1; count <= 70; count += step {
		hashes := randomHashes(r, 400)
		f := fill(r, hashes, count, 1+count%MaxBlockedK)
		for from := range 8 {
			f.check(t, hashes[from:from+200+count])
		}
	}
	for k := 1; k <= MaxBlockedK; k++ {
		hashes := randomHashes(r, 1000)
		fill(r, hashes, 7, k).check(t, hashes)
	}
}

// Arrays at every alignment, as a view over someone else's bytes has them.
func TestKernelsAtEveryAlignment(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 3))
	hashes := randomHashes(r, 300)
	aligned := fill(r, hashes, 50, 8)
	for shift := 1; shift < 8; shift++ {
		move := func(b []byte) []byte { return append(make([]byte, shift, shift+len(b)), b...)[shift:] }
		f := &filled{lines: move(aligned.lines), blocks: move(aligned.blocks), bits: move(aligned.bits), m: aligned.m, k: 8, tables: map[int][]byte{}, count: 50}
		for bits, table := range aligned.tables {
			f.tables[bits] = move(table)
		}
		for _, ribbon := range aligned.ribbons {
			f.ribbons = append(f.ribbons, withArrays(ribbon, move))
		}
		f.check(t, hashes)
	}
}

// An array large enough that kernels ask for memory ahead.
func TestKernelsInLargeArrays(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 4))
	hashes := randomHashes(r, 20_000)
	count := 2 * farBytes / CuckooBucketBytes(8)
	if testing.Short() {
		count = 2 * farBytes / LineBytes
		hashes = hashes[:2000]
	}
	fill(r, hashes, count, 7).check(t, hashes)
}

// Every column of a ribbon decides alone: the others are 0, and so are their bits of
// the fingerprints.
func TestRibbonKernelsAtEveryColumn(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 8))
	factor := uint64(rowFactor)
	inverse := factor
	for range 5 {
		inverse *= 2 - factor*inverse
	}
	const blocks = 6
	test := func(columns, column int, tiled bool) {
		l := RibbonLayer{Starts: 64 * (blocks - 1), Columns: columns, Tiled: tiled}
		if !tiled && columns > 1 {
			l.Narrow = r.Uint64N(blocks)
		}
		l.Solution = make([]byte, l.BlockOffset(blocks))
		for block := range uint64(blocks) {
			words := make([]uint64, l.Width(block))
			if column < len(words) {
				words[column] = r.Uint64()
			}
			l.SetBlock(block, words)
		}
		hashes := make([]uint64, 130)
		for i := range hashes {
			hashes[i] = (r.Uint64N(2)<<(32+column) | r.Uint64N(1<<32)) * inverse
		}
		ribbon := MakeRibbon([]RibbonLayer{l}, 0)
		name := fmt.Sprintf("column %d of %d, %d narrow blocks", column, columns, l.Narrow)
		sameAtEachLevel(t, name, hashes, func(h, hits []uint64) int { return ProbeRibbon(&ribbon, h, hits) })
		sameAtEachLevel(t, name+", alone", hashes, single(func(h uint64) bool { return HasRibbon(&ribbon, h) }))
	}
	for columns := 1; columns <= 32; columns++ {
		for column := range columns {
			test(columns, column, false)
		}
	}
	for column := range 8 {
		test(8, column, true)
	}
}

// Adding by a kernel sets the bits that adding one by one sets.
func TestInsertKernels(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 5))
	hashes := randomHashes(r, 700)
	step := 3
	if testing.Short() {
		step = 23
	}
	for count := 1; count <= 70; count += step {
		for k := 1; k <= MaxBlockedK; k++ {
			for _, n := range []int{0, 1, 63, 64, 65, 128, 700} {
				lines, blocks := make([]byte, count*LineBytes), make([]byte, count*SplitBytes)
				for _, h := range hashes[:n] {
					AddBlocked(lines, k, h)
					AddSplit(blocks, h)
				}
				atEachLevel(func(l Level) {
					gotLines, gotBlocks := make([]byte, len(lines)), make([]byte, len(blocks))
					InsertBlocked(gotLines, k, hashes[:n])
					InsertSplit(gotBlocks, hashes[:n])
					if !slices.Equal(gotLines, lines) || !slices.Equal(gotBlocks, blocks) {
						t.Fatalf("%d blocks, k = %d, %d hashes, %v: other bits", count, k, n, l)
					}
				})
			}
		}
	}
}

func TestKernelsDoNotAllocate(t *testing.T) {
	r := rand.New(rand.NewPCG(6, 6))
	hashes := randomHashes(r, 200)
	f := fill(r, hashes, 20, 6)
	hits := make([]uint64, 4)
	b, masks := newTestBand(20*64), [RibbonBucket]uint64{}
	atEachLevel(func(l Level) {
		if n := testing.AllocsPerRun(10, func() {
			ProbeStandard(f.bits, f.m, 6, hashes, hits)
			ProbeBlocked(f.lines, 6, hashes, hits)
			ProbeSplit(f.blocks, hashes, hits)
			ProbeCuckoo(f.tables[12], 20, 12, hashes, hits)
			ProbeRibbon(f.ribbons[2], hashes, hits)
			InsertRibbon(b.coefficients, b.fingerprints, hashes[:1], nil, 20*64, 0, &masks)
			SolveRibbon(&f.ribbons[2].Layers[0], b.coefficients, b.fingerprints, 0, 20)
			InsertBlocked(f.lines, 6, hashes)
			InsertSplit(f.blocks, hashes)
		}); n != 0 {
			t.Errorf("%v: %v allocations", l, n)
		}
	})
}

func TestChoose(t *testing.T) {
	available := []Level{Generic, AVX2}
	for name, want := range map[string]Level{"": AVX2, "generic": Generic, "avx2": AVX2} {
		if got, err := choose(name, available); err != nil || got != want {
			t.Errorf("%q: %v, %v", name, got, err)
		}
	}
	for _, name := range []string{"avx512", "neon", "AVX2", "fast"} {
		if _, err := choose(name, available); err == nil || !strings.Contains(err.Error(), "generic, avx2") || !strings.Contains(err.Error(), name) {
			t.Errorf("%q: %v", name, err)
		}
	}
}

// What the environment says must be there is there: a machine without it fails
// this test, where others would pass without having run the kernels.
func TestRequiredKernels(t *testing.T) {
	for _, name := range strings.FieldsFunc(os.Getenv("REQUIRE_KERNELS"), func(r rune) bool { return r == ',' }) {
		if _, err := choose(name, Levels()); err != nil {
			t.Errorf("REQUIRE_KERNELS names %s, which this machine or build lacks", name)
		}
	}
	for _, k := range Kernels() {
		if k.Available != slices.Contains(Levels(), k.Level) || k.Name == "" || k.Level == Generic {
			t.Errorf("%+v", k)
		}
	}
}

// FuzzKernels compares the levels on hashes and arrays made of the input.
func FuzzKernels(f *testing.F) {
	f.Add(uint64(1), 3, 6, 100)
	f.Add(uint64(2), 1, 16, 8)
	f.Fuzz(func(t *testing.T, seed uint64, count, k, n int) {
		if count < 1 || count > 1000 || k < 1 || k > MaxBlockedK || n < 0 || n > 1000 {
			t.Skip()
		}
		r := rand.New(rand.NewPCG(seed, 7))
		hashes := randomHashes(r, n)
		fill(r, hashes, count, k).check(t, hashes)
	})
}

// The Makefile reads this line.
func TestLevels(t *testing.T) {
	names := make([]string, len(Levels()))
	for i, l := range Levels() {
		names[i] = l.String()
	}
	t.Logf("levels: %s", strings.Join(names, " "))
}
