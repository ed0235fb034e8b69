package main

import (
	"go/token"
	"go/types"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// ribbonSingle tests one hash. What it does is as short as can be: the processor
// looks as far ahead as a number of instructions, so their number decides how many
// queries wait for memory at a time.
//
// It is given the whole ribbon, whose first parts are what partSolution and so on
// say. The generator does not see package asm, so the type is named here.
func ribbonSingle() {
	types.Universe.Insert(types.NewNamed(types.NewTypeName(token.NoPos, nil, "Ribbon", nil), types.NewStruct(nil, nil), nil).Obj())
	single("HasRibbon", "func(r *Ribbon, h uint64) bool", "HasRibbon reports whether the layer that h is in holds its fingerprint. AVX-512 F, DQ, BW, VL, VPOPCNTDQ, GFNI; BMI2.", "hasRibbonGeneric", "avx512")
	Label("avx512")
	part, h, start, x, y := GP64(), RDX, GP64(), GP64(), GP64()
	Load(Param("r"), part)
	Load(Param("h"), h)
	// fingerprint leaves it in h.
	fingerprint := func() {
		IMULQ(factor(rowFactor), h)
		SHRQ(Imm(32), h)
	}
	Comment("start is 0 if the first layer has no tiles or another hash, or by chance")
	MULXQ(Mem{Base: part, Disp: partTileStarts}, x, start)
	TESTQ(start, start)
	JZ(LabelRef("others"))
	Label("started")
	bump(part, start, x, y, "tiles_down")
	MOVQ(Mem{Base: part, Disp: partSolution}, part)
	coefficients(h, x)
	MOVL(start.As32(), y.As32())
	ANDL(Imm(7), y.As32())
	SHLXQ(y, x, x)
	SUBQ(y, start)
	Comment("the tiles, times the coefficients: a byte in each word; and their sum")
	VMOVQ(x, X16)
	VPMOVZXBQ(X16, Z16)
	multiply(Mem{Base: part, Index: start, Scale: 1}, Z16, Z16)
	VEXTRACTI64X4(Imm(1), Z16, Y17)
	VPXORQ(Y17, Y16, Y16)
	VEXTRACTI64X2(Imm(1), Y16, X17)
	VPXORQ(X17, X16, X16)
	VPSRLDQ(Imm(8), X16, X17)
	VPXORQ(X17, X16, X16)
	VMOVD(X16, x.As32())
	fingerprint()
	CMPB(x.As8(), DL)
	SETEQ(NewParamAddr("ret", 16))
	RET()

	Label("others")
	CMPQ(Mem{Base: part, Disp: partAdd}, Imm(0))
	JNE(LabelRef("rehashed"))
	CMPQ(Mem{Base: part, Disp: partColumns}, Imm(0))
	JNE(LabelRef("columns"))
	CMPQ(Mem{Base: part, Disp: partStarts}, Imm(0))
	JNE(LabelRef("tiles"))
	JMP(LabelRef("generic")) // of no layers

	Label("rehashed")
	SUBQ(Imm(partSize), part)
	CMPQ(Mem{Base: part, Disp: partSize + partColumns}, Imm(0))
	JNE(LabelRef("columns_down"))
	Label("tiles_down")
	rehash(part, h, x)
	Label("tiles")
	MULXQ(Mem{Base: part, Disp: partStarts}, x, start)
	JMP(LabelRef("started"))

	Label("columns_down")
	rehash(part, h, x)
	Label("columns")
	find(part, h, start, x, y, "columns_down")
	Comment("here, there: which rows of the block that it starts in and of the next one its coefficients pick")
	coefficients(h, x)
	SHLXQ(start, x, y)
	VPBROADCASTQ(y, Z17)
	MOVL(start.As32(), y.As32())
	NOTL(y.As32())
	SHRQ(Imm(1), x)
	SHRXQ(y, x, x)
	VPBROADCASTQ(x, Z18)
	Comment("a block lies at 8·(block·columns - min(block, narrow))")
	width, narrow := GP64(), GP64()
	MOVQ(Mem{Base: part, Disp: partColumns}, width)
	MOVQ(Mem{Base: part, Disp: partNarrow}, narrow)
	SHRQ(Imm(6), start)
	MOVQ(start, x)
	IMULQ(width, x)
	CMPQ(start, narrow)
	CMOVQCS(start, narrow)
	SBBQ(Imm(0), width)
	SUBQ(narrow, x)
	MOVQ(Mem{Base: part, Disp: partSolution}, y)
	LEAQ(Mem{Base: y, Index: x, Scale: 8}, x)
	LEAQ(Mem{Base: x, Index: width, Scale: 8}, y)
	fingerprint()
	BZHIQ(width, h, h)
	all, sums, there, differs := K(), K(), GP64(), GP64()
	XORL(differs.As32(), differs.As32())
	Label("eight")
	Comment("eight columns at a time, those of width that there are")
	MOVQ(I32(-1), there)
	BZHIQ(width, there, there)
	KMOVB(there.As32(), all)
	VPANDQ_Z(Mem{Base: x}, Z17, all, Z16)
	VPTERNLOGQ(Imm(0x78), Mem{Base: y}, Z18, all, Z16) // Z16 ^ Z18 & the other block
	VPOPCNTQ(Z16, Z16)
	VPSLLQ(Imm(63), Z16, Z16)
	VPMOVQ2M(Z16, sums)
	KMOVB(sums, there.As32())
	XORL(h.As32(), there.As32())
	SUBQ(Imm(8), width)
	JHI(LabelRef("more"))
	ORB(there.As8(), differs.As8())
	SETEQ(NewParamAddr("ret", 16))
	RET()
	Label("more")
	ORB(there.As8(), differs.As8())
	SHRL(Imm(8), h.As32())
	ADDQ(Imm(64), x)
	ADDQ(Imm(64), y)
	JMP(LabelRef("eight"))
}

// coefficients has those of h in x.
func coefficients(h, x Register) {
	MOVQ(factor(coefficientFactor), x)
	IMULQ(h, x)
	ORQ(Imm(1), x)
}

// bumps is a table of 256 masks and as many bounds: a hash is bumped if the byte of
// the thresholds of four buckets, under the mask of start/2%256, is above the bound.
// (Thresholds are even.)
func bumps() Mem {
	var words [64]uint64
	for i := range uint64(256) {
		// Number 0 to 3 of a threshold is above the class of an offset, 0 to 2.
		class, shift := uint64(2), i/64*2
		if i%64 < threshold2/2 {
			class = 1
		}
		if i%64 < threshold1/2 {
			class = 0
		}
		words[i/8] |= 3 << shift << (i % 8 * 8)
		words[32+i/8] |= class << shift << (i % 8 * 8)
	}
	return shared("ribbonBumps", words[:]...)
}
