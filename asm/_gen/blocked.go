package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// Multipliers of asm/blocked.go.
const (
	lineFactor  = 0xd1342543de82ef95
	line2Factor = 0xaf251af3b0f025b5
)

// The buffer of a chunk: for each hash 8 bytes of each.
const (
	bufOffset  = 0          // of its line
	bufProduct = 8 * chunk  // hash·lineFactor
	bufSecond  = 16 * chunk // hash·line2Factor, for k > 8
	bufWindow  = 24 * chunk // the words used, or used twice: a bit each in the lowest byte
	bufMisses  = 32 * chunk // 1 byte: not 0 if a bit is missing
	bufBlocked = 33 * chunk
)

func blocked() {
	blockedAVX512("probeBlockedLines512", "tests chunks of 64 hashes: hits gets a word for each.", true)
	blockedAVX512("addBlockedLines512", "adds chunks of 64 hashes.", false)
	blockedAVX2()
	blockedSingle()
}

func blockedAVX512(name, doc string, probe bool) {
	signature := "func(lines *byte, count, k, ahead uint64, hashes *uint64, chunks uint64"
	if probe {
		signature += ", hits *uint64"
	}
	TEXT(name, 0, signature+")")
	Pragma("noescape")
	Doc(name + " " + doc + " count is the number of lines, below 2^32; ahead is 1 to ask for lines early. AVX-512 F, BW, DQ.")
	lines := Load(Param("lines"), GP64())
	k := Load(Param("k"), GP64())
	ahead := Load(Param("ahead"), GP64())
	hashes := Load(Param("hashes"), GP64())
	chunks := Load(Param("chunks"), GP64())
	var hits Register
	if probe {
		hits = Load(Param("hits"), GP64())
	}

	Comment("window: 2^k - 1 for k ≤ 8, else 2^(k-8) - 1, in bits 0 to 7 and again in bits 8 to 15")
	window, shifts := ZMM(), ZMM()
	r, c := GP64(), RCX
	MOVQ(k, c)
	CMPQ(k, Imm(8))
	JBE(LabelRef("single"))
	SUBQ(Imm(8), c)
	Label("single")
	MOVQ(U32(1), r)
	SHLQ(CL, r)
	DECQ(r)
	w := GP64()
	MOVQ(r, w)
	SHLQ(Imm(8), w)
	ORQ(r, w)
	VPBROADCASTQ(w, window)
	count := parameter("count")
	factor, factor2, ones, seven, sixtyThree := constant(lineFactor), constant(line2Factor), constant(1), constant(7), constant(63)
	VMOVDQU64(table("blockedShifts"+name, 16, 22, 28, 34, 40, 46, 52, 58), shifts)

	p := pipeline{bufBytes: bufBlocked, chunks: chunks, hashes: hashes, base: lines, ahead: ahead, fields: []field{{bufOffset, []int{0}}}}
	prepare := func(name string, buf, src Register) {
		loop(name, chunk*8, 64, func(at Register) {
			at8 := func(disp int) Mem { return Mem{Base: buf, Index: at, Scale: 1, Disp: disp} }
			h, high, x := ZMM(), ZMM(), ZMM()
			VMOVDQU64(Mem{Base: src, Index: at, Scale: 1}, h)
			VPSRLQ(Imm(32), h, high)
			mulhi(h, high, count, x)
			VPSLLQ(Imm(6), x, x)
			VMOVDQU64(x, at8(bufOffset))
			p := ZMM()
			VPMULLQ(factor, h, p)
			VMOVDQU64(p, at8(bufProduct))
			VPSRLQ(Imm(13), p, p)
			VPANDQ(seven, p, p)
			VPSLLVQ(p, window, p)
			VPSRLQ(Imm(8), p, p)
			VMOVDQU64(p, at8(bufWindow))
			CMPQ(k, Imm(8))
			JBE(LabelRef(name + "_once"))
			VPMULLQ(factor2, h, h)
			VMOVDQU64(h, at8(bufSecond))
			Label(name + "_once")
		})
	}

	// each emits the loop over the hashes of a chunk in one of three forms:
	// k = 8, less, more.
	each := func(form string, buf Register) {
		Label(form)
		loop(form+"_loop", chunk, 8, func(at Register) {
			p.early(at, 8)
			for i := range 8 {
				field := func(base int) Mem { return Mem{Base: buf, Index: at, Scale: 8, Disp: base + 8*i} }
				line := GP64()
				MOVQ(field(bufOffset), line)
				lineMem := Mem{Base: lines, Index: line, Scale: 1}
				pattern, m, miss := ZMM(), K(), K()
				VPBROADCASTQ(field(bufProduct), pattern)
				VPSRLVQ(shifts, pattern, pattern)
				switch form {
				case "equal":
					VPROLVQ(pattern, ones, pattern)
				case "less":
					KMOVB(field(bufWindow), m)
					if probe {
						VPROLVQ(pattern, ones, pattern)
					} else {
						VPROLVQ_Z(pattern, ones, m, pattern)
					}
				case "more":
					VPROLVQ(pattern, ones, pattern)
					KMOVB(field(bufWindow), m)
					second := ZMM()
					VPBROADCASTQ(field(bufSecond), second)
					VPSRLVQ(shifts, second, second)
					VPANDQ(sixtyThree, second, second)
					VPMAXUQ(ones, second, second)
					VPROLVQ(second, pattern, second)
					VPORQ(second, pattern, m, pattern)
				}
				if !probe {
					VPORQ(lineMem, pattern, pattern)
					VMOVDQU64(pattern, lineMem)
					continue
				}
				switch form {
				case "equal":
					VPTESTNMQ(lineMem, pattern, miss)
				case "less":
					VPTESTNMQ(lineMem, pattern, m, miss)
				case "more":
					VPANDNQ(pattern, loaded(lineMem), pattern)
					VPTESTMQ(pattern, pattern, miss)
				}
				KMOVB(miss, Mem{Base: buf, Index: at, Scale: 1, Disp: bufMisses + i})
			}
		})
		JMP(LabelRef("done"))
	}
	work := func(buf Register) {
		CMPQ(k, Imm(8))
		JB(LabelRef("less"))
		JA(LabelRef("more"))
		each("equal", buf)
		each("less", buf)
		each("more", buf)
		Label("done")
		if probe {
			misses, m := ZMM(), K()
			VMOVDQU64(Mem{Base: buf, Disp: bufMisses}, misses)
			VPTESTNMB(misses, misses, m)
			KMOVQ(m, Mem{Base: hits})
			ADDQ(Imm(8), hits)
		}
	}
	p.run(prepare, work)
	VZEROUPPER()
	RET()
}

