package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// Every kernel takes whole chunks of 64 hashes. It prepares a chunk (where the
// blocks lie, what is looked for in them) in a buffer on the stack, and with it
// asks for the memory, before it works off the chunk prepared before: so a block
// is asked for 64 to 128 hashes before it is read.
const chunk = 64

// pipeline emits the loop over chunks. prepare fills the buffer at buf from the
// hashes at src and work uses the one at buf; both may clobber what they like
// but what they are given. The name makes labels unique.
func pipeline(bufBytes int, chunks, hashes Register, prepare func(name string, buf, src Register), work func(buf Register)) {
	local := AllocLocal(2*bufBytes + 64)
	Comment("buf is being worked off, next is being filled; both lie on a cache line")
	buf, next := GP64(), GP64()
	LEAQ(local, buf)
	ADDQ(Imm(63), buf)
	ANDQ(I32(-64), buf)
	LEAQ(Mem{Base: buf, Disp: bufBytes}, next)

	prepare("first", buf, hashes)
	Label("chunk")
	ADDQ(I32(chunk*8), hashes)
	DECQ(chunks)
	JZ(LabelRef("work"))
	prepare("ahead", next, hashes)
	Label("work")
	work(buf)
	XCHGQ(buf, next)
	TESTQ(chunks, chunks)
	JNZ(LabelRef("chunk"))
}

// loop emits body for offset = 0, step, … below end.
func loop(name string, end, step int, body func(offset Register)) {
	offset := GP64()
	XORL(offset.As32(), offset.As32())
	Label(name)
	body(offset)
	ADDQ(I32(step), offset)
	CMPQ(offset, I32(end))
	JNE(LabelRef(name))
}

// prefetch asks for the memory at base plus each of a chunk's offsets, if ahead
// is not 0. Displacements are those of the lines wanted.
func prefetch(name string, ahead, base Register, offsets Mem, displacements ...int) {
	TESTQ(ahead, ahead)
	JZ(LabelRef(name + "_near"))
	loop(name+"_prefetch", chunk*8, 64, func(at Register) {
		for i := range 8 {
			r := GP64()
			MOVQ(offsets.Offset(8*i).Idx(at, 1), r)
			for _, d := range displacements {
				PREFETCHT0(Mem{Base: base, Index: r, Scale: 1, Disp: d})
			}
		}
	})
	Label(name + "_near")
}

// mulhi computes h·n >> 64 in each lane, exactly, for n below 2^32; high is
// h >> 32.
func mulhi(h, high, n, out VecVirtual) {
	low := ZMM()
	VPMULUDQ(n, h, low)
	VPSRLQ(Imm(32), low, low)
	VPMULUDQ(n, high, out)
	VPADDQ(low, out, out)
	VPSRLQ(Imm(32), out, out)
}

// constant has a 64-bit constant in every lane.
func constant(x uint64) VecVirtual {
	r, z := GP64(), ZMM()
	MOVQ(U64(x), r)
	VPBROADCASTQ(r, z)
	return z
}

// parameter has a 64-bit parameter in every lane.
func parameter(name string) VecVirtual {
	r, z := Load(Param(name), GP64()), ZMM()
	VPBROADCASTQ(r, z)
	return z
}

// table emits a read-only table of 64-bit words.
func table(name string, words ...uint64) Mem {
	t := GLOBL(name, RODATA|NOPTR)
	for i, w := range words {
		DATA(8*i, U64(w))
	}
	return t
}
