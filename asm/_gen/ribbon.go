package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/ir"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// Multipliers of asm/ribbon.go.
const (
	coefficientFactor = 0xd1342543de82ef95
	rowFactor         = 0xaf251af3b0f025b5
)

// The fields of ribbonPart.
const (
	partSolution   = 0
	partStarts     = 8
	partThresholds = 16
	partShift      = 24
	partAdd        = 32
	partNarrow     = 40
	partColumns    = 48
	partTileStarts = 56
	partSize       = 64
)

// shared is a table that several kernels read.
func shared(name string, words ...uint64) Mem {
	if _, ok := sharedTables[name]; !ok {
		sharedTables[name] = table(name, words...)
	}
	return sharedTables[name]
}

var sharedTables = map[string]Mem{}

// factor is a multiplier in memory.
func factor(x uint64) Mem { return shared(fmt.Sprintf("factor%x", x), x) }

func ribbon() {
	ribbonTiles512()
	ribbonSingle()
	ribbonTiles256()
	ribbonColumns512()
	ribbonColumns256()
}

// ribbonLoop is the loop of every kernel over chunks of hashes. A chunk takes four
// turns, so that nothing waits for what was computed just before:
//
//	prepare  the chunk in a buffer, as if all of it were in the first layer
//	look up  its thresholds
//	put right the hashes that are bumped, and ask for all memory
//	work
//
// In each turn there are chunks at all four, but in the first turns and the last.
type ribbonLoop struct {
	bufStart, bufCodes       int // 8 bytes: the start in the first layer; 1 byte: its thresholds
	memory                   []field
	base, hashes             Register
	worked, asked, looked    Register // buffers
	ahead, shift, thresholds Register
	stages, hits             Mem // a bit for each of the four that has a chunk; where its answers belong
	labels                   int
}

// The bits of stages.
const (
	preparing = 1 << iota
	lookingUp
	puttingRight
	working
)

func newRibbonLoop(bufStart, bufCodes int, memory ...field) *ribbonLoop {
	return &ribbonLoop{bufStart: bufStart, bufCodes: bufCodes, memory: memory, ahead: GP64(), shift: GP64(), thresholds: RSI}
}

// run emits the loop. bumped returns which hashes of the chunk to be put right are
// bumped, and place puts one of these right, between what first and second emit:
// the other steps.
func (p *ribbonLoop) run(bufBytes int, bumped func(buf Register) Register, place func(base, buf, i, h, start, part Register), first, second func()) {
	p.base = Load(Param("solution"), GP64())
	p.hashes = Load(Param("hashes"), GP64())
	p.stages, p.hits = AllocLocal(8), AllocLocal(8)
	left, later := AllocLocal(8), AllocLocal(8)
	MOVQ(Load(Param("hits"), GP64()), p.hits)
	MOVQ(Load(Param("chunks"), GP64()), left)
	stages := GP64()
	XORL(stages.As32(), stages.As32())
	MOVQ(stages, p.stages)
	local := AllocLocal(3*bufBytes + 64)
	Comment("buffers lie on a cache line")
	p.worked, p.asked, p.looked = GP64(), GP64(), GP64()
	LEAQ(local, p.worked)
	ADDQ(Imm(63), p.worked)
	ANDQ(I32(-64), p.worked)
	LEAQ(Mem{Base: p.worked, Disp: bufBytes}, p.asked)
	LEAQ(Mem{Base: p.asked, Disp: bufBytes}, p.looked)

	Label("turn")
	MOVQ(p.stages, stages)
	ADDL(stages.As32(), stages.As32())
	ANDL(Imm(working<<1-1), stages.As32())
	CMPQ(left, Imm(0))
	JE(LabelRef("prepared"))
	DECQ(left)
	INCL(stages.As32())
	Label("prepared")
	MOVQ(stages, p.stages)
	TESTL(stages.As32(), stages.As32())
	JZ(LabelRef("done"))
	MOVQ(bumped(p.asked), later)
	first()
	XORL(p.ahead.(GP).As32(), p.ahead.(GP).As32())
	p.at(puttingRight, func() {
		m := GP64()
		MOVQ(later, m)
		p.bumped(m, func(i, h, start, part Register) { place(p.base, p.asked, i, h, start, part) })
		Load(Param("ahead"), p.ahead)
	})
	second()
	ADDQ(I32(chunk*8), p.hashes)
	XCHGQ(p.worked, p.asked)
	XCHGQ(p.asked, p.looked)
	JMP(LabelRef("turn"))
	Label("done")
}

