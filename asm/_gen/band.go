package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

const bucketStarts = 128

func band() {
	insertRibbon()
	solveRibbon()
}

// words returns a table of 64 words, f(i) each.
func words(name string, f func(i uint64) uint64) Mem {
	var list []uint64
	for i := range uint64(64) {
		list = append(list, f(i))
	}
	return table(name, list...)
}

// insertRibbon keeps the 64 rows from that of the hash on, and up to seven before
// it, in registers: nine groups of eight rows, their coefficients and their
// fingerprints. The window moves on by a group at a time, whose rows it stores.
//
// Every row is reduced by all others: it has no coefficient in a row that is
// taken, its own left out, and an empty row has that of its own alone. Then the
// product of a hash's coefficients and these rows is what is left of them, and
// the first of what is left is the row to take: what is left is added to all
// rows that have it, the empty one among them, which makes it the row of the hash.
//
// Bit i of a row is that of the i-th row of the window, or of the one 64 behind
// it if the row itself is not before that.
func insertRibbon() {
	TEXT("insertRibbon512", 0, "func(coefficients *uint64, fingerprints *uint32, hashes *uint64, n, starts, first uint64, masks *uint64) (ok bool)")
	Pragma("noescape")
	Doc("insertRibbon512 is InsertRibbon for one hash or more. AVX-512 F, DQ, VL and BMI2.")
	coefficients := Load(Param("coefficients"), GP64())
	fingerprints := Load(Param("fingerprints"), GP64())
	hashes := Load(Param("hashes"), GP64())
	end := Load(Param("n"), GP64())
	starts := Load(Param("starts"), GP64())
	first := Load(Param("first"), GP64())
	masks := Load(Param("masks"), GP64())
	LEAQ(Mem{Base: hashes, Index: end, Scale: 8}, end)
	factor, factor2 := GP64(), GP64()
	MOVQ(U64(coefficientFactor), factor)
	MOVQ(U64(rowFactor), factor2)

	const groups = 9
	lanes := words("ribbonLanes", func(i uint64) uint64 { return i })
	bits := words("ribbonBit", func(i uint64) uint64 { return 1 << i })
	behind := table("ribbonBehind", 0x80c0e0f0f8fcfeff) // byte i: lanes i and up
	var c, f, own [groups]VecVirtual
	for g := range groups {
		c[g], f[g] = ZMM(), YMM()
		if g == groups-1 {
			own[g] = own[0]
			VMOVDQA64(own[0], c[g])
			VPXORD(f[g], f[g], f[g])
			continue
		}
		own[g] = ZMM()
		VMOVDQU64(bits.Offset(64*g), own[g])
		VMOVDQU64(Mem{Base: coefficients, Disp: 64 * g}, c[g])
		VPROLVQ(lanes.Offset(64*g), c[g], c[g])
		VPXORQ(own[g], c[g], c[g])
		VMOVDQU32(Mem{Base: fingerprints, Disp: 32 * g}, f[g])
	}
	picks := AllocLocal(8) // a bit for each row of the window
	at := GP64()
	XORL(at.As32(), at.As32())
	ahead, before := K(), K() // rows of the first group, of the last

	Label("next")
	CMPQ(hashes, end)
	JE(LabelRef("rest"))
	offset, x, fp := GP64(), GP64(), GP64()
	MOVQ(Mem{Base: hashes}, RDX)
	ADDQ(Imm(8), hashes)
	MULXQ(starts, x, offset)
	SUBQ(first, offset)
	MOVQ(RDX, x)
	MOVQ(RDX, fp)
	IMULQ(factor, x)
	ORQ(Imm(1), x)
	ANDQ(Mem{Base: masks, Index: offset, Scale: 8}, x)
	IMULQ(factor2, fp)
	SHRQ(Imm(32), fp)
	SUBQ(at, offset)
	Label("check")
	CMPQ(offset, Imm(8))
	JAE(LabelRef("move"))
	MOVQ(offset, RCX)
	ROLQ(CL, x)
	address := GP64()
	LEAQ(behind, address)
	KMOVB(Mem{Base: address, Index: RCX, Scale: 1}, ahead)
	KNOTB(ahead, before)

	Comment("the product")
	MOVQ(x, picks)
	left, right := []VecVirtual{ZMM(), ZMM()}, []VecVirtual{YMM(), YMM()}
	for g := range groups {
		pick := K()
		KMOVB(picks.Offset(g%8), pick)
		switch g {
		case 0:
			KANDB(ahead, pick, pick)
		case groups - 1:
			KANDB(before, pick, pick)
		}
		if g < 2 {
			VMOVDQA64_Z(c[g], pick, left[g])
			VMOVDQA32_Z(f[g], pick, right[g])
			continue
		}
		VPXORQ(c[g], left[g%2], pick, left[g%2])
		VPXORD(f[g], right[g%2], pick, right[g%2])
	}
	fold, add := ZMM(), YMM()
	VPXORQ(left[1], left[0], left[0])
	VSHUFI64X2(Imm(0x4e), left[0], left[0], fold)
	VPXORQ(fold, left[0], left[0])
	VSHUFI64X2(Imm(0xb1), left[0], left[0], fold)
	VPXORQ(fold, left[0], left[0])
	VPSHUFD(Imm(0x4e), left[0], fold)
	VPXORQ(fold, left[0], left[0])
	VPXORD(right[1], right[0], right[0])
	VMOVD(fp.As32(), add.AsX())
	VPXORD(add, right[0], right[0])
	VEXTRACTI32X4(Imm(1), right[0], add.AsX())
	VPXORD(add.AsX(), right[0].AsX(), right[0].AsX())
	VPSHUFD(Imm(0xee), right[0].AsX(), add.AsX())
	VPXORD(add.AsX(), right[0].AsX(), right[0].AsX())
	VPSHUFD(Imm(0x55), right[0].AsX(), add.AsX())
	VPXORD(add.AsX(), right[0].AsX(), right[0].AsX())

	Comment("the first of what is left, in the order of the rows")
	shift, first1, wanted := ZMM(), ZMM(), ZMM()
	VPBROADCASTQ(RCX, shift)
	VPRORVQ(shift, left[0], first1)
	VPXORQ(wanted, wanted, wanted)
	VPSUBQ(first1, wanted, wanted)
	VPANDQ(first1, wanted, wanted)
	VPROLVQ(shift, wanted, wanted)
	VMOVQ(left[0].AsX(), x)
	TESTQ(x, x)
	JZ(LabelRef("follows"))
	VPBROADCASTD(right[0].AsX(), right[0])
	for g := range groups {
		have := K()
		switch g {
		case 0:
			VPTESTMQ(c[g], wanted, ahead, have)
		case groups - 1:
			VPTESTMQ(c[g], wanted, before, have)
		default:
			VPTESTMQ(c[g], wanted, have)
		}
		VPXORQ(left[0], c[g], have, c[g])
		VPXORD(right[0], f[g], have, f[g])
	}
	JMP(LabelRef("next"))

	Label("follows")
	VMOVD(right[0].AsX(), x.As32())
	TESTL(x.As32(), x.As32())
	JZ(LabelRef("next"))
	VZEROUPPER()
	ok, err := ReturnIndex(0).Resolve()
	if err != nil {
		panic(err)
	}
	MOVB(Imm(0), ok.Addr)
	RET()

	Comment("the window moves on: its first group is done")
	move := func() {
		out := ZMM()
		VPXORQ(own[0], c[0], out)
		VPRORVQ(lanes, out, out)
		VMOVDQU64(out, Mem{Base: coefficients, Index: at, Scale: 8})
		VMOVDQU32(f[0], Mem{Base: fingerprints, Index: at, Scale: 4})
		for g := range groups - 1 {
			VPRORQ(Imm(8), c[g+1], c[g])
			VMOVDQA32(f[g+1], f[g])
		}
		VMOVDQA64(own[0], c[groups-1])
		VPXORD(f[groups-1], f[groups-1], f[groups-1])
		ADDQ(Imm(8), at)
	}
	Label("move")
	move()
	SUBQ(Imm(8), offset)
	JMP(LabelRef("check"))

	Label("rest")
	CMPQ(at, I32(bucketStarts))
	JE(LabelRef("done"))
	move()
	JMP(LabelRef("rest"))
	Label("done")
	for g := range groups - 1 {
		VPXORQ(own[g], c[g], c[g])
		VPRORVQ(lanes.Offset(64*g), c[g], c[g])
		VMOVDQU64(c[g], Mem{Base: coefficients, Disp: 8*bucketStarts + 64*g})
		VMOVDQU32(f[g], Mem{Base: fingerprints, Disp: 4*bucketStarts + 32*g})
	}
	VZEROUPPER()
	MOVB(Imm(1), ok.Addr)
	RET()
}

