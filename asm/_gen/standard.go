package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// stepFactor is that of asm/standard.go.
const stepFactor = 0xd1342543de82ef95

// The buffer of a chunk: for each hash 8 bytes of each, and a bit.
const (
	bufX        = 0          // the state
	bufY        = 8 * chunk  // its step
	bufPosition = 16 * chunk // the position in question
	bufByte     = 24 * chunk // the byte that it lies in
	bufAlive    = 32 * chunk // a bit: no position was clear so far
	bufStandard = 33 * chunk
)

// standard goes through a chunk in rounds, one position of every hash that is
// still alive in each, and asks for the bytes of the next round in this one.
func standard() {
	TEXT("probeStandardBits512", 0, "func(array *byte, m, k, ahead uint64, hashes *uint64, chunks uint64, hits *uint64)")
	Pragma("noescape")
	Doc("probeStandardBits512 tests chunks of 64 hashes: hits gets a word for each. m is below 2^32; ahead is 1 to ask for bytes early. AVX-512 F, DQ, BW; BMI1.")
	array := Load(Param("array"), GP64())
	k := Load(Param("k"), GP64())
	ahead := Load(Param("ahead"), GP64())
	hashes := Load(Param("hashes"), GP64())
	chunks := Load(Param("chunks"), GP64())
	hits := Load(Param("hits"), GP64())
	m := parameter("m")
	factor, one := constant(stepFactor), constant(1)

	place := func(x VecVirtual, at8 func(int) Mem) {
		high, position := ZMM(), ZMM()
		VPSRLQ(Imm(32), x, high)
		mulhi(x, high, m, position)
		VMOVDQU64(position, at8(bufPosition))
		VPSRLQ(Imm(3), position, position)
		VMOVDQU64(position, at8(bufByte))
	}
	p := pipeline{bufBytes: bufStandard, chunks: chunks, hashes: hashes, base: array, ahead: ahead, fields: []field{{bufByte, []int{0}}}}
	prepare := func(name string, buf, src Register) {
		loop(name, chunk*8, 64, func(at Register) {
			at8 := func(disp int) Mem { return Mem{Base: buf, Index: at, Scale: 1, Disp: disp} }
			x, y := ZMM(), ZMM()
			VMOVDQU64(Mem{Base: src, Index: at, Scale: 1}, x)
			VMOVDQU64(x, at8(bufX))
			VPROLQ(Imm(32), x, y)
			VPORQ(one, y, y)
			VMOVDQU64(y, at8(bufY))
			place(x, at8)
		})
	}
	asked := GP64()
	MOVQ(ahead, asked)
	work := func(buf Register) {
		round, some := GP64(), GP64()
		MOVQ(k, round)
		MOVQ(I32(-1), some)
		MOVQ(some, Mem{Base: buf, Disp: bufAlive})
		loop("early", chunk, 8, func(at Register) {
			p.early(at, 8)
		})
		Label("round")
		loop("groups", chunk, 8, func(at Register) {
			at8 := func(disp int) Mem { return Mem{Base: buf, Index: at, Scale: 8, Disp: disp} }
			group := GP64()
			MOVQ(at, group)
			SHRQ(Imm(3), group)
			alive := Mem{Base: buf, Index: group, Scale: 1, Disp: bufAlive}
			left := GP64()
			MOVBQZX(alive, left)
			TESTQ(left, left)
			JZ(LabelRef("dead"))
			live, pick, position, word, index := K(), K(), ZMM(), ZMM(), ZMM()
			KMOVB(alive, live)
			KMOVB(live, pick)
			VMOVDQU64(at8(bufPosition), position)
			VPSRLQ(Imm(6), position, index)
			VPXORQ(word, word, word)
			VPGATHERQQ(Mem{Base: array, Index: index, Scale: 8}, pick, word)
			VPRORVQ(position, word, word)
			VPTESTMQ(one, word, live, live)
			KMOVB(live, alive)

			x, y := ZMM(), ZMM()
			VMOVDQU64(at8(bufY), y)
			VPMULLQ(factor, y, y)
			VMOVDQU64(y, at8(bufY))
			VPADDQ(at8(bufX), y, x)
			VMOVDQU64(x, at8(bufX))
			place(x, at8)
			TESTQ(asked, asked)
			JZ(LabelRef("dead"))
			CMPQ(round, Imm(1))
			JE(LabelRef("dead"))
			KMOVB(live, left.As32())
			TESTL(left.As32(), left.As32())
			JZ(LabelRef("dead"))
			bytes := GP64()
			LEAQ(at8(bufByte), bytes)
			Label("next")
			lane := GP64()
			TZCNTQ(left, lane)
			MOVQ(Mem{Base: bytes, Index: lane, Scale: 8}, lane)
			PREFETCHT0(Mem{Base: array, Index: lane, Scale: 1})
			BLSRQ(left, left)
			JNZ(LabelRef("next"))
			Label("dead")
		})
		MOVQ(Mem{Base: buf, Disp: bufAlive}, some)
		TESTQ(some, some)
		JZ(LabelRef("answered"))
		DECQ(round)
		JNZ(LabelRef("round"))
		Label("answered")
		MOVQ(some, Mem{Base: hits})
		ADDQ(Imm(8), hits)
	}
	p.run(prepare, work)
	VZEROUPPER()
	RET()
}