// at emits what is left out in turns without a chunk at a stage.
func (p *ribbonLoop) at(stage uint64, body func()) {
	p.labels++
	name := fmt.Sprintf("after%d", p.labels)
	TESTB(Imm(stage), p.stages)
	JZ(LabelRef(name))
	body()
	Label(name)
}

// answer emits the storing of a word of answers.
func (p *ribbonLoop) answer(store func(to Mem)) {
	to := GP64()
	MOVQ(p.hits, to)
	store(Mem{Base: to})
	ADDQ(Imm(8), p.hits)
}

// place8 is where element i of a group of eight of an array of a buffer is.
type place8 func(buf Register, array, i, size int) Mem

// rolled is place8 in a loop, unrolled without one.
func rolled(at Register) place8 {
	return func(buf Register, array, i, size int) Mem {
		return Mem{Base: buf, Index: at, Scale: uint8(size), Disp: array + size*i}
	}
}

func unrolled(group int) place8 {
	return func(buf Register, array, i, size int) Mem { return Mem{Base: buf, Disp: array + size*(8*group+i)} }
}

// loadThresholds emits what lookUp needs.
func (p *ribbonLoop) loadThresholds() {
	parts := Load(Param("parts"), GP64())
	MOVQ(Mem{Base: parts, Disp: partThresholds}, p.thresholds)
	MOVQ(Mem{Base: parts, Disp: partShift}, p.shift)
}

// lookUp emits the looking up of the thresholds of eight hashes, two between turns of
// the register that gathers them. Its second byte can be loaded only from an address
// in the old registers.
func (p *ribbonLoop) lookUp(at place8) {
	XORL(EBX, EBX)
	for i := range 8 {
		SHRXQ(p.shift, at(p.looked, p.bufStart, i, 8), RCX)
		if i%2 == 0 {
			MOVB(Mem{Base: p.thresholds, Index: RCX, Scale: 1}, BL)
		} else {
			MOVB(Mem{Base: p.thresholds, Index: RCX, Scale: 1}, BH)
			RORQ(Imm(16), RBX)
		}
	}
	MOVQ(RBX, at(p.looked, p.bufCodes, 0, 1))
}

// ask emits the asking for the memory of eight hashes in each of some places. It goes
// to the second cache: more reads can be under way there than to the first, and
// from there work does not wait long.
func (p *ribbonLoop) ask(places ...place8) {
	p.labels++
	near := fmt.Sprintf("near%d", p.labels)
	x := GP64()
	TESTQ(p.ahead, p.ahead)
	JZ(LabelRef(near))
	for _, at := range places {
		for i := range 8 {
			for _, f := range p.memory {
				MOVQ(at(p.asked, f.at, i, 8), x)
				for _, d := range f.ends {
					PREFETCHT1(Mem{Base: p.base, Index: x, Scale: 1, Disp: d})
				}
			}
		}
	}
	Label(near)
}

// bumped emits the loop over the hashes, a bit of m each, that the first layer
// does not hold: it takes them down the layers.
func (p *ribbonLoop) bumped(m Register, place func(i, h, start, part Register)) {
	TESTQ(m, m)
	JZ(LabelRef("placed"))
	Label("bumped")
	i, h, part, x, y, start := GP64(), RDX, GP64(), GP64(), GP64(), GP64()
	TZCNTQ(m, i)
	MOVQ(Mem{Base: p.hashes, Index: i, Scale: 8, Disp: -16 * chunk}, h)
	Load(Param("parts"), part)
	Label("down")
	rehash(part, h, x)
	find(part, h, start, x, y, "down")
	place(i, h, start, part)
	BLSRQ(m, m)
	JNZ(LabelRef("bumped"))
	Label("placed")
}