// solveRibbon has eight columns in a register: the bit of a row is the parity of
// those that its coefficients pick of the rows behind, plus that of its
// fingerprint. Up to four registers go through the rows side by side.
func solveRibbon() {
	TEXT("solveRibbon512", 0, "func(coefficients *uint64, fingerprints *uint32, columns *uint64, groups uint64)")
	Pragma("noescape")
	Doc("solveRibbon512 turns columns, eight for each of one to four groups, from those of the 64 rows behind a block to those of the block. AVX-512 F, VPOPCNTDQ.")
	coefficients := Load(Param("coefficients"), GP64())
	fingerprints := Load(Param("fingerprints"), GP64())
	columns := Load(Param("columns"), GP64())
	groups := Load(Param("groups"), GP64())
	one := constant(1)
	const oddBit = 0x78 // a ^ b&c
	for count := 1; count <= 4; count++ {
		name := string(rune('0' + count))
		if count < 4 {
			CMPQ(groups, Imm(uint64(count)))
			JNE(LabelRef("not" + name))
		}
		var z, column [4]VecVirtual
		for g := range count {
			z[g], column[g] = ZMM(), ZMM()
			VMOVDQU64(Mem{Base: columns, Disp: 64 * g}, z[g])
			VMOVDQU64(NewDataAddr(NewStaticSymbol("ribbonLanes"), 64*g), column[g])
		}
		row := GP64()
		MOVQ(U64(64), row)
		Label("row" + name)
		c, f := ZMM(), ZMM()
		VPBROADCASTQ(Mem{Base: coefficients, Index: row, Scale: 8, Disp: -8}, c)
		VPBROADCASTD(Mem{Base: fingerprints, Index: row, Scale: 4, Disp: -4}, f)
		VPSRLQ(Imm(1), c, c)
		for g := range count {
			picked, wanted := ZMM(), ZMM()
			VPANDQ(c, z[g], picked)
			VPOPCNTQ(picked, picked)
			VPADDQ(z[g], z[g], z[g])
			VPSRLVQ(column[g], f, wanted)
			VPTERNLOGQ(Imm(oddBit), one, wanted, z[g])
			VPTERNLOGQ(Imm(oddBit), one, picked, z[g])
		}
		DECQ(row)
		JNZ(LabelRef("row" + name))
		for g := range count {
			VMOVDQU64(z[g], Mem{Base: columns, Disp: 64 * g})
		}
		VZEROUPPER()
		RET()
		Label("not" + name)
	}
}
