package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/ir"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// Every kernel takes whole chunks of 64 hashes. It prepares a chunk (where the
// blocks lie, what is looked for in them) in a buffer on the stack while the one
// before waits in another, and with each hash that it works off it asks for the
// memory of the one 64 further on. So reads are always under way, and never more
// than the processor can keep.
const chunk = 64

// pipeline is the loop over chunks.
type pipeline struct {
	bufBytes       int
	chunks, hashes Register
	base, ahead    Register // of the memory to ask for; 0 for not at all
	fields         []field  // of the buffer, with what to ask for
	next           Register // the buffer that is being filled
	labels         int      // used so far
}

// field is a place in the buffer with an offset of 8 bytes for each hash, and
// what to ask for there.
type field struct {
	at   int
	ends []int // displacements
}

// run emits the loop. prepare fills the buffer at buf from the hashes at src and
// work uses the one at buf; both may clobber what they like but what they are
// given. The name makes labels unique. work must call early for every hash.
func (p *pipeline) run(prepare func(name string, buf, src Register), work func(buf Register)) {
	local := AllocLocal(2*p.bufBytes + 64)
	Comment("buf is being worked off, next is being filled; both lie on a cache line")
	buf, next := GP64(), GP64()
	p.next = next
	LEAQ(local, buf)
	ADDQ(Imm(63), buf)
	ANDQ(I32(-64), buf)
	LEAQ(Mem{Base: buf, Disp: p.bufBytes}, next)

	prepare("first", buf, p.hashes)
	loop("first_early", chunk, 8, func(at Register) {
		p.ask(buf, at, 8)
	})
	Label("chunk")
	ADDQ(I32(chunk*8), p.hashes)
	DECQ(p.chunks)
	JZ(LabelRef("final"))
	prepare("following", next, p.hashes)
	JMP(LabelRef("work"))
	Label("final")
	XORL(p.ahead.(GP).As32(), p.ahead.(GP).As32())
	Label("work")
	work(buf)
	XCHGQ(buf, next)
	TESTQ(p.chunks, p.chunks)
	JNZ(LabelRef("chunk"))
}

// early emits the asking for n hashes from number at of the chunk to come, and what
// else is to be done where memory is far.
func (p *pipeline) early(at Register, n int, also ...func()) { p.ask(p.next, at, n, also...) }

func (p *pipeline) ask(buf, at Register, n int, also ...func()) {
	p.labels++
	near := fmt.Sprintf("near%d", p.labels)
	TESTQ(p.ahead, p.ahead)
	JZ(LabelRef(near))
	for i := range n {
		for _, f := range p.fields {
			r := GP64()
			MOVQ(Mem{Base: buf, Index: at, Scale: 8, Disp: f.at + 8*i}, r)
			for _, d := range f.ends {
				PREFETCHT1(Mem{Base: p.base, Index: r, Scale: 1, Disp: d})
			}
		}
	}
	for _, emit := range also {
		emit()
	}
	Label(near)
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

// mulhi computes h·n >> 64 in each lane, exactly, for n below 2^32; high is
// h >> 32.
func mulhi(h, high, n, out VecVirtual) {
	mulhiFraction(h, high, n, out)
	VPSRLQ(Imm(32), out, out)
}

// mulhiFraction computes h·n >> 32: what mulhi gives, and a fraction of 32 bits.
func mulhiFraction(h, high, n, out VecVirtual) {
	low := ZMM()
	VPMULUDQ(n, h, low)
	VPSRLQ(Imm(32), low, low)
	VPMULUDQ(n, high, out)
	VPADDQ(low, out, out)
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

// single begins the exported function of a family that tests one hash, and goes on
// at the first of its kernels whose level is in use, or as a Go function with the
// same parameters. To a Go function in between, and to each word of arguments, goes
// a good part of the time that such a call takes: so it chooses the kernel itself,
// and takes the address of a slice.
func single(name, signature, doc, generic string, kernels ...string) {
	TEXT(name, NOSPLIT, signature)
	Pragma("noescape")
	Doc(doc)
	for _, level := range kernels {
		CMPQ(NewDataAddr(Symbol{Name: "·level"}, 0), Imm(levels[level]))
		JGE(LabelRef(level))
	}
	Label("generic")
	Instruction(&ir.Instruction{Opcode: "JMP", Operands: []Op{NewDataAddr(Symbol{Name: "·" + generic}, 0)}, IsTerminal: true})
}

// sliceAt loads what the slice at a parameter consists of.
func sliceAt(param string) (data, length Register) {
	at := Load(Param(param), GP64())
	data, length = GP64(), GP64()
	MOVQ(Mem{Base: at}, data)
	MOVQ(Mem{Base: at, Disp: 8}, length)
	return data, length
}

// levels are those of asm/level.go.
var levels = map[string]uint64{"avx2": 2, "avx512": 3}