// rehash emits the step from a layer to the next: part, and h = RibbonRehash(h, its
// round).
func rehash(part, h, x Register) {
	ADDQ(Imm(partSize), part)
	ADDQ(Mem{Base: part, Disp: partAdd}, h)
	for _, step := range []struct{ shift, factor uint64 }{{32, coefficientFactor}, {29, rowFactor}, {32, 1}} {
		MOVQ(h, x)
		SHRQ(Imm(step.shift), x)
		XORQ(x, h)
		if step.factor != 1 {
			IMULQ(factor(step.factor), h)
		}
	}
}

// find emits the start of h, RDX, in a layer, and a jump if h is bumped from there.
func find(part, h, start, x, y Register, bumped string) {
	MULXQ(Mem{Base: part, Disp: partStarts}, x, start)
	bump(part, start, x, y, bumped)
}

// bump emits a jump if what starts there is bumped.
func bump(part, start, x, y Register, bumped string) {
	codes := GP64()
	MOVQ(Mem{Base: part, Disp: partShift}, x)
	SHRXQ(x, start, x)
	RORXQ(Imm(1), start, y)
	MOVBLZX(y.(GP).As8(), y.(GP).As32())
	MOVQ(Mem{Base: part, Disp: partThresholds}, codes)
	MOVBLZX(Mem{Base: codes, Index: x, Scale: 1}, codes.As32())
	LEAQ(bumps(), x)
	ANDB(Mem{Base: x, Index: y, Scale: 1}, codes.As8())
	CMPB(codes.As8(), Mem{Base: x, Index: y, Scale: 1, Disp: 256})
	JHI(LabelRef(bumped))
}

// firstLayer is the part of an AVX-512 kernel that both layouts have: where a hash
// starts in the first layer, and whether it is bumped.
//
// threshold1 and threshold2 are those of RibbonThreshold between 0 and all.
const threshold1, threshold2 = 18, 38

// The thresholds of four buckets are a byte, and are even. So of a start bits 1 to 8
// decide: the lower six are half of the offset in its bucket, the upper two choose
// the threshold in the byte, which is number start/512.
type firstLayer struct {
	bufDecides, bufCodes   int // 1 byte: the bits that decide, and the thresholds
	starts                 VecVirtual
	lowest2, offset, bits2 VecVirtual
	limit1, limit2, class1 VecVirtual
	class2                 VecVirtual
	coefficient, row, one  VecVirtual
}

func newFirstLayer(bufDecides, bufCodes int) firstLayer {
	parts := Load(Param("parts"), GP64())
	field := func(disp int) VecVirtual {
		z := ZMM()
		VPBROADCASTQ(Mem{Base: parts, Disp: disp}, z)
		return z
	}
	bytes := func(b uint64) VecVirtual { return constant(b * 0x0101010101010101) }
	l := firstLayer{
		bufDecides: bufDecides, bufCodes: bufCodes, starts: field(partStarts),
		lowest2: bytes(3), offset: bytes(63), bits2: constant(0xc0300c03),
		limit1: bytes(threshold1 / 2), limit2: bytes(threshold2 / 2), class1: bytes(0x55), class2: bytes(0xaa),
		coefficient: constant(coefficientFactor), row: constant(rowFactor), one: constant(1),
	}
	return l
}

// start computes the starts of eight hashes and stores the bits that decide.
func (l firstLayer) start(h VecVirtual, decides Mem) (start VecVirtual) {
	x := ZMM()
	start = ZMM()
	VPSRLQ(Imm(32), h, x)
	mulhi(h, x, l.starts, start)
	VPSRLQ(Imm(1), start, x)
	VPMOVQB(x, decides)
	return start
}

// bumped returns which of the 64 hashes are bumped: those whose threshold, a number
// from 0 to 3, is above the class of their offset, from 0 to 2. Each is compared
// where its threshold lies in the byte.
func (l firstLayer) bumped(buf Register) Register {
	bits, which, class, codes, below, bumped := ZMM(), ZMM(), ZMM(), ZMM(), K(), K()
	VMOVDQU64(Mem{Base: buf, Disp: l.bufDecides}, bits)
	VPSRLW(Imm(6), bits, which)
	VPANDQ(l.lowest2, which, which)
	VPSHUFB(which, l.bits2, which)
	VPANDQ(l.offset, bits, bits)
	VPCMPUB(Imm(1), l.limit2, bits, below)
	VPANDQ(which, l.class2, class)
	VMOVDQU8(l.class1, below, class)
	VPCMPUB(Imm(5), l.limit1, bits, below) // not below
	VMOVDQU8_Z(class, below, class)
	VPANDQ(which, class, class)
	VPANDQ(Mem{Base: buf, Disp: l.bufCodes}, which, codes)
	VPCMPUB(Imm(6), class, codes, bumped) // above
	r := GP64()
	KMOVQ(bumped, r)
	return r
}