// blockedAVX2 has a line in two registers, and for k ≤ 8 only. A ring of 16
// words, of which those are all ones whose number modulo 8 is below k, gives the
// words that a hash uses when read from 8 - first on.
func blockedAVX2() {
	TEXT("probeBlockedLines256", 0, "func(lines *byte, count, k, ahead uint64, hashes *uint64, chunks uint64, hits *uint64)")
	Pragma("noescape")
	Doc("probeBlockedLines256 is probeBlockedLines512 for k ≤ 8. AVX2, BMI2.")
	lines := Load(Param("lines"), GP64())
	count := Load(Param("count"), GP64())
	ahead := Load(Param("ahead"), GP64())
	hashes := Load(Param("hashes"), GP64())
	chunks := Load(Param("chunks"), GP64())
	hits := Load(Param("hits"), GP64())

	ring := AllocLocal(128)
	k, all, none := Load(Param("k"), GP64()), GP64(), GP64()
	MOVQ(I32(-1), all)
	for i := range 8 {
		XORL(none.As32(), none.As32())
		CMPQ(k, Imm(uint64(i)))
		CMOVQHI(all, none)
		MOVQ(none, ring.Offset(8*i))
		MOVQ(none, ring.Offset(8*i+64))
	}
	shifts := [2]VecVirtual{YMM(), YMM()}
	VMOVDQU(table("blockedShiftsLow", 16, 22, 28, 34), shifts[0])
	VMOVDQU(table("blockedShiftsHigh", 40, 46, 52, 58), shifts[1])
	ones, sixtyThree, zero := YMM(), YMM(), YMM()
	VPBROADCASTQ(table("blockedOne", 1), ones)
	VPBROADCASTQ(table("blockedSixtyThree", 63), sixtyThree)
	VPXOR(zero, zero, zero)
	ringEnd := GP64()
	LEAQ(ring.Offset(64), ringEnd)

	p := pipeline{bufBytes: bufBlocked, chunks: chunks, hashes: hashes, base: lines, ahead: ahead, fields: []field{{bufOffset, []int{0}}}}
	prepare := func(name string, buf, src Register) {
		factor := GP64()
		MOVQ(U64(lineFactor), factor)
		loop(name, chunk*8, 8, func(at Register) {
			at8 := func(disp int) Mem { return Mem{Base: buf, Index: at, Scale: 1, Disp: disp} }
			h, low, p := GP64(), GP64(), GP64()
			MOVQ(Mem{Base: src, Index: at, Scale: 1}, h)
			MOVQ(h, RDX)
			MULXQ(count, low, p)
			SHLQ(Imm(6), p)
			MOVQ(p, at8(bufOffset))
			IMULQ(factor, h)
			MOVQ(h, at8(bufProduct))
			SHRQ(Imm(13), h)
			ANDQ(Imm(7), h)
			NEGQ(h)
			MOVQ(h, at8(bufWindow))
		})
	}
	work := func(buf Register) {
		word, at := GP64(), GP64()
		XORL(word.As32(), word.As32())
		MOVQ(I32(chunk-4), at)
		Label("keys")
		p.early(at, 4)
		for i := 3; i >= 0; i-- {
			field := func(base int) Mem { return Mem{Base: buf, Index: at, Scale: 8, Disp: base + 8*i} }
			line, window := GP64(), GP64()
			MOVQ(field(bufOffset), line)
			MOVQ(field(bufWindow), window)
			product := YMM()
			VPBROADCASTQ(field(bufProduct), product)
			var missing [2]VecVirtual
			for half := range 2 {
				m := YMM()
				VPSRLVQ(shifts[half], product, m)
				VPAND(sixtyThree, m, m)
				VPSLLVQ(m, ones, m)
				VPAND(Mem{Base: ringEnd, Index: window, Scale: 8, Disp: 32 * half}, m, m)
				got := YMM()
				VMOVDQU(Mem{Base: lines, Index: line, Scale: 1, Disp: 32 * half}, got)
				VPANDN(m, got, m)
				missing[half] = m
			}
			VPOR(missing[0], missing[1], missing[0])
			VPTEST(missing[0], zero) // carry: nothing is missing
			ADCQ(word, word)
		}
		SUBQ(Imm(4), at)
		JGE(LabelRef("keys"))
		MOVQ(word, Mem{Base: hits})
		ADDQ(Imm(8), hits)
	}
	p.run(prepare, work)
	VZEROUPPER()
	RET()
}

