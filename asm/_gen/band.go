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
	Doc("insertRibbon512 is InsertRibbon for one hash or more: it reads the first 64 rows and writes the first 192, of coefficients and fingerprints. AVX-512 F, DQ, VL and BMI2.")
	coefficients := Load(Param("coefficients"), GP64())
	fingerprints := Load(Param("fingerprints"), GP64())
	hashes := Load(Param("hashes"), GP64())
	masks := Load(Param("masks"), GP64())
	param := func(name string) Mem {
		c, err := Param(name).Resolve()
		if err != nil {
			panic(err)
		}
		return c.Addr
	}
	Comment("at counts rows from the first of the band on, like a start; what it indexes begins before")
	Comment("what there is by as much")
	at, n := GP64(), GP64()
	MOVQ(param("first"), at)
	MOVQ(param("n"), n)
	LEAQ(Mem{Base: hashes, Index: n, Scale: 8}, n)
	end, last := AllocLocal(8), AllocLocal(8)
	MOVQ(n, end)
	LEAQ(Mem{Base: at, Disp: bucketStarts}, n)
	MOVQ(n, last)
	MOVQ(at, n)
	SHLQ(Imm(2), n)
	SUBQ(n, fingerprints)
	ADDQ(n, n)
	SUBQ(n, coefficients)
	SUBQ(n, masks)
	factors := table("ribbonFactors", coefficientFactor, rowFactor)

	const groups = 9
	lanes := words("ribbonLanes", func(i uint64) uint64 { return i })
	bits := words("ribbonBit", func(i uint64) uint64 { return 1 << i })
	behind := table("ribbonBehind", 0x80c0e0f0f8fcfeff) // byte i: lanes i and up
	var c, f [groups]VecVirtual
	own, bit := ZMM(), ZMM()
	VMOVDQU64(bits, own)
	for g := range groups {
		c[g], f[g] = ZMM(), YMM()
		if g == groups-1 {
			VMOVDQA64(own, c[g])
			VPXORD(f[g], f[g], f[g])
			continue
		}
		VMOVDQU64(Mem{Base: coefficients, Index: at, Scale: 8, Disp: 64 * g}, c[g])
		VPROLVQ(lanes.Offset(64*g), c[g], c[g])
		VPXORQ(bits.Offset(64*g), c[g], c[g])
		VMOVDQU32(Mem{Base: fingerprints, Index: at, Scale: 4, Disp: 32 * g}, f[g])
	}
	picks := AllocLocal(8) // a bit for each row of the window
	offset, x, fp := GP64(), GP64(), GP64()
	// load reads the next hash, if there is one: where it starts in the
	// window, its coefficients and its fingerprint.
	load := func(none string) {
		CMPQ(hashes, end)
		JE(LabelRef(none))
		MOVQ(Mem{Base: hashes}, RDX)
		ADDQ(Imm(8), hashes)
		MULXQ(param("starts"), x, offset)
		MOVQ(RDX, x)
		MOVQ(RDX, fp)
		IMULQ(factors, x)
		ORQ(Imm(1), x)
		ANDQ(Mem{Base: masks, Index: offset, Scale: 8}, x)
		IMULQ(factors.Offset(8), fp)
		SHRQ(Imm(32), fp)
		SUBQ(at, offset)
	}
	// key is a hash between the product and its row.
	type key struct {
		left, right   VecVirtual    // of the coefficients, in every lane, and of the fingerprint, in the first
		start         GPVirtual     // in the window
		shift         VecVirtual    // the same, in every lane
		ahead, before OpmaskVirtual // rows of the first group that are not before it, of the last that are not too far
	}
	newKey := func() key { return key{ZMM(), YMM(), GP64(), ZMM(), K(), K()} }
	product := func(k key) {
		MOVQ(offset, RCX)
		MOVQ(offset, k.start)
		ROLQ(CL, x)
		MOVQ(x, picks)
		address := GP64()
		LEAQ(behind, address)
		KMOVB(Mem{Base: address, Index: RCX, Scale: 1}, k.ahead)
		KNOTB(k.ahead, k.before)
		VPBROADCASTQ(RCX, k.shift)
		left, right := []VecVirtual{k.left, ZMM()}, []VecVirtual{k.right, YMM()}
		for g := range groups {
			pick := K()
			KMOVB(picks.Offset(g%8), pick)
			switch g {
			case 0:
				KANDB(k.ahead, pick, pick)
			case groups - 1:
				KANDB(k.before, pick, pick)
			}
			if g < 2 {
				VMOVDQA64_Z(c[g], pick, left[g])
				VMOVDQA32_Z(f[g], pick, right[g])
				continue
			}
			VPXORQ(c[g], left[g%2], pick, left[g%2])
			VPXORD(f[g], right[g%2], pick, right[g%2])
		}
		fold, add := left[1], right[1]
		VPXORQ(fold, k.left, k.left)
		VSHUFI64X2(Imm(0x4e), k.left, k.left, fold)
		VPXORQ(fold, k.left, k.left)
		VSHUFI64X2(Imm(0xb1), k.left, k.left, fold)
		VPXORQ(fold, k.left, k.left)
		VPSHUFD(Imm(0x4e), k.left, fold)
		VPXORQ(fold, k.left, k.left)
		VPXORD(add, k.right, k.right)
		VMOVD(fp.As32(), add.AsX())
		VPXORD(add, k.right, k.right)
		VEXTRACTI32X4(Imm(1), k.right, add.AsX())
		VPXORD(add.AsX(), k.right.AsX(), k.right.AsX())
		VPSHUFD(Imm(0xee), k.right.AsX(), add.AsX())
		VPXORD(add.AsX(), k.right.AsX(), k.right.AsX())
		VPSHUFD(Imm(0x55), k.right.AsX(), add.AsX())
		VPXORD(add.AsX(), k.right.AsX(), k.right.AsX())
		VPBROADCASTD(k.right.AsX(), k.right)
	}
	// take gives a key its row, the first of what is left in the order of the
	// rows; bit is that of the row.
	take := func(k key, follows string) {
		left := GP64()
		VMOVQ(k.left.AsX(), left)
		TESTQ(left, left)
		JZ(LabelRef(follows))
		ordered := ZMM()
		VPRORVQ(k.shift, k.left, ordered)
		VPXORQ(bit, bit, bit)
		VPSUBQ(ordered, bit, bit)
		VPANDQ(ordered, bit, bit)
		VPROLVQ(k.shift, bit, bit)
		for g := range groups {
			have := K()
			switch g {
			case 0:
				VPTESTMQ(c[g], bit, k.ahead, have)
			case groups - 1:
				VPTESTMQ(c[g], bit, k.before, have)
			default:
				VPTESTMQ(c[g], bit, have)
			}
			VPXORQ(k.left, c[g], have, c[g])
			VPXORD(k.right, f[g], have, f[g])
		}
	}
	// agrees fails unless the fingerprint of a key of which nothing is left is 0.
	agrees := func(k key) {
		left := GP32()
		VMOVD(k.right.AsX(), left)
		TESTL(left, left)
		JNZ(LabelRef("contradiction"))
	}
	// move stores the first group and moves the window on.
	move := func() {
		out := ZMM()
		VPXORQ(own, c[0], out)
		VPRORVQ(lanes, out, out)
		VMOVDQU64(out, Mem{Base: coefficients, Index: at, Scale: 8})
		VMOVDQU32(f[0], Mem{Base: fingerprints, Index: at, Scale: 4})
		for g := range groups - 1 {
			VPRORQ(Imm(8), c[g+1], c[g])
			VMOVDQA32(f[g+1], f[g])
		}
		VMOVDQA64(own, c[groups-1])
		VPXORD(f[groups-1], f[groups-1], f[groups-1])
		ADDQ(Imm(8), at)
	}
	key1, key2 := newKey(), newKey()

	Label("fresh")
	load("rest")
	Label("check")
	CMPQ(offset, Imm(8))
	JAE(LabelRef("far"))
	product(key1)

	Comment("a key waits for its row; meanwhile the product of the next one, with the rows as they are")
	Label("next")
	load("drain")
	CMPQ(offset, Imm(8))
	JAE(LabelRef("drain"))
	product(key2)
	take(key1, "follows1")
	Comment("what the new row changes in that product: if it has the row, unless that is before its start")
	Comment("and it has that 64 behind it")
	passed, start, no, valid, have := GP64(), GP64(), ZMM(), ZMM(), K()
	XORL(passed.As32(), passed.As32())
	BTSQ(key2.start, passed)
	XORL(start.As32(), start.As32())
	BTSQ(key1.start, start)
	SUBQ(start, passed)
	VPBROADCASTQ(passed, no)
	VPANDNQ(key2.left, no, valid)
	VPTESTMQ(valid, bit, have)
	VPXORQ(key1.left, key2.left, have, key2.left)
	VPXORD(key1.right, key2.right, have, key2.right)
	Label("swap")
	VMOVDQA64(key2.left, key1.left)
	VMOVDQA32(key2.right, key1.right)
	VMOVDQA64(key2.shift, key1.shift)
	MOVQ(key2.start, key1.start)
	KMOVB(key2.ahead, key1.ahead)
	KMOVB(key2.before, key1.before)
	JMP(LabelRef("next"))
	Label("follows1")
	agrees(key1)
	JMP(LabelRef("swap"))

	Label("far")
	move()
	SUBQ(Imm(8), offset)
	JMP(LabelRef("check"))

	Label("drain")
	take(key1, "follows2")
	Label("drained")
	CMPQ(offset, Imm(8))
	JAE(LabelRef("far"))
	JMP(LabelRef("rest"))
	Label("follows2")
	agrees(key1)
	JMP(LabelRef("drained"))

	Label("contradiction")
	VZEROUPPER()
	ok, err := ReturnIndex(0).Resolve()
	if err != nil {
		panic(err)
	}
	MOVB(Imm(0), ok.Addr)
	RET()

	Label("rest")
	CMPQ(at, last)
	JE(LabelRef("done"))
	move()
	JMP(LabelRef("rest"))
	Label("done")
	for g := range groups - 1 {
		VPXORQ(bits.Offset(64*g), c[g], c[g])
		VPRORVQ(lanes.Offset(64*g), c[g], c[g])
		VMOVDQU64(c[g], Mem{Base: coefficients, Index: at, Scale: 8, Disp: 64 * g})
		VMOVDQU32(f[g], Mem{Base: fingerprints, Index: at, Scale: 4, Disp: 32 * g})
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
	Doc("solveRibbon512 turns columns, eight for each of one to four groups, from those of the 64 rows behind a block to those of the block. AVX-512 F, DQ, VPOPCNTDQ.")
	coefficients := Load(Param("coefficients"), GP64())
	fingerprints := Load(Param("fingerprints"), GP64())
	columns := Load(Param("columns"), GP64())
	groups := Load(Param("groups"), GP64())
	one := constant(1)
	const oddBit = 0x78 // a ^ b&c
	solve := func(name string, count int) {
		var z, column [4]VecVirtual
		for g := range count {
			z[g], column[g] = ZMM(), ZMM()
			VMOVDQU64(Mem{Base: columns, Disp: 64 * g}, z[g])
			VMOVDQU64(NewDataAddr(NewStaticSymbol("ribbonLanes"), 64*g), column[g])
		}
		row := GP64()
		MOVQ(U64(64), row)
		Label(name)
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
		JNZ(LabelRef(name))
		for g := range count {
			VMOVDQU64(z[g], Mem{Base: columns, Disp: 64 * g})
		}
		VZEROUPPER()
		RET()
	}
	for count := 1; count <= 4; count++ {
		name := string(rune('0' + count))
		if count < 4 {
			CMPQ(groups, Imm(uint64(count)))
			JNE(LabelRef("not" + name))
		}
		solve("row"+name, count)
		Label("not" + name)
	}
}
