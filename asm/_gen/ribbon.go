package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// Multipliers of asm/ribbon.go.
const (
	coefficientFactor = 0xd1342543de82ef95
	rowFactor         = 0xaf251af3b0f025b5
)

// The buffer of a chunk: for each hash 8 bytes of each, and a bit.
const (
	bufStart        = 0          // its first row
	bufCoefficients = 8 * chunk  // which of the 64 rows from there on
	bufRow          = 16 * chunk // what they must add up to
	bufBumped       = 24 * chunk // a bit: it is in a later layer
	bufRibbon       = 25 * chunk
)

func ribbon() {
	ribbonRows()
	ribbonRows256()
	ribbonColumns()
}

// layer is the part of a kernel that both layouts have: where a hash starts, and
// whether it is bumped.
type layer struct {
	thresholds         Register
	starts, mask       VecVirtual
	in128, in32, three VecVirtual
	levels             VecVirtual
}

func newLayer(kernel string) layer {
	l := layer{thresholds: Load(Param("thresholds"), GP64()), starts: parameter("starts"), mask: parameter("mask"), in128: constant(127), in32: constant(31), three: constant(3), levels: ZMM()}
	VMOVDQU64(table("thresholds_"+kernel, 0, 22, 40, 128, 0, 0, 0, 0), l.levels)
	return l
}

// start computes the starts of eight hashes and stores which are bumped, a bit
// each, in the byte of the group at bytes 64·group.
func (l layer) start(h VecVirtual, buf, at Register, bufBumped int) VecVirtual {
	x, start := ZMM(), ZMM()
	VPSRLQ(Imm(32), h, x)
	mulhi(h, x, l.starts, start)
	bucket, word, offset, all, bump := ZMM(), ZMM(), ZMM(), K(), K()
	VPSRLQ(Imm(7), start, bucket)
	VPSRLQ(Imm(5), bucket, x)
	VPANDQ(l.mask, x, x)
	KXNORB(all, all, all)
	VPXORQ(word, word, word)
	VPGATHERQQ(Mem{Base: l.thresholds, Index: x, Scale: 8}, all, word)
	VPANDQ(l.in32, bucket, bucket)
	VPADDQ(bucket, bucket, bucket)
	VPSRLVQ(bucket, word, word)
	VPANDQ(l.three, word, word)
	VPERMQ(l.levels, word, word)
	VPANDQ(l.in128, start, offset)
	VPCMPUQ(Imm(1), word, offset, bump) // offset < threshold
	group := GP64()
	MOVQ(at, group)
	SHRQ(Imm(6), group)
	KMOVB(bump, Mem{Base: buf, Index: group, Scale: 1, Disp: bufBumped})
	return start
}