// blockedSingle tests one hash.
func blockedSingle() {
	TEXT("hasBlockedLine512", NOSPLIT, "func(lines *byte, count, k, h uint64) bool")
	Pragma("noescape")
	Doc("hasBlockedLine512 tests one hash. count is the number of lines. AVX-512 F, DQ; BMI2.")
	lines := Load(Param("lines"), GP64())
	h := Load(Param("h"), RDX)
	line, low := GP64(), GP64()
	MULXQ(NewParamAddr("count", 8), low, line)
	SHLQ(Imm(6), line)
	p := GP64()
	MOVQ(U64(lineFactor), p)
	IMULQ(h, p)
	fields, shifts, missing := ZMM(), ZMM(), K()
	VPBROADCASTQ(p, fields)
	VMOVDQU64(table("blockedFields", 16, 22, 28, 34, 40, 46, 52, 58), shifts)
	VPSRLVQ(shifts, fields, fields)
	one := GP64()
	MOVL(U32(1), one.As32())
	ones := ZMM()
	VPBROADCASTQ(one, ones)
	VPROLVQ(fields, ones, fields)
	Comment("window: k ones, or k - 8, turned left by the first word")
	window, used, second := GP64(), K(), GP64()
	Load(Param("k"), RCX)
	MOVQ(RCX, second)
	SUBQ(Imm(8), second)
	CMOVQHI(second, RCX)
	SHLQ(CL, one)
	LEAQ(Mem{Base: one, Disp: -1}, window)
	SHRQ(Imm(13), p)
	MOVQ(p, RCX)
	ANDL(Imm(7), ECX)
	ROLB(CL, window.As8())
	KMOVB(window.As32(), used)
	place := Mem{Base: lines, Index: line, Scale: 1}
	TESTQ(second, second)
	JG(LabelRef("twice"))
	VPTESTNMQ(place, fields, used, missing)
	Label("answer")
	KORTESTB(missing, missing)
	result := GP8()
	SETEQ(result)
	Store(result, ReturnIndex(0))
	VZEROUPPER()
	RET()

	Label("twice")
	distance, extra := ZMM(), GP64()
	MOVQ(U64(line2Factor), extra)
	IMULQ(h, extra)
	VPBROADCASTQ(extra, distance)
	VPSRLVQ(shifts, distance, distance)
	VPANDQ(constant(63), distance, distance)
	VPMAXUQ(ones, distance, distance)
	VPROLVQ(distance, fields, distance)
	VPORQ(distance, fields, used, fields)
	VPANDNQ(fields, loaded(place), fields)
	VPTESTMQ(fields, fields, missing)
	JMP(LabelRef("answer"))
}

// loaded loads a line into a register.
func loaded(m Mem) VecVirtual {
	z := ZMM()
	VMOVDQU64(m, z)
	return z
}