// The buffer of a chunk of a layer stored in tiles.
const (
	bufStart        = 0          // 8 bytes: its start, but for the lowest three bits, then its first tile
	bufCoefficients = 8 * chunk  // 8 bytes: which of the 64 rows from there on
	bufRow          = 16 * chunk // 1 byte: what they must add up to
	bufDecides      = 17 * chunk // 1 byte: see firstLayer
	bufCodes        = 18 * chunk // 1 byte: see firstLayer
	bufTiles        = 19 * chunk
)

// placeInTiles puts a hash that is bumped from the first layer where it is.
func placeInTiles(base, buf, i, h, start, part Register) {
	x, y := GP64(), GP64()
	coefficients(h, x)
	MOVL(start.(GP).As32(), y.As32())
	ANDL(Imm(7), y.As32())
	SHLXQ(y, x, x)
	MOVQ(x, Mem{Base: buf, Index: i, Scale: 8, Disp: bufCoefficients})
	SUBQ(y, start)
	ADDQ(Mem{Base: part, Disp: partSolution}, start)
	SUBQ(base, start)
	MOVQ(start, Mem{Base: buf, Index: i, Scale: 8, Disp: bufStart})
	IMULQ(factor(rowFactor), h)
	SHRQ(Imm(32), h)
	MOVB(h.(GP).As8(), Mem{Base: buf, Index: i, Scale: 1, Disp: bufRow})
}