// ribbonColumns works on up to eight columns of a hash at once: the 64 rows from
// its start on lie, in each column, in two words, and the parity of what the
// coefficients pick is that of both together.
func ribbonColumns() {
	const (
		bufLow    = 0          // the offset of the block that it starts in
		bufHigh   = 8 * chunk  // of the next one
		bufHere   = 16 * chunk // which rows of the one its coefficients pick
		bufThere  = 24 * chunk // and of the other
		bufWidth  = 32 * chunk // a bit for each column
		bufWanted = 40 * chunk // its fingerprint
		bufMisses = 48 * chunk // 1 byte: not 0 if a column differs
		bufBumped = 49 * chunk // a bit: it is in a later layer
		bufSize   = 50 * chunk
	)
	TEXT("probeRibbonColumns512", 0, "func(solution *byte, starts, columns, narrow uint64, thresholds *byte, mask, ahead uint64, hashes *uint64, chunks uint64, hits, bumped *uint64)")
	Pragma("noescape")
	Doc("probeRibbonColumns512 is probeRibbonRows512 for a layer stored by columns. AVX-512 F, DQ, BW, VBMI2, VPOPCNTDQ.")
	solution := Load(Param("solution"), GP64())
	ahead := Load(Param("ahead"), GP64())
	hashes := Load(Param("hashes"), GP64())
	chunks := Load(Param("chunks"), GP64())
	hits := Load(Param("hits"), GP64())
	bumped := Load(Param("bumped"), GP64())
	l := newLayer("columns")
	columns, narrow := parameter("columns"), parameter("narrow")
	factor, factor2, one, in64, sixtyFour := constant(coefficientFactor), constant(rowFactor), constant(1), constant(63), constant(64)

	p := pipeline{bufBytes: bufSize, chunks: chunks, hashes: hashes, base: solution, ahead: ahead, fields: []field{{bufLow, []int{0, 64}}, {bufHigh, []int{56}}}}
	Comment("groups: of up to eight columns each")
	groups := GP64()
	Load(Param("columns"), groups)
	ADDQ(Imm(7), groups)
	SHRQ(Imm(3), groups)
	prepare := func(name string, buf, src Register) {
		loop(name, chunk*8, 64, func(at Register) {
			at8 := func(disp int) Mem { return Mem{Base: buf, Index: at, Scale: 1, Disp: disp} }
			h, x, y := ZMM(), ZMM(), ZMM()
			VMOVDQU64(Mem{Base: src, Index: at, Scale: 1}, h)
			start := l.start(h, buf, at, bufBumped)
			shift := ZMM()
			VPMULLQ(factor, h, x)
			VPORQ(one, x, x)
			VPANDQ(in64, start, shift)
			VPSLLVQ(shift, x, y)
			VMOVDQU64(y, at8(bufHere))
			VPSUBQ(shift, sixtyFour, shift)
			VPSRLVQ(shift, x, y) // 0 for a shift by 64
			VMOVDQU64(y, at8(bufThere))

			Comment("a block lies at 8·(block·columns - min(block, narrow))")
			block, isNarrow, width := ZMM(), K(), ZMM()
			VPSRLQ(Imm(6), start, block)
			VPCMPUQ(Imm(1), narrow, block, isNarrow)
			VMOVDQA64(columns, width)
			VPSUBQ(one, width, isNarrow, width)
			for i, disp := range []int{bufLow, bufHigh} {
				if i == 1 {
					VPADDQ(one, block, block)
				}
				VPMULUDQ(columns, block, x)
				VPMINUQ(narrow, block, y)
				VPSUBQ(y, x, x)
				VPSLLQ(Imm(3), x, x)
				VMOVDQU64(x, at8(disp))
			}
			VPSLLVQ(width, one, width)
			VPSUBQ(one, width, width)
			VMOVDQU64(width, at8(bufWidth))
			VPMULLQ(factor2, h, x)
			VPSRLQ(Imm(32), x, x)
			VPANDQ(width, x, x)
			VMOVDQU64(x, at8(bufWanted))
		})
	}
	work := func(buf Register) {
		// eight emits the comparison of up to eight columns and leaves a bit
		// for each that differs in miss.
		eight := func(low, high, wide, wanted, here, there Mem, miss OpmaskVirtual) {
			width, want, rows, next := K(), K(), ZMM(), ZMM()
			KMOVB(wide, width)
			VPBROADCASTQ(here, rows)
			VPANDQ_Z(low, rows, width, rows)
			VPBROADCASTQ(there, next)
			VPANDQ_Z(high, next, width, next)
			VPXORQ(next, rows, rows)
			VPOPCNTQ(rows, rows)
			VPTESTMQ(one, rows, miss)
			KMOVB(wanted, want)
			KXORB(want, miss, miss)
		}
		CMPQ(groups, Imm(1))
		JA(LabelRef("many"))
		loop("few", chunk, 4, func(at Register) {
			p.early(at, 4)
			for i := range 4 {
				field := func(disp int) Mem { return Mem{Base: buf, Index: at, Scale: 8, Disp: disp + 8*i} }
				low, high, miss := GP64(), GP64(), K()
				MOVQ(field(bufLow), low)
				MOVQ(field(bufHigh), high)
				eight(Mem{Base: solution, Index: low, Scale: 1}, Mem{Base: solution, Index: high, Scale: 1}, field(bufWidth), field(bufWanted), field(bufHere), field(bufThere), miss)
				KMOVB(miss, Mem{Base: buf, Index: at, Scale: 1, Disp: bufMisses + i})
			}
		})
		JMP(LabelRef("compared"))
		Label("many")
		loop("each", chunk, 1, func(at Register) {
			p.fields = []field{{bufLow, []int{0, 64, 128}}, {bufHigh, []int{56, 120}}}
			p.early(at, 1)
			field := func(disp int) Mem { return Mem{Base: buf, Index: at, Scale: 8, Disp: disp} }
			low, high, wide, group, misses := GP64(), GP64(), GP64(), GP64(), K()
			MOVQ(field(bufLow), low)
			MOVQ(field(bufHigh), high)
			ADDQ(solution, low)
			ADDQ(solution, high)
			LEAQ(field(bufWidth), wide)
			KXORB(misses, misses, misses)
			MOVQ(groups, group)
			Label("group")
			miss := K()
			eight(Mem{Base: low}, Mem{Base: high}, Mem{Base: wide}, Mem{Base: wide, Disp: bufWanted - bufWidth}, field(bufHere), field(bufThere), miss)
			KORB(miss, misses, misses)
			ADDQ(Imm(64), low)
			ADDQ(Imm(64), high)
			INCQ(wide)
			DECQ(group)
			JNZ(LabelRef("group"))
			KMOVB(misses, Mem{Base: buf, Index: at, Scale: 1, Disp: bufMisses})
		})
		Label("compared")
		misses, hit, bump := ZMM(), K(), K()
		VMOVDQU64(Mem{Base: buf, Disp: bufMisses}, misses)
		VPTESTNMB(misses, misses, hit)
		KMOVQ(Mem{Base: buf, Disp: bufBumped}, bump)
		KMOVQ(bump, Mem{Base: bumped})
		KANDNQ(hit, bump, hit)
		KMOVQ(hit, Mem{Base: hits})
		ADDQ(Imm(8), hits)
		ADDQ(Imm(8), bumped)
	}
	p.run(prepare, work)
	VZEROUPPER()
	RET()
}

