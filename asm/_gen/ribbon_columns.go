package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// The buffer of a chunk of a layer stored by columns.
const (
	// bufStart: 8 bytes: its start
	bufLow         = 8 * chunk  // 8 bytes: the offset of the block that it starts in
	bufHigh        = 16 * chunk // 8 bytes: of the next one
	bufHere        = 24 * chunk // 8 bytes: which rows of the one its coefficients pick
	bufThere       = 32 * chunk // 8 bytes: and of the other
	bufWanted      = 40 * chunk // 4 bytes: its fingerprint
	bufWidth       = 44 * chunk // 1 byte: a bit for each column in the last eight
	columnsDecides = 45 * chunk // 1 byte: see firstLayer
	columnsCodes   = 46 * chunk // 1 byte: see firstLayer
	bufSums        = 47 * chunk // 1 byte: what eight columns add up to
	columnsBytes   = 48 * chunk
)

// placeInColumns is placeInTiles for layers stored by columns; last has a bit for each
// of the last one to eight.
func placeInColumns(last Mem, base, buf, i, h, start, part Register) {
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

// ribbonColumns512 works on up to eight columns of a hash at once: its 64 rows lie,
// in each column, in two words, and the parity of what the coefficients pick is that
// of both together.
func ribbonColumns512() {
	const bufDecides, bufCodes = columnsDecides, columnsCodes
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
	place := func(base, buf, i, h, start, part Register) { placeInColumns(last, base, buf, i, h, start, part) }
	p.run(columnsBytes, l.bumped, place, func() { p.at(working, work) }, prepare)
	VZEROUPPER()
	RET()
}

// ribbonColumns256 works on the words of eight columns of a hash, or of four columns
// of two. Their parities come by folding: the words of several hashes are halved and
// laid side by side until each of them is a byte.
func ribbonColumns256() {
	TEXT("probeRibbonColumns256", 0, "func(solution *byte, parts *byte, ahead uint64, hashes *uint64, chunks uint64, hits *uint64, columns uint64)")
	Pragma("noescape")
	Doc("probeRibbonColumns256 is probeRibbonColumns512 for AVX2 and BMI2.")
	const differs = columnsBytes // 1 byte: the columns that do not add up to the fingerprint
	Comment("last: a bit for each of the last one to eight columns; eights: the columns in groups of more than four")
	last, eights, lanes := AllocLocal(8), AllocLocal(8), AllocLocal(32)
	c, bits := RCX, GP64()
	Load(Param("columns"), c)
	DECQ(c)
	LEAQ(Mem{Base: c, Disp: 4}, bits)
	ANDQ(I8(-8), bits)
	MOVQ(bits, eights)
	ANDL(Imm(7), c.As32())
	MOVQ(U32(2), bits)
	SHLQ(CL, bits)
	DECQ(bits)
	MOVQ(bits, last)
	Comment("lanes: which of the last four columns there are")
	behind, numbers := YMM(), constants256("columnNumbers", 0, 1, 2, 3)
	ANDL(Imm(3), c.As32())
	VMOVQ(c, behind.AsX())
	VPBROADCASTQ(behind.AsX(), behind)
	VPCMPGTQ(behind, numbers, behind)
	VPCMPEQD(numbers, numbers, numbers)
	VPXOR(numbers, behind, behind)
	VMOVDQU(behind, lanes)

	p := newRibbonLoop(bufStart, columnsCodes, field{bufLow, []int{0, 64, 128}}, field{bufHigh, []int{56, 120}})
	prepare := func() {
		buf := p.worked
		p.loadThresholds()
		loop("hashes", chunk, 8, func(at Register) {
			p.at(lookingUp, func() { p.lookUp(rolled(at)) })
			p.ask(rolled(at))
			p.at(preparing, func() {
				var decides, wanted, widths [2]VecVirtual
				for half := range 2 {
					at8 := func(disp int) Mem { return Mem{Base: buf, Index: at, Scale: 8, Disp: disp + 32*half} }
					start, x, row := equation256(Mem{Base: p.hashes, Index: at, Scale: 8, Disp: 32 * half})
					VMOVDQU(start, at8(bufStart))
					wanted[half], decides[half] = row, YMM()
					VPSRLQ(Imm(1), start, decides[half])
					y := YMM()
					VPAND(constants256("in64", 63), start, y)
					here := YMM()
					VPSLLVQ(y, x, here)
					VMOVDQU(here, at8(bufHere))
					sixtyFour := constants256("sixtyFour", 64)
					VPSUBQ(y, sixtyFour, y)
					VPSRLVQ(y, x, x) // 0 for a shift by 64
					VMOVDQU(x, at8(bufThere))

					Comment("a block lies at 8·(block·columns - min(block, narrow))")
					parts := Load(Param("parts"), GP64())
					narrow, columns := everywhere256(Mem{Base: parts, Disp: partNarrow}), everywhere256(NewParamAddr("columns", 48))
					isNarrow := YMM()
					widths[half] = isNarrow
					VPSRLQ(Imm(6), start, start)
					VPMULUDQ(columns, start, x)
					VPCMPGTQ(start, narrow, isNarrow)
					VPMINUD(narrow, start, start)
					VPSUBQ(start, x, x)
					VPADDQ(isNarrow, columns, y)
					VPADDQ(x, y, y)
					VPSLLQ(Imm(3), x, x)
					VMOVDQU(x, at8(bufLow))
					VPSLLQ(Imm(3), y, y)
					VMOVDQU(y, at8(bufHigh))
				}
				x := YMM()
				VSHUFPS(Imm(0xdd), wanted[1], wanted[0], x)
				VPERMQ(Imm(0xd8), x, x)
				VMOVDQU(x, Mem{Base: buf, Index: at, Scale: 4, Disp: bufWanted})
				at1 := func(disp int) Mem { return Mem{Base: buf, Index: at, Scale: 1, Disp: disp} }
				lowestBytes256(decides, at1(columnsDecides))
				wide, narrower := YMM(), YMM()
				VPBROADCASTQ(last, wide)
				VPSRLQ(Imm(1), wide, narrower)
				for _, w := range widths {
					VPBLENDVB(w, narrower, wide, w)
				}
				lowestBytes256(widths, at1(bufWidth))
			})
		})
	}
	bumped := func(buf Register) Register { return bumped256(buf, columnsDecides, columnsCodes) }
	place := func(base, buf, i, h, start, part Register) { placeInColumns(last, base, buf, i, h, start, part) }
	work := func() {
		buf := p.worked
		solution, from := GP64(), GP64() // the first column of a group
		MOVQ(p.base, solution)
		zero := YMM()
		VPXOR(zero, zero, zero)
		VMOVDQU(zero, Mem{Base: buf, Disp: differs})
		VMOVDQU(zero, Mem{Base: buf, Disp: differs + 32})
		XORL(from.As32(), from.As32())
		// pick emits what the coefficients of hash i from at on pick from the words at
		// some displacements, of those that the last mask, if there is one, has.
		pick := func(at Register, i int, lanes []VecVirtual) (rows [2]VecVirtual) {
			field := func(disp int) Mem { return Mem{Base: buf, Index: at, Scale: 8, Disp: disp + 8*i} }
			low, high, here, there := GP64(), GP64(), YMM(), YMM()
			MOVQ(field(bufLow), low)
			MOVQ(field(bufHigh), high)
			VPBROADCASTQ(field(bufHere), here)
			VPBROADCASTQ(field(bufThere), there)
			for n, mask := range lanes {
				words := func(offset Register) Mem {
					return Mem{Base: solution, Index: offset, Scale: 1, Disp: 32 * n}
				}
				x, y := YMM(), YMM()
				if mask == nil {
					VPAND(words(low), here, x)
					VPAND(words(high), there, y)
				} else {
					VPMASKMOVQ(words(low), mask, x)
					VPAND(here, x, x)
					VPMASKMOVQ(words(high), mask, y)
					VPAND(there, y, y)
				}
				VPXOR(y, x, x)
				rows[n] = x
			}
			return rows
		}
		// halve emits the words of a and b folded to 32 bits, two and two in turn.
		halve := func(a, b VecVirtual) VecVirtual {
			x := YMM()
			VSHUFPS(Imm(0xdd), b, a, x)
			VSHUFPS(Imm(0x88), b, a, a)
			VPXOR(x, a, a)
			return a
		}
		// quarter emits words of 32 bits folded to 16, those of a and b in turn.
		quarter := func(a, b VecVirtual) VecVirtual {
			x := YMM()
			VPSRLD(Imm(16), a, x)
			VPXOR(x, a, a)
			VPSLLD(Imm(16), b, x)
			VPXOR(x, b, b)
			VPBLENDW(Imm(0xaa), b, a, a)
			return a
		}
		nibbles, parity, odd := constants256("nibbles", 0x0f0f0f0f0f0f0f0f), constants256("parity", parities...), constants256("oddBytes", 0xff00ff00ff00ff00)
		order := constants256("rows4", 0x0d0905010c080400, 0x0f0b07030e0a0602, 0x0d0905010c080400, 0x0f0b07030e0a0602)
		lanesInTurn := constants256("lanesInTurn", 0x0000000400000000, 0x0000000500000001, 0x0000000600000002, 0x0000000700000003)
		// add emits the parities of the words that rows gives for 0 to 3: byte i of to has
		// those of i, the third and fourth two in the places of the fifth and sixth.
		add := func(to Mem, rows func(i int) VecVirtual) {
			var words [2]VecVirtual
			for i := range words {
				a := rows(i)
				words[i] = quarter(a, rows(i+2))
			}
			a, b, x, sums := words[0], words[1], YMM(), GP32()
			VPSRLW(Imm(8), a, x)
			VPXOR(x, a, a)
			VPSLLW(Imm(8), b, x)
			VPXOR(x, b, b)
			VPBLENDVB(odd, b, a, a)
			VPSRLW(Imm(4), a, x)
			VPXOR(x, a, a)
			VPAND(nibbles, a, a)
			VPSHUFB(a, parity, a)
			VPSHUFB(order, a, a)
			VPERMD(a, lanesInTurn, a)
			VPMOVMSKB(a, sums)
			MOVL(sums, to)
		}
		// straighten emits the swap of the third and fourth bit of each byte with the fifth
		// and sixth.
		straighten := func(a VecVirtual) {
			x := YMM()
			VPSRLW(Imm(2), a, x)
			VPXOR(a, x, x)
			VPAND(constants256("bits34", 0x0c0c0c0c0c0c0c0c), x, x)
			VPXOR(x, a, a)
			VPSLLW(Imm(2), x, x)
			VPXOR(x, a, a)
		}
		sums := func(half int) Mem { return Mem{Base: buf, Disp: bufSums + 32*half} }
		mask := YMM()
		Label("group")
		VMOVDQU(lanes, mask)
		end := GP64()
		LEAQ(Mem{Base: from, Disp: 8}, end)
		CMPQ(from, eights)
		JE(LabelRef("four"))
		CMPQ(end, NewParamAddr("columns", 48))
		JAE(LabelRef("eight"))
		VPCMPEQD(mask, mask, mask)
		Label("eight")
		loop("eights", chunk, 4, func(at Register) {
			add(Mem{Base: buf, Index: at, Scale: 1, Disp: bufSums}, func(i int) VecVirtual {
				rows := pick(at, i, []VecVirtual{nil, mask})
				return halve(rows[0], rows[1])
			})
		})
		var bytes [2]VecVirtual
		for half := range bytes {
			bytes[half] = YMM()
			VMOVDQU(sums(half), bytes[half])
			straighten(bytes[half])
		}
		JMP(LabelRef("compare"))
		Label("four")
		Comment("the same with the columns of two hashes, four apart, in place of eight of one")
		loop("fours", chunk/2, 4, func(at Register) {
			add(Mem{Base: buf, Index: at, Scale: 1, Disp: bufSums}, func(i int) VecVirtual {
				at2 := GP64()
				LEAQ(Mem{Base: at, Index: at, Scale: 1}, at2)
				a := pick(at2, i, []VecVirtual{mask})[0]
				return halve(a, pick(at2, i+4, []VecVirtual{mask})[0])
			})
		})
		low, high := YMM(), YMM()
		VMOVDQU(sums(0), low)
		straighten(low)
		VPSRLW(Imm(4), low, high)
		VPAND(nibbles, low, low)
		VPAND(nibbles, high, high)
		VPUNPCKLDQ(high, low, bytes[0])
		VPUNPCKHDQ(high, low, bytes[1])
		VPERM2I128(Imm(0x20), bytes[1], bytes[0], low)
		VPERM2I128(Imm(0x31), bytes[1], bytes[0], bytes[1])
		VMOVDQA(low, bytes[0])
		Label("compare")
		Comment("byte group of the fingerprints")
		byteOf := YMM()
		SHRL(Imm(3), from.As32())
		IMUL3L(I32(0x01010101), from.As32(), from.As32())
		ADDL(I32(0x0c080400), from.As32())
		VMOVD(from.As32(), byteOf.AsX())
		VPBROADCASTD(byteOf.AsX(), byteOf)
		for half, x := range bytes {
			var v [4]VecVirtual
			for i := range v {
				v[i] = YMM()
				VMOVDQU(Mem{Base: buf, Disp: bufWanted + 128*half + 32*i}, v[i])
				VPSHUFB(byteOf, v[i], v[i])
			}
			VPUNPCKLDQ(v[1], v[0], v[0])
			VPUNPCKLDQ(v[3], v[2], v[2])
			VPUNPCKLQDQ(v[2], v[0], v[0])
			VPERMD(v[0], constants256("dwordsOfLanes", 0x0000000400000000, 0x0000000500000001, 0x0000000600000002, 0x0000000700000003), v[0])
			VPXOR(v[0], x, x)
			differ := Mem{Base: buf, Disp: differs + 32*half}
			CMPQ(end, NewParamAddr("columns", 48))
			full := []string{"full0", "full1"}[half]
			JB(LabelRef(full))
			VPAND(Mem{Base: buf, Disp: bufWidth + 32*half}, x, x)
			Label(full)
			VPOR(differ, x, x)
			VMOVDQU(x, differ)
		}
		ADDQ(Imm(64), solution)
		MOVQ(end, from)
		CMPQ(end, NewParamAddr("columns", 48))
		JB(LabelRef("group"))
		var halves [2]GPVirtual
		for half := range halves {
			halves[half] = GP64()
			x := YMM()
			VPCMPEQB(Mem{Base: buf, Disp: differs + 32*half}, zero, x)
			VPMOVMSKB(x, halves[half].As32())
		}
		SHLQ(Imm(32), halves[1])
		ORQ(halves[1], halves[0])
		p.answer(func(to Mem) { MOVQ(halves[0], to) })
	}
	p.run(columnsBytes+chunk, bumped, place, func() { p.at(working, work) }, prepare)
	VZEROUPPER()
	RET()
}
