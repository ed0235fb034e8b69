package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// Constants of asm/standard.go.
const (
	stepFactor    = 0xd1342543de82ef95
	standardChunk = 256
)

// standard does what probeStandardGeneric does, and can ask for memory ahead: for
// the first position of a hash 64 hashes early, and for the next positions of
// what is left after a round.
func standard() {
	TEXT("probeStandardBits64", 0, "func(array *byte, m, k, ahead uint64, hashes *uint64, n uint64, hits *uint64)")
	Pragma("noescape")
	Doc("probeStandardBits64 tests n hashes, of which there may be none: it sets bits in hits, a word for each 64 of them, which are 0 before. ahead is 1 to ask for bytes early. BMI2.")
	array := Load(Param("array"), GP64())
	Load(Param("m"), RDX)
	ahead := Load(Param("ahead"), GP64())
	hashes := Load(Param("hashes"), GP64())
	hits := Load(Param("hits"), GP64())
	factor := GP64()
	MOVQ(U64(stepFactor), factor)
	rest := NewParamAddr("n", 40)

	// Of each hash that is left: its state, its step, and its number in the chunk.
	local := AllocLocal(17 * standardChunk)
	state := func(at Register) Mem { return local.Idx(at, 8) }
	step := func(at Register) Mem { return local.Offset(8*standardChunk).Idx(at, 8) }
	number := func(at Register) Mem { return local.Offset(16*standardChunk).Idx(at, 1) }

	left, at, n := GP64(), GP64(), GP64()
	// test emits the test of one position, of state x, step y and number i.
	test := func(x Mem, y, i Register) {
		position, word, low, next := GP64(), GP64(), GP64(), GP64()
		MOVQ(x, next)
		MULXQ(next, low, position)
		IMULQ(factor, y)
		ADDQ(y, next)
		MOVQ(position, word)
		SHRQ(Imm(6), word)
		MOVQ(Mem{Base: array, Index: word, Scale: 8}, word)
		MOVQ(next, state(left))
		MOVQ(y, step(left))
		MOVB(i.(GP).As8(), number(left))
		BTQ(position, word)
		ADCQ(Imm(0), left)
	}
	ask := func(x Mem) {
		position, low := GP64(), GP64()
		MULXQ(x, low, position)
		SHRQ(Imm(3), position)
		PREFETCHT1(Mem{Base: array, Index: position, Scale: 1})
	}

	Label("chunk")
	MOVL(U32(standardChunk), n.As32())
	CMPQ(n, rest)
	CMOVQHI(rest, n)
	XORL(left.As32(), left.As32())
	XORL(at.As32(), at.As32())
	TESTQ(n, n)
	JZ(LabelRef("end"))
	Label("first")
	early, y := GP64(), GP64()
	LEAQ(Mem{Base: at, Disp: 64}, early)
	CMPQ(early, rest)
	JAE(LabelRef("first_near"))
	TESTQ(ahead, ahead)
	JZ(LabelRef("first_near"))
	ask(Mem{Base: hashes, Index: early, Scale: 8})
	Label("first_near")
	hash := Mem{Base: hashes, Index: at, Scale: 8}
	MOVQ(hash, y)
	RORQ(Imm(32), y)
	ORQ(Imm(1), y)
	test(hash, y, at)
	INCQ(at)
	CMPQ(at, n)
	JNE(LabelRef("first"))
	LEAQ(Mem{Base: hashes, Index: n, Scale: 8}, hashes)
	SUBQ(n, rest)

	rounds := GP64()
	Load(Param("k"), rounds)
	Label("round")
	MOVQ(left, n)
	XORL(at.As32(), at.As32())
	TESTQ(n, n)
	JZ(LabelRef("answered"))
	DECQ(rounds)
	JZ(LabelRef("found"))
	TESTQ(ahead, ahead)
	JZ(LabelRef("near"))
	Label("ask")
	ask(state(at))
	INCQ(at)
	CMPQ(at, n)
	JNE(LabelRef("ask"))
	XORL(at.As32(), at.As32())
	Label("near")
	XORL(left.As32(), left.As32())
	Label("test")
	y, which := GP64(), GP64()
	MOVQ(step(at), y)
	MOVBQZX(number(at), which)
	test(state(at), y, which)
	INCQ(at)
	CMPQ(at, n)
	JNE(LabelRef("test"))
	JMP(LabelRef("round"))

	Label("found")
	bit, word := GP64(), GP64()
	MOVBQZX(number(at), word)
	XORL(bit.As32(), bit.As32())
	BTSQ(word, bit)
	SHRQ(Imm(6), word)
	ORQ(bit, Mem{Base: hits, Index: word, Scale: 8})
	INCQ(at)
	CMPQ(at, n)
	JNE(LabelRef("found"))
	Label("answered")
	ADDQ(Imm(standardChunk/8), hits)
	JMP(LabelRef("chunk"))
	Label("end")
	RET()
}