// ribbonRows works on eight hashes at once.
func ribbonRows() {
	TEXT("probeRibbonRows512", 0, "func(rows *byte, starts uint64, thresholds *byte, mask, ahead uint64, hashes *uint64, chunks uint64, hits, bumped *uint64)")
	Pragma("noescape")
	Doc("probeRibbonRows512 tests chunks of 64 hashes against a layer stored by rows: hits and bumped get a word for each. starts is below 2^32; mask is all ones, or 0 to read only the first of thresholds, which is then 0; ahead is 1 to ask for rows early. AVX-512 F, DQ, BW.")
	rows := Load(Param("rows"), GP64())
	ahead := Load(Param("ahead"), GP64())
	hashes := Load(Param("hashes"), GP64())
	chunks := Load(Param("chunks"), GP64())
	hits := Load(Param("hits"), GP64())
	bumped := Load(Param("bumped"), GP64())
	l := newLayer("rows")
	factor, factor2, one, byte255 := constant(coefficientFactor), constant(rowFactor), constant(1), constant(255)

	p := pipeline{bufBytes: bufRibbon, chunks: chunks, hashes: hashes, base: rows, ahead: ahead, fields: []field{{bufStart, []int{0, 63}}}}
	prepare := func(name string, buf, src Register) {
		loop(name, chunk*8, 64, func(at Register) {
			at8 := func(disp int) Mem { return Mem{Base: buf, Index: at, Scale: 1, Disp: disp} }
			h, x := ZMM(), ZMM()
			VMOVDQU64(Mem{Base: src, Index: at, Scale: 1}, h)
			start := l.start(h, buf, at, bufBumped)
			VMOVDQU64(start, at8(bufStart))
			VPMULLQ(factor, h, x)
			VPORQ(one, x, x)
			VMOVDQU64(x, at8(bufCoefficients))
			VPMULLQ(factor2, h, x)
			VPSRLQ(Imm(32), x, x)
			VMOVDQU64(x, at8(bufRow))

		})
	}
	work := func(buf Register) {
		loop("groups", chunk, 8, func(at Register) {
			p.early(at, 8)
			field := func(disp int) Mem { return Mem{Base: buf, Index: at, Scale: 8, Disp: disp} }
			var v [8]VecVirtual
			for i := range v {
				v[i] = ZMM()
				start, pick := GP64(), K()
				MOVQ(field(bufStart+8*i), start)
				KMOVQ(field(bufCoefficients+8*i), pick)
				VMOVDQU8_Z(Mem{Base: rows, Index: start, Scale: 1}, pick, v[i])
			}
			Comment("fold the eight words of each of eight hashes into one, side by side")
			fold := func(a, b VecVirtual, first, second func(ops ...Op)) VecVirtual {
				x := ZMM()
				first(b, a, x)
				second(b, a, a)
				VPXORQ(x, a, a)
				return a
			}
			for i := range 4 {
				v[i] = fold(v[2*i], v[2*i+1], VPUNPCKLQDQ, VPUNPCKHQDQ)
			}
			even := func(ops ...Op) { VSHUFI64X2(append([]Op{Imm(0x88)}, ops...)...) }
			odd := func(ops ...Op) { VSHUFI64X2(append([]Op{Imm(0xdd)}, ops...)...) }
			x := fold(fold(v[0], v[1], even, odd), fold(v[2], v[3], even, odd), even, odd)
			Comment("and the eight rows in each word")
			y, hit, bump := ZMM(), K(), K()
			for _, shift := range []uint64{32, 16, 8} {
				VPSRLQ(Imm(shift), x, y)
				VPXORQ(y, x, x)
			}
			VPXORQ(field(bufRow), x, x)
			VPTESTNMQ(byte255, x, hit)
			address := GP64()
			MOVQ(at, address)
			SHRQ(Imm(3), address)
			KMOVB(Mem{Base: buf, Index: address, Scale: 1, Disp: bufBumped}, bump)
			KMOVB(bump, Mem{Base: bumped, Index: address, Scale: 1})
			KANDNB(hit, bump, hit)
			KMOVB(hit, Mem{Base: hits, Index: address, Scale: 1})
		})
		ADDQ(Imm(8), hits)
		ADDQ(Imm(8), bumped)
	}
	p.run(prepare, work)
	VZEROUPPER()
	RET()
}