// ribbonTiles512 multiplies tiles, as matrices of 8 by 8 bits, by coefficients, as
// columns of them.
func ribbonTiles512() {
	TEXT("probeRibbonTiles512", 0, "func(solution *byte, parts *byte, ahead uint64, hashes *uint64, chunks uint64, hits *uint64)")
	Pragma("noescape")
	Doc("probeRibbonTiles512 tests chunks of 64 hashes against layers stored in tiles: hits gets a word for each. ahead is 1 to ask for tiles early. AVX-512 F, DQ, BW, VBMI, GFNI.")
	l := newFirstLayer(bufDecides, bufCodes)
	transpose, seven := ZMM(), constant(7)
	var places []uint64
	for i := range uint64(8) {
		places = append(places, 0x3830282018100800+i*0x0101010101010101)
	}
	VMOVDQU64(table("transpose", places...), transpose)
	p := newRibbonLoop(bufStart, bufCodes, field{bufStart, []int{0, 63}})
	prepare := func(group int) {
		h, x, y := ZMM(), ZMM(), ZMM()
		buf := func(array, size int) Mem { return Mem{Base: p.worked, Disp: array + 8*size*group} }
		VMOVDQU64(Mem{Base: p.hashes, Disp: 64 * group}, h)
		start := l.start(h, buf(bufDecides, 1))
		VPMULLQ(l.coefficient, h, x)
		VPORQ(l.one, x, x)
		VPANDQ(seven, start, y)
		VPSLLVQ(y, x, x)
		VMOVDQU64(x, buf(bufCoefficients, 8))
		VPANDNQ(start, seven, start)
		VMOVDQU64(start, buf(bufStart, 8))
		VPMULLQ(l.row, h, x)
		VPSRLQ(Imm(32), x, x)
		VPMOVQB(x, buf(bufRow, 1))
	}
	var byteOf [8][]Register // no mask for the first
	bytes := table("bytesOfWords", 0x0101010101010101, 0x0202020202020202, 0x0404040404040404, 0x0808080808080808, 0x1010101010101010, 0x2020202020202020, 0x4040404040404040, 0x8080808080808080)
	var sums [8]VecVirtual
	// work multiplies in halves: tiles mostly lie on two lines, and of two loads only
	// one waits for both.
	work := func(group int) {
		Comment("byte i of word t: byte t of the coefficients of hash i")
		coefficients, later, sum := ZMM(), YMM(), YMM()
		sums[group] = YMM()
		VPERMB(Mem{Base: p.worked, Disp: bufCoefficients + 64*group}, transpose, coefficients)
		VEXTRACTI64X4(Imm(1), coefficients, later)
		for i := range 8 {
			tile := GP64()
			MOVQ(Mem{Base: p.worked, Disp: bufStart + 64*group + 8*i}, tile)
			tiles := Mem{Base: p.base, Index: tile, Scale: 1}
			multiply(tiles, coefficients.AsY(), sums[group], byteOf[i]...)
			multiply(tiles.Offset(32), later, sum, byteOf[i]...)
		}
		VPXORQ(sum, sums[group], sums[group])
	}
	fold := func(a, b VecVirtual, first, second func(ops ...Op)) VecVirtual {
		x := ZMM()
		first(b, a, x)
		second(b, a, a)
		VPXORQ(x, a, a)
		return a
	}
	lanes := func(imm uint64) func(ops ...Op) {
		return func(ops ...Op) { VSHUFI64X2(append([]Op{Imm(imm)}, ops...)...) }
	}
	both := func(a, b VecVirtual) VecVirtual {
		z := ZMM()
		VINSERTI64X4(Imm(1), b, a.AsZ(), z)
		return z
	}
	rows := ZMM()
	var quarters [2]VecVirtual
	// half emits work, preparing and looking up for half of the groups, in the order in
	// which fold takes them; the second half asks for the memory of all, in that order.
	order := []int{0, 2, 4, 6, 1, 3, 5, 7}
	half := func(n int) {
		p.loadThresholds()
		for i, group := range order[4*n : 4*n+4] {
			p.at(working, func() { work(group) })
			p.at(preparing, func() { prepare(group) })
			p.at(lookingUp, func() { p.lookUp(unrolled(group)) })
			if n == 1 {
				p.ask(unrolled(order[2*i]), unrolled(order[2*i+1]))
			}
		}
		quarters[n] = fold(both(sums[n], sums[n+2]), both(sums[n+4], sums[n+6]), lanes(0x88), lanes(0xdd))
	}
	first := func() {
		VMOVDQU64(Mem{Base: p.worked, Disp: bufRow}, rows)
		for i := 1; i < 8; i++ {
			byteOf[i] = []Register{K()}
			KMOVQ(bytes.Offset(8*i), byteOf[i][0])
		}
		half(0)
	}
	second := func() {
		half(1)
		p.at(working, func() {
			sum, hit := fold(quarters[0], quarters[1], VPUNPCKLQDQ, VPUNPCKHQDQ), K()
			VPCMPEQB(rows, sum, hit)
			p.answer(func(to Mem) { KMOVQ(hit, to) })
		})
	}
	p.run(bufTiles, l.bumped, placeInTiles, first, second)
	VZEROUPPER()
	RET()
}

// multiply emits VGF2P8AFFINEQB, which avo does not have: byte i of a word of out is
// that of the factor times the word of the matrices, for the bytes that a mask, if
// there is one, picks.
func multiply(matrices Mem, factor, out Register, mask ...Register) {
	i := &ir.Instruction{Opcode: "VGF2P8AFFINEQB", Operands: []Op{Imm(0), matrices, factor}, Inputs: []Op{matrices, factor}, Outputs: []Op{out}}
	for _, m := range mask {
		i.Operands = append(i.Operands, m)
		i.Inputs = append(i.Inputs, m, out)
	}
	i.Operands = append(i.Operands, out)
	Instruction(i)
}

// constants256 has a word in each lane, or four words.
func constants256(name string, words ...uint64) VecVirtual {
	y := YMM()
	if len(words) == 1 {
		VPBROADCASTQ(shared(name, words...), y)
	} else {
		VMOVDQU(shared(name, words...), y)
	}
	return y
}

// everywhere256 has a word of memory in each lane.
func everywhere256(m Mem) VecVirtual {
	y := YMM()
	VPBROADCASTQ(m, y)
	return y
}

