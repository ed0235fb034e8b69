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
		limit1: bytes(11), limit2: bytes(20), class1: bytes(0x55), class2: bytes(0xaa),
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

// ribbonTiles256 tests four hashes at once.
func ribbonTiles256() {
	const bufSums = bufTiles // 1 byte: what the rows do add up to
	TEXT("probeRibbonTiles256", 0, "func(solution *byte, parts *byte, ahead uint64, hashes *uint64, chunks uint64, hits *uint64)")
	Pragma("noescape")
	Doc("probeRibbonTiles256 is probeRibbonTiles512 for AVX2 and BMI2.")
	p := newRibbonLoop(bufStart, bufCodes, field{bufStart, []int{0, 63}})
	words := func(name string, words ...uint64) VecVirtual {
		y := YMM()
		if len(words) == 1 {
			VPBROADCASTQ(table(name, words...), y)
		} else {
			VMOVDQU(table(name, words...), y)
		}
		return y
	}
	prepare := func() {
		buf := p.worked
		p.loadThresholds()
		loop("hashes", chunk, 8, func(at Register) {
			p.at(lookingUp, func() { p.lookUp(rolled(at)) })
			p.ask(rolled(at))
			p.at(preparing, func() {
				for i := range 8 {
					at8 := func(disp int) Mem { return Mem{Base: buf, Index: at, Scale: 8, Disp: disp + 8*i} }
					at1 := func(disp int) Mem { return Mem{Base: buf, Index: at, Scale: 1, Disp: disp + i} }
					x, start := GP64(), GP64()
					MOVQ(Mem{Base: p.hashes, Index: at, Scale: 8, Disp: 8 * i}, RDX)
					parts := Load(Param("parts"), GP64())
					MULXQ(Mem{Base: parts, Disp: partStarts}, x, start)
					MOVQ(U64(coefficientFactor), x)
					IMULQ(RDX, x)
					ORQ(Imm(1), x)
					IMULQ(factor(rowFactor), RDX)
					SHRQ(Imm(32), RDX)
					MOVB(DL, at1(bufRow))
					MOVL(start.As32(), EDX)
					ANDL(Imm(7), EDX)
					SHLXQ(RDX, x, x)
					MOVQ(x, at8(bufCoefficients))
					MOVL(start.As32(), x.As32())
					SHRL(Imm(1), x.As32())
					MOVB(x.As8(), at1(bufDecides))
					ANDQ(I8(-8), start)
					MOVQ(start, at8(bufStart))
				}
			})
		})
	}
	bumped := func(buf Register) Register {
		var halves [2]GPVirtual
		lowest2, offset, bits2 := words("bytes3", 0x0303030303030303), words("bytes63", 0x3f3f3f3f3f3f3f3f), words("bits2", 0xc0300c03)
		limit1, limit2 := words("bytes11", 0x0b0b0b0b0b0b0b0b), words("bytes20", 0x1414141414141414)
		class1, class2, zero := words("bytes55", 0x5555555555555555), words("bytesaa", 0xaaaaaaaaaaaaaaaa), YMM()
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
	work := func() {
		buf := p.worked
		var byteOf [2]VecVirtual
		for half := range byteOf {
			var bytes []uint64
			for i := range uint64(4) {
				bytes = append(bytes, 0x0101010101010101*(4*uint64(half)+i))
			}
			byteOf[half] = words("tileBytes"+string(rune('0'+half)), bytes...)
		}
		nibbles, parity := words("nibbles", 0x0f0f0f0f0f0f0f0f), words("parity", 0x8000008000808000, 0x0080800080000080, 0x8000008000808000, 0x0080800080000080)
		reverse := words("reverse", 0x0001020304050607, 0x08090a0b0c0d0e0f, 0x0001020304050607, 0x08090a0b0c0d0e0f)
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
	p.run(bufSums+chunk, bumped, placeInTiles, func() { p.at(working, work) }, prepare)
	VZEROUPPER()
	RET()
}

// ribbonColumns512 works on up to eight columns of a hash at once: its 64 rows lie,
// in each column, in two words, and the parity of what the coefficients pick is that
// of both together.
func ribbonColumns512() {
	const (
		bufStart   = 0          // 8 bytes: its start
		bufLow     = 8 * chunk  // 8 bytes: the offset of the block that it starts in
		bufHigh    = 16 * chunk // 8 bytes: of the next one
		bufHere    = 24 * chunk // 8 bytes: which rows of the one its coefficients pick
		bufThere   = 32 * chunk // 8 bytes: and of the other
		bufWanted  = 40 * chunk // 4 bytes: its fingerprint
		bufWidth   = 44 * chunk // 1 byte: a bit for each column in the last eight
		bufDecides = 45 * chunk // 1 byte: see firstLayer
		bufCodes   = 46 * chunk // 1 byte: see firstLayer
		bufSums    = 47 * chunk // 1 byte: what eight columns add up to
		bufBytes   = 48 * chunk
	)
	TEXT("probeRibbonColumns512", 0, "func(solution *byte, parts *byte, ahead uint64, hashes *uint64, chunks uint64, hits *uint64, columns uint64)")
	Pragma("noescape")
	Doc("probeRibbonColumns512 is probeRibbonTiles512 for layers stored by columns. AVX-512 F, DQ, BW, VPOPCNTDQ.")
	l := newFirstLayer(bufDecides, bufCodes)
	narrow, columns8, eight, in64, sixtyFour := ZMM(), ZMM(), constant(8), constant(63), constant(64)
	parts, columns := Load(Param("parts"), GP64()), Load(Param("columns"), GP64())
	VPBROADCASTQ(Mem{Base: parts, Disp: partNarrow}, narrow)
	SHLQ(Imm(3), columns)
	VPBROADCASTQ(columns, columns8)
	Comment("last: a bit for each of the last one to eight columns")
	c, last := RCX, AllocLocal(8)
	groups, bits, width, widthNarrow := AllocLocal(8), GP64(), ZMM(), ZMM()
	Load(Param("columns"), c)
	DECQ(c)
	MOVQ(c, bits)
	SHRQ(Imm(3), bits)
	INCQ(bits)
	MOVQ(bits, groups)
	ANDL(Imm(7), c.As32())
	MOVQ(U32(2), bits)
	SHLQ(CL, bits)
	DECQ(bits)
	MOVQ(bits, last)
	VPBROADCASTQ(bits, width)
	SHRQ(Imm(1), bits)
	VPBROADCASTQ(bits, widthNarrow)

	p := newRibbonLoop(bufStart, bufCodes, field{bufLow, []int{0, 64, 128}}, field{bufHigh, []int{56, 120}})
	prepare := func() {
		buf := p.worked
		p.loadThresholds()
		loop("hashes", chunk, 8, func(at Register) {
			p.at(lookingUp, func() { p.lookUp(rolled(at)) })
			p.ask(rolled(at))
			p.at(preparing, func() {
				at8 := func(disp int) Mem { return Mem{Base: buf, Index: at, Scale: 8, Disp: disp} }
				h, x, y := ZMM(), ZMM(), ZMM()
				VMOVDQU64(Mem{Base: p.hashes, Index: at, Scale: 8}, h)
				start := l.start(h, Mem{Base: buf, Index: at, Scale: 1, Disp: bufDecides})
				VMOVDQU64(start, at8(bufStart))
				VPMULLQ(l.coefficient, h, x)
				VPORQ(l.one, x, x)
				VPANDQ(in64, start, y)
				here := ZMM()
				VPSLLVQ(y, x, here)
				VMOVDQU64(here, at8(bufHere))
				VPSUBQ(y, sixtyFour, y)
				VPSRLVQ(y, x, x) // 0 for a shift by 64
				VMOVDQU64(x, at8(bufThere))

				Comment("a block lies at 8·(block·columns - min(block, narrow))")
				isNarrow := K()
				VPSRLQ(Imm(6), start, start)
				VPCMPUQ(Imm(1), narrow, start, isNarrow)
				VPMULUDQ(columns8, start, x)
				VPMINUQ(narrow, start, start)
				VPSLLQ(Imm(3), start, start)
				VPSUBQ(start, x, x)
				VMOVDQU64(x, at8(bufLow))
				VPADDQ(columns8, x, x)
				VPSUBQ(eight, x, isNarrow, x)
				VMOVDQU64(x, at8(bufHigh))
				VMOVDQA64(width, y)
				VMOVDQA64(widthNarrow, isNarrow, y)
				VPMOVQB(y, Mem{Base: buf, Index: at, Scale: 1, Disp: bufWidth})
				VPMULLQ(l.row, h, x)
				VPSRLQ(Imm(32), x, x)
				VPMOVQD(x, Mem{Base: buf, Index: at, Scale: 4, Disp: bufWanted})
			})
		})
	}
	place := func(base, buf, i, h, start, part Register) {
		at8 := func(disp int) Mem { return Mem{Base: buf, Index: i, Scale: 8, Disp: disp} }
		x, y := GP64(), GP64()
		MOVQ(factor(coefficientFactor), x)
		IMULQ(h, x)
		IMULQ(factor(rowFactor), h)
		SHRQ(Imm(32), h)
		MOVL(h.(GP).As32(), Mem{Base: buf, Index: i, Scale: 4, Disp: bufWanted})
		ORQ(Imm(1), x)
		MOVL(start.(GP).As32(), y.As32())
		ANDL(Imm(63), y.As32())
		SHLXQ(y, x, h)
		MOVQ(h, at8(bufHere))
		Comment("by 64 - y, in two steps for y = 0")
		XORL(Imm(63), y.As32())
		SHRXQ(y, x, x)
		SHRQ(Imm(1), x)
		MOVQ(x, at8(bufThere))
		SHRQ(Imm(6), start)
		MOVQ(Mem{Base: part, Disp: partNarrow}, y)
		Load(Param("columns"), x)
		CMPQ(start, y)
		CMOVQCS(start, y)
		SBBQ(h, h) // -1 if it is narrow
		ADDQ(x, h) // its width
		IMULQ(start, x)
		SUBQ(y, x)
		SHLQ(Imm(3), x)
		ADDQ(Mem{Base: part, Disp: partSolution}, x)
		SUBQ(base, x)
		MOVQ(x, at8(bufLow))
		LEAQ(Mem{Base: x, Index: h, Scale: 8}, x)
		MOVQ(x, at8(bufHigh))
		MOVQ(last, y)
		MOVQ(y, x)
		SHRQ(Imm(1), x)
		CMPQ(h, NewParamAddr("columns", 48))
		CMOVQCS(x, y)
		MOVB(y.As8(), Mem{Base: buf, Index: i, Scale: 1, Disp: bufWidth})
	}
	work := func() {
		buf := p.worked
		solution, group, at := GP64(), GP64(), RCX
		all, hit := K(), K()
		MOVQ(p.base, solution)
		KXNORQ(hit, hit, hit)
		XORL(group.As32(), group.As32())
		Label("group")
		Comment("mask: the columns of the group that there are")
		mask, widths := GP64(), ZMM()
		MOVQ(U32(255), mask)
		VPTERNLOGD(Imm(0xff), widths, widths, widths)
		LEAQ(Mem{Base: group, Disp: 1}, at)
		CMPQ(at, groups)
		JNE(LabelRef("full"))
		MOVQ(last, mask)
		VMOVDQU64(Mem{Base: buf, Disp: bufWidth}, widths)
		Label("full")
		KMOVB(mask.As32(), all)
		loop("keys", chunk, 8, func(at Register) {
			for i := range 8 {
				field := func(disp int) Mem { return Mem{Base: buf, Index: at, Scale: 8, Disp: disp + 8*i} }
				low, high, rows, there, sum := GP64(), GP64(), ZMM(), ZMM(), K()
				MOVQ(field(bufLow), low)
				MOVQ(field(bufHigh), high)
				VMOVDQU64_Z(Mem{Base: solution, Index: low, Scale: 1}, all, rows)
				VPANDQ_BCST(field(bufHere), rows, rows)
				VPBROADCASTQ(field(bufThere), there)
				VPTERNLOGQ(Imm(0x78), Mem{Base: solution, Index: high, Scale: 1}, there, all, rows) // rows ^ there & high
				VPOPCNTQ(rows, rows)
				VPTESTMQ(l.one, rows, sum)
				KMOVB(sum, Mem{Base: buf, Index: at, Scale: 1, Disp: bufSums + i})
			}
		})
		Comment("byte group of the fingerprints")
		wanted, four, by := ZMM(), ZMM(), XMM()
		MOVQ(group, at)
		SHLL(Imm(3), at.As32())
		VMOVQ(at, by)
		for i := range 4 {
			VMOVDQU64(Mem{Base: buf, Disp: bufWanted + 64*i}, four)
			VPSRLD(by, four, four)
			if i == 0 {
				VPMOVDB(four, wanted.AsX())
			} else {
				VPMOVDB(four, four.AsX())
				VINSERTI32X4(Imm(uint64(i)), four.AsX(), wanted, wanted)
			}
		}
		VPXORQ(Mem{Base: buf, Disp: bufSums}, wanted, wanted)
		VPTESTNMB(widths, wanted, hit, hit)
		ADDQ(Imm(64), solution)
		INCQ(group)
		CMPQ(group, groups)
		JNE(LabelRef("group"))
		p.answer(func(to Mem) { KMOVQ(hit, to) })
	}
	p.run(bufBytes, l.bumped, place, func() { p.at(working, work) }, prepare)
	VZEROUPPER()
	RET()
}