// ribbonRows256 works on one hash at a time, its 64 rows in two registers.
func ribbonRows256() {
	const bufOut = bufBumped // 8 bytes: all ones if it is bumped
	TEXT("probeRibbonRows256", 0, "func(rows *byte, starts uint64, thresholds *byte, mask, ahead uint64, hashes *uint64, chunks uint64, hits, bumped *uint64)")
	Pragma("noescape")
	Doc("probeRibbonRows256 is probeRibbonRows512 for AVX2 and BMI2.")
	rows := Load(Param("rows"), GP64())
	ahead := Load(Param("ahead"), GP64())
	hashes := Load(Param("hashes"), GP64())
	chunks := Load(Param("chunks"), GP64())
	hits := Load(Param("hits"), GP64())
	levels := table("thresholds_narrow", 0, 22, 40, 128)
	bumped := AllocLocal(8)
	to := GP64()
	Load(Param("bumped"), to)
	MOVQ(to, bumped)

	Comment("bit i of byte i of each word, and for each byte of a register the byte of the coefficients that its bit is in")
	bit := YMM()
	VPBROADCASTQ(table("ribbonBits", 0x8040201008040201), bit)
	var byteOf [2]VecVirtual
	for half := range byteOf {
		byteOf[half] = YMM()
		var words []uint64
		for i := range uint64(4) {
			words = append(words, 0x0101010101010101*(4*uint64(half)+i))
		}
		VMOVDQU(table("ribbonBytes"+string(rune('0'+half)), words...), byteOf[half])
	}

	p := pipeline{bufBytes: 32 * chunk, chunks: chunks, hashes: hashes, base: rows, ahead: ahead, fields: []field{{bufStart, []int{0, 63}}}}
	prepare := func(name string, buf, src Register) {
		loop(name, chunk*8, 8, func(at Register) {
			at8 := func(disp int) Mem { return Mem{Base: buf, Index: at, Scale: 1, Disp: disp} }
			start, x, y, r := GP64(), GP64(), GP64(), GP64()
			MOVQ(Mem{Base: src, Index: at, Scale: 1}, RDX)
			MULXQ(NewParamAddr("starts", 8), x, start)
			MOVQ(start, at8(bufStart))
			MOVQ(U64(coefficientFactor), x)
			IMULQ(RDX, x)
			ORQ(Imm(1), x)
			MOVQ(x, at8(bufCoefficients))
			MOVQ(U64(rowFactor), x)
			IMULQ(RDX, x)
			SHRQ(Imm(32), x)
			MOVQ(x, at8(bufRow))

			MOVQ(start, y)
			SHRQ(Imm(7), y)
			MOVQ(y, x)
			SHRQ(Imm(5), x)
			ANDQ(NewParamAddr("mask", 24), x)
			Load(Param("thresholds"), r)
			MOVQ(Mem{Base: r, Index: x, Scale: 8}, x)
			ADDQ(y, y)
			SHRXQ(y, x, x) // by y mod 64
			ANDQ(Imm(3), x)
			LEAQ(levels, r)
			MOVQ(Mem{Base: r, Index: x, Scale: 8}, x)
			ANDQ(Imm(127), start)
			CMPQ(start, x)
			SBBQ(x, x)
			MOVQ(x, at8(bufOut))
		})
	}
	work := func(buf Register) {
		hit, bump, at := GP64(), GP64(), GP64()
		XORL(hit.As32(), hit.As32())
		XORL(bump.As32(), bump.As32())
		MOVQ(I32(chunk-4), at)
		Label("keys")
		p.early(at, 4)
		for i := 3; i >= 0; i-- {
			field := func(disp int) Mem { return Mem{Base: buf, Index: at, Scale: 8, Disp: disp + 8*i} }
			start, picked, sum := GP64(), YMM(), YMM()
			MOVQ(field(bufStart), start)
			VPBROADCASTQ(field(bufCoefficients), picked)
			for half := range 2 {
				m := YMM()
				VPSHUFB(byteOf[half], picked, m)
				VPAND(bit, m, m)
				VPCMPEQB(bit, m, m)
				VPAND(Mem{Base: rows, Index: start, Scale: 1, Disp: 32 * half}, m, m)
				if half == 0 {
					VMOVDQA(m, sum)
				} else {
					VPXOR(m, sum, sum)
				}
			}
			upper := XMM()
			VEXTRACTI128(Imm(1), sum, upper)
			VPXOR(upper, sum.AsX(), upper)
			x, y := GP64(), GP64()
			VMOVQ(upper, x)
			VPEXTRQ(Imm(1), upper, y)
			XORQ(y, x)
			MOVQ(x, y)
			SHRQ(Imm(32), y)
			XORQ(y, x)
			MOVL(x.As32(), y.As32())
			SHRL(Imm(16), y.As32())
			XORL(y.As32(), x.As32())
			MOVL(x.As32(), y.As32())
			SHRL(Imm(8), y.As32())
			XORL(y.As32(), x.As32())
			XORL(field(bufRow), x.As32())
			SUBB(Imm(1), x.As8()) // carry: it was 0
			ADCQ(hit, hit)
			MOVQ(field(bufOut), x)
			ADDQ(x, x) // carry: it was all ones
			ADCQ(bump, bump)
		}
		SUBQ(Imm(4), at)
		JGE(LabelRef("keys"))
		ANDNQ(hit, bump, hit)
		MOVQ(hit, Mem{Base: hits})
		ADDQ(Imm(8), hits)
		out := GP64()
		MOVQ(bumped, out)
		MOVQ(bump, Mem{Base: out})
		ADDQ(Imm(8), bumped)
	}
	p.run(prepare, work)
	VZEROUPPER()
	RET()
}