// equation256 emits the starts of four hashes in the first layer, their coefficients
// and, in the upper halves of words, their fingerprints.
func equation256(hashes Mem) (start, coefficients, row VecVirtual) {
	h, high, low := YMM(), YMM(), YMM()
	VMOVDQU(hashes, h)
	VPSRLQ(Imm(32), h, high)
	starts := everywhere256(Mem{Base: Load(Param("parts"), GP64()), Disp: partStarts})
	start = YMM()
	VPMULUDQ(starts, h, low)
	VPSRLQ(Imm(32), low, low)
	VPMULUDQ(starts, high, start)
	VPADDQ(low, start, start)
	VPSRLQ(Imm(32), start, start)
	times := func(factor Mem) VecVirtual {
		whole, upper, x, y := everywhere256(factor), YMM(), YMM(), YMM()
		VPBROADCASTD(factor.Offset(4), upper)
		VPMULUDQ(upper, h, x)
		VPMULUDQ(whole, high, y)
		VPADDQ(y, x, x)
		VPSLLQ(Imm(32), x, x)
		VPMULUDQ(whole, h, y)
		VPADDQ(y, x, x)
		return x
	}
	row = times(factor(rowFactor))
	coefficients = times(factor(coefficientFactor))
	VPOR(constants256("one", 1), coefficients, coefficients)
	return start, coefficients, row
}

// lowestBytes256 stores the lowest byte of each of eight words.
func lowestBytes256(words [2]VecVirtual, to Mem) {
	x, y := YMM(), XMM()
	VSHUFPS(Imm(0x88), words[1], words[0], x)
	VPSHUFB(constants256("lowestBytes", 0x0c080400), x, x)
	VEXTRACTI128(Imm(1), x, y)
	VPUNPCKLWD(y, x.AsX(), x.AsX())
	VMOVQ(x.AsX(), to)
}

// bumped256 is firstLayer.bumped for AVX2.
func bumped256(buf Register, bufDecides, bufCodes int) Register {
	var halves [2]GPVirtual
	lowest2, offset, bits2 := constants256("bytes3", 0x0303030303030303), constants256("bytes63", 0x3f3f3f3f3f3f3f3f), constants256("bits2", 0xc0300c03)
	const each = 0x0101010101010101
	limit1, limit2 := constants256("bytes1", threshold1/2*each), constants256("bytes2", threshold2/2*each)
	class1, class2, zero := constants256("bytes55", 0x5555555555555555), constants256("bytesaa", 0xaaaaaaaaaaaaaaaa), YMM()
	VPXOR(zero, zero, zero)
	for half := range halves {
		halves[half] = GP64()
		which, bits, class, x := YMM(), YMM(), YMM(), YMM()
		VMOVDQU(Mem{Base: buf, Disp: bufDecides + 32*half}, bits)
		VPSRLW(Imm(6), bits, which)
		VPAND(lowest2, which, which)
		VPSHUFB(which, bits2, which)
		VPAND(offset, bits, bits)
		VPCMPGTB(bits, limit2, x)
		VPBLENDVB(x, class1, class2, class)
		VPCMPGTB(bits, limit1, x)
		VPANDN(class, x, class)
		VPAND(which, class, class)
		VPAND(Mem{Base: buf, Disp: bufCodes + 32*half}, which, x)
		VPSUBUSB(class, x, x)
		VPCMPEQB(zero, x, x)
		VPMOVMSKB(x, halves[half].As32())
	}
	SHLQ(Imm(32), halves[1])
	ORQ(halves[1], halves[0])
	NOTQ(halves[0])
	return halves[0]
}

// parities has in byte i of each half the parity of i, as its highest bit.
var parities = []uint64{0x8000008000808000, 0x0080800080000080, 0x8000008000808000, 0x0080800080000080}

// ribbonTiles256 tests four hashes at once.
func ribbonTiles256() {
	const bufSums = bufTiles // 1 byte: what the rows do add up to
	TEXT("probeRibbonTiles256", 0, "func(solution *byte, parts *byte, ahead uint64, hashes *uint64, chunks uint64, hits *uint64)")
	Pragma("noescape")
	Doc("probeRibbonTiles256 is probeRibbonTiles512 for AVX2 and BMI2.")
	p := newRibbonLoop(bufStart, bufCodes, field{bufStart, []int{0, 63}})
	prepare := func() {
		buf := p.worked
		p.loadThresholds()
		loop("hashes", chunk, 8, func(at Register) {
			p.at(lookingUp, func() { p.lookUp(rolled(at)) })
			p.ask(rolled(at))
			p.at(preparing, func() {
				var decides, rows [2]VecVirtual
				for half := range 2 {
					at8 := func(disp int) Mem { return Mem{Base: buf, Index: at, Scale: 8, Disp: disp + 32*half} }
					start, x, row := equation256(Mem{Base: p.hashes, Index: at, Scale: 8, Disp: 32 * half})
					in8 := YMM()
					VPAND(constants256("in8", 7), start, in8)
					VPSLLVQ(in8, x, x)
					VMOVDQU(x, at8(bufCoefficients))
					decides[half], rows[half] = YMM(), row
					VPSRLQ(Imm(1), start, decides[half])
					VPXOR(in8, start, start)
					VMOVDQU(start, at8(bufStart))
					VPSRLQ(Imm(32), row, row)
				}
				at1 := func(disp int) Mem { return Mem{Base: buf, Index: at, Scale: 1, Disp: disp} }
				lowestBytes256(decides, at1(bufDecides))
				lowestBytes256(rows, at1(bufRow))
			})
		})
	}
	work := func() {
		buf := p.worked
		var byteOf [2]VecVirtual
		for half := range byteOf {
			var bytes []uint64
			for i := range uint64(4) {
				bytes = append(bytes, 0x0101010101010101*(4*uint64(half)+i))
			}
			byteOf[half] = constants256("tileBytes"+string(rune('0'+half)), bytes...)
		}
		nibbles, parity := constants256("nibbles", 0x0f0f0f0f0f0f0f0f), constants256("parity", parities...)
		reverse := constants256("reverse", 0x0001020304050607, 0x08090a0b0c0d0e0f, 0x0001020304050607, 0x08090a0b0c0d0e0f)
		loop("fours", chunk, 4, func(at Register) {
			var v [4]VecVirtual
			for i := range v {
				tile, picked, x := GP64(), YMM(), YMM()
				v[i] = YMM()
				MOVQ(Mem{Base: buf, Index: at, Scale: 8, Disp: bufStart + 8*i}, tile)
				VPBROADCASTQ(Mem{Base: buf, Index: at, Scale: 8, Disp: bufCoefficients + 8*i}, picked)
				VPSHUFB(byteOf[0], picked, x)
				VPAND(Mem{Base: p.base, Index: tile, Scale: 1}, x, x)
				VPSHUFB(byteOf[1], picked, picked)
				VPAND(Mem{Base: p.base, Index: tile, Scale: 1, Disp: 32}, picked, picked)
				VPXOR(picked, x, v[i])
			}
			Comment("the sum of all tiles of each hash side by side, then the parity of each byte")
			fold := func(a, b VecVirtual) {
				x := YMM()
				VPUNPCKLQDQ(b, a, x)
				VPUNPCKHQDQ(b, a, a)
				VPXOR(x, a, a)
			}
			fold(v[0], v[1])
			fold(v[2], v[3])
			x := YMM()
			VPERM2I128(Imm(0x20), v[2], v[0], x)
			VPERM2I128(Imm(0x31), v[2], v[0], v[0])
			VPXOR(v[0], x, x)
			y := YMM()
			VPSRLW(Imm(4), x, y)
			VPXOR(x, y, x)
			VPAND(nibbles, x, x)
			VPSHUFB(x, parity, x)
			VPSHUFB(reverse, x, x)
			sums := GP32()
			VPMOVMSKB(x, sums)
			MOVL(sums, Mem{Base: buf, Index: at, Scale: 1, Disp: bufSums})
		})
		var halves [2]GPVirtual
		for half := range halves {
			halves[half] = GP64()
			x := YMM()
			VMOVDQU(Mem{Base: buf, Disp: bufSums + 32*half}, x)
			VPCMPEQB(Mem{Base: buf, Disp: bufRow + 32*half}, x, x)
			VPMOVMSKB(x, halves[half].As32())
		}
		SHLQ(Imm(32), halves[1])
		ORQ(halves[1], halves[0])
		p.answer(func(to Mem) { MOVQ(halves[0], to) })
	}
	bumped := func(buf Register) Register { return bumped256(buf, bufDecides, bufCodes) }
	p.run(bufSums+chunk, bumped, placeInTiles, func() { p.at(working, work) }, prepare)
	VZEROUPPER()
	RET()
}
