package main

import (
	. "github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/ir"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// Multipliers of asm/blocked.go.
const (
	lineFactor  = 0xd1342543de82ef95
	line2Factor = 0xaf251af3b0f025b5
)

const (
	eachByte = 0x0101010101010101
	lowSix   = 0x3f * eachByte
	diagonal = 0x8040201008040201 // byte w of word w
)

func blocked() {
	blockedProbe512()
	blockedAdd512()
	blockedProbe256()
	blockedAdd256()
	blockedSingle()
}

// secondFields turns the distances of second bits, in bytes, into where the bits
// lie: that of the first bit more, and 0 counts as 1. Bits 6 and 7 of a byte do
// not matter.
func secondFields(distances, fields, six, one VecVirtual) {
	VPANDQ(six, distances, distances)
	VPMAXUB(one, distances, distances)
	VPADDB(fields, distances, distances)
}

// blockedProbe512 tests eight hashes at once. VPMULTISHIFTQB takes, from each
// word of a line, the eight bits at and above eight places: for one hash, only
// the lowest of them counts, and only that at one place in each word. So eight
// hashes share a register, each of them with byte w+i of word w for its own i.
func blockedProbe512() {
	const (
		bufOffset   = 0          // 8 bytes each: of its line
		bufFields   = 8 * chunk  // where its bits lie, rotated by as many bytes as its number in the eight
		bufSecond   = 16 * chunk // the same for second bits
		bufFirst    = 24 * chunk // 1 byte each: the first word
		bufferBytes = 25 * chunk
	)
	TEXT("probeBlockedLines512", 0, "func(lines *byte, count, k, ahead uint64, hashes *uint64, chunks uint64, hits *uint64)")
	Pragma("noescape")
	Doc("probeBlockedLines512 tests chunks of 64 hashes: hits gets a word for each. count is the number of lines, below 2^32; ahead is 1 to ask for lines early. AVX-512 F, BW, DQ, VBMI.")
	lines := Load(Param("lines"), GP64())
	k := Load(Param("k"), GP64())
	ahead := Load(Param("ahead"), GP64())
	hashes := Load(Param("hashes"), GP64())
	chunks := Load(Param("chunks"), GP64())
	hits := Load(Param("hits"), GP64())

	count := parameter("count")
	factor, factor2, six := constant(lineFactor), constant(line2Factor), constant(lowSix)
	ones, seven := constant(eachByte), constant(7*eachByte)
	rotate, words, window := ZMM(), ZMM(), ZMM()
	VMOVDQU64(table("blockedRotate", 0, 8, 16, 24, 32, 40, 48, 56), rotate)
	VMOVDQU64(table("blockedWords", 0, eachByte, 2*eachByte, 3*eachByte, 4*eachByte, 5*eachByte, 6*eachByte, 7*eachByte), words)
	Comment("window: in each byte, how many words from the first on a hash uses, or uses twice if k > 8")
	w, extra := GP64(), GP64()
	MOVQ(k, w)
	MOVQ(k, extra)
	SUBQ(Imm(8), extra)
	CMOVQHI(extra, w)
	VPBROADCASTB(w.As32(), window)
	Comment("mask i: byte w+i of each word w, around its end")
	masks := []Physical{K0, K1, K2, K3, K4, K5, K6, K7}
	for i := uint64(1); i < 8; i++ {
		var mask uint64
		for w := range uint64(8) {
			mask |= 1 << (8*w + (w+i)%8)
		}
		MOVQ(U64(mask), w)
		KMOVQ(w, masks[i])
	}

	p := pipeline{bufBytes: bufferBytes, chunks: chunks, hashes: hashes, base: lines, ahead: ahead, fields: []field{{bufOffset, []int{0}}}}
	prepare := func(name string, buf, src Register) {
		loop(name, chunk*8, 64, func(at Register) {
			at8 := func(disp int) Mem { return Mem{Base: buf, Index: at, Scale: 1, Disp: disp} }
			h, high, x, fields := ZMM(), ZMM(), ZMM(), ZMM()
			VMOVDQU64(Mem{Base: src, Index: at, Scale: 1}, h)
			VPSRLQ(Imm(32), h, high)
			mulhiFraction(h, high, count, x)
			VPSRLQ(Imm(29), x, high)
			group := GP64()
			MOVQ(at, group)
			SHRQ(Imm(3), group)
			VPMOVQB(high, Mem{Base: buf, Index: group, Scale: 1, Disp: bufFirst})
			VPSRLQ(Imm(32), x, x)
			VPSLLQ(Imm(6), x, x)
			VMOVDQU64(x, at8(bufOffset))
			VPMULLQ(factor, h, fields)
			CMPQ(k, Imm(8))
			JBE(LabelRef(name + "_once"))
			VPMULLQ(factor2, h, h)
			VPROLQ(Imm(32), h, h)
			secondFields(h, fields, six, ones)
			VPROLVQ(rotate, h, h)
			VMOVDQU64(h, at8(bufSecond))
			Label(name + "_once")
			VPROLVQ(rotate, fields, fields)
			VMOVDQU64(fields, at8(bufFields))
		})
	}
	// each emits the loop over the hashes of a chunk in one of three forms:
	// k = 8, less, more.
	each := func(form string, buf Register) {
		Label(form)
		loop(form+"_loop", chunk, 8, func(at Register) {
			p.early(at, 8, func() {
				Comment("lines that come next, from the second-level cache to the first: a load of 512 bits", "takes two of the places that it has for lines under way")
				soon := GP64()
				LEAQ(Mem{Base: at, Disp: 8}, soon)
				ANDL(Imm(chunk-1), soon.As32())
				for i := range 8 {
					line := GP64()
					MOVQ(Mem{Base: buf, Index: soon, Scale: 8, Disp: bufOffset + 8*i}, line)
					PREFETCHT0(Mem{Base: lines, Index: line, Scale: 1})
				}
			})
			found, second := ZMM(), ZMM()
			// take has in to the bits at the places in fields.
			take := func(i int, line Op, fields int, to VecVirtual) {
				places := ZMM()
				VPBROADCASTQ(Mem{Base: buf, Index: at, Scale: 8, Disp: fields + 8*i}, places)
				if i == 0 {
					VPMULTISHIFTQB(line, places, to)
				} else {
					VPMULTISHIFTQB(line, places, masks[i], to)
				}
			}
			for i := range 8 {
				offset := GP64()
				MOVQ(Mem{Base: buf, Index: at, Scale: 8, Disp: bufOffset + 8*i}, offset)
				var line Op = Mem{Base: lines, Index: offset, Scale: 1}
				if form == "more" {
					line = loaded(line.(Mem))
					take(i, line, bufSecond, second)
				}
				take(i, line, bufFields, found)
			}
			Comment("to byte i of each word, what is found for hash i: a bit of its lowest")
			missing, inside := GP64(), GP64()
			VPRORVQ(rotate, found, found)
			VPTESTNMB(ones, found, K0)
			KMOVQ(K0, missing)
			if form != "equal" {
				first := ZMM()
				VPBROADCASTQ(Mem{Base: buf, Index: at, Scale: 1, Disp: bufFirst}, first)
				VPSUBB(first, words, first)
				VPANDQ(seven, first, first)
				VPCMPUB(Imm(1), window, first, K0) // (w - first)&7 < window
				KMOVQ(K0, inside)
			}
			switch form {
			case "less":
				ANDQ(inside, missing)
			case "more":
				missing2 := GP64()
				VPRORVQ(rotate, second, second)
				VPTESTNMB(ones, second, K0)
				KMOVQ(K0, missing2)
				ANDQ(inside, missing2)
				ORQ(missing2, missing)
			}
			fold := GP64()
			for _, half := range []uint64{32, 16, 8} {
				MOVQ(missing, fold)
				SHRQ(Imm(half), fold)
				ORQ(fold, missing)
			}
			NOTQ(missing)
			group := GP64()
			MOVQ(at, group)
			SHRQ(Imm(3), group)
			MOVB(missing.As8(), Mem{Base: hits, Index: group, Scale: 1})
		})
	}
	work := func(buf Register) {
		CMPQ(k, Imm(8))
		JB(LabelRef("less"))
		JA(LabelRef("more"))
		each("equal", buf)
		JMP(LabelRef("done"))
		each("less", buf)
		JMP(LabelRef("done"))
		each("more", buf)
		Label("done")
		ADDQ(Imm(8), hits)
	}
	p.run(prepare, work)
	VZEROUPPER()
	RET()
}

// addLoop emits a loop that adds eight hashes at a time, without a buffer: stores
// to it would hold up what is loaded from it next. While there are more rounds than
// ahead, it asks for the blocks of the hashes 64 further on, and with toFirst has
// those of the next eight brought to the first-level cache.
func addLoop(name string, hashes, rounds, ahead Register, toFirst bool, ask func(hash Mem, prefetch func(Op)), add func(hash Mem)) {
	Label(name)
	CMPQ(rounds, ahead)
	JBE(LabelRef(name + "_near"))
	for i := range 8 {
		ask(Mem{Base: hashes, Disp: 512 + 8*i}, PREFETCHT1)
	}
	if toFirst {
		for i := range 8 {
			ask(Mem{Base: hashes, Disp: 64 + 8*i}, PREFETCHT0)
		}
	}
	Label(name + "_near")
	for i := range 8 {
		add(Mem{Base: hashes, Disp: 8 * i})
	}
	ADDQ(Imm(64), hashes)
	DECQ(rounds)
	JNZ(LabelRef(name))
}

// addParams loads what addLoop takes: ahead is 8 rounds, those of 64 hashes, or so
// many that there are never more.
func addParams() (hashes, rounds, ahead Register) {
	hashes, rounds, ahead = Load(Param("hashes"), GP64()), Load(Param("rounds"), GP64()), Load(Param("ahead"), GP64())
	Comment("ahead: 8, or so many that rounds are never more")
	DECQ(ahead)
	ORQ(Imm(8), ahead)
	return hashes, rounds, ahead
}

func blockedAdd512() {
	TEXT("addBlockedLines512", 0, "func(lines *byte, count, k, ahead uint64, hashes *uint64, rounds uint64)")
	Pragma("noescape")
	Doc("addBlockedLines512 adds rounds of eight hashes. count is the number of lines; ahead is 1 to ask for lines early. AVX-512 F, BW, DQ, BMI2.")
	lines := Load(Param("lines"), GP64())
	Load(Param("count"), RDX)
	k := Load(Param("k"), GP64())
	hashes, rounds, ahead := addParams()
	factor, factor2, ones := constant(lineFactor), constant(line2Factor), constant(1)
	six, bytes := constant(lowSix), constant(eachByte)
	shifts := ZMM()
	VMOVDQU64(table("blockedShifts", 0, 8, 16, 24, 32, 40, 48, 56), shifts)
	windows := windowsOf(k)

	place := func(hash Mem) (line Mem, rest Register) {
		n, low := GP64(), GP64()
		MULXQ(hash, low, n)
		SHLQ(Imm(6), n)
		return Mem{Base: lines, Index: n, Scale: 1}, low
	}
	ask := func(hash Mem, prefetch func(Op)) {
		line, _ := place(hash)
		prefetch(line)
	}
	adder := func(form string) func(hash Mem) {
		return func(hash Mem) {
			line, first := place(hash)
			bits, fields, used := ZMM(), ZMM(), K()
			VPMULLQ_BCST(hash, factor, fields)
			VPSRLVQ(shifts, fields, bits)
			if form != "equal" {
				SHRQ(Imm(61), first)
				KMOVB(Mem{Base: windows, Index: first, Scale: 1}, used)
			}
			if form == "less" {
				VPROLVQ_Z(bits, ones, used, bits)
			} else {
				VPROLVQ(bits, ones, bits)
			}
			if form == "more" {
				second := ZMM()
				VPMULLQ_BCST(hash, factor2, second)
				VPROLQ(Imm(32), second, second)
				secondFields(second, fields, six, bytes)
				VPSRLVQ(shifts, second, second)
				VPROLVQ_Z(second, ones, used, second)
				VPORQ(second, bits, bits)
			}
			VPORQ(line, bits, bits)
			VMOVDQU64(bits, line)
		}
	}
	CMPQ(k, Imm(8))
	JB(LabelRef("less"))
	JA(LabelRef("more"))
	for _, form := range []string{"equal", "less", "more"} {
		addLoop(form, hashes, rounds, ahead, true, ask, adder(form))
		VZEROUPPER()
		RET()
	}
}

// windowsOf has, for each first word, the words that a hash uses, or uses twice if
// k > 8: a bit each, in a table of eight bytes.
func windowsOf(k Register) (windows Register) {
	Comment("windows: for each first word, a bit for each word used, or used twice if k > 8")
	local := AllocLocal(8)
	w, extra := GP64(), GP64()
	MOVQ(k, RCX)
	MOVQ(k, extra)
	SUBQ(Imm(8), extra)
	CMOVQHI(extra, RCX)
	MOVL(U32(1), w.As32())
	SHLQ(CL, w)
	DECQ(w)
	for first := range 8 {
		MOVB(w.As8(), local.Offset(first))
		ROLB(Imm(1), w.As8())
	}
	windows = GP64()
	LEAQ(local, windows)
	return windows
}

// ring writes 16 words to the stack, of which those are all ones whose number
// modulo 8 is below k, and returns the address of its middle: read from as many
// words before it as the first word's number, they are ones for the words that a
// hash uses.
func ring(k Register) (middle Register) {
	local := AllocLocal(128)
	all, none := GP64(), GP64()
	MOVQ(I32(-1), all)
	for i := range 8 {
		XORL(none.As32(), none.As32())
		CMPQ(k, Imm(uint64(i)))
		CMOVQHI(all, none)
		MOVQ(none, local.Offset(8*i))
		MOVQ(none, local.Offset(8*i+64))
	}
	middle = GP64()
	LEAQ(local.Offset(64), middle)
	return middle
}

// windows256 prepares for k: twice is 0, or 1 if k > 8, and middle is the ring of
// the words used, or used twice.
func windows256() (twice, middle Register) {
	k, extra := Load(Param("k"), GP64()), GP64()
	twice = GP64()
	XORL(twice.(GP).As32(), twice.(GP).As32())
	MOVQ(k, extra)
	SUBQ(Imm(8), extra)
	CMOVQHI(extra, k)
	CMOVQHI(extra, twice)
	return twice, ring(k)
}

// blockedProbe256 has a line in two registers.
func blockedProbe256() {
	const (
		bufOffset   = 0          // 8 bytes each: of its line
		bufFields   = 8 * chunk  // where its bits lie
		bufSecond   = 16 * chunk // the same for second bits
		bufWindow   = 24 * chunk // the number of its first word, negative
		bufferBytes = 32 * chunk
	)
	TEXT("probeBlockedLines256", 0, "func(lines *byte, count, k, ahead uint64, hashes *uint64, chunks uint64, hits *uint64)")
	Pragma("noescape")
	Doc("probeBlockedLines256 is probeBlockedLines512 for AVX2 and BMI2.")
	lines := Load(Param("lines"), GP64())
	count := Load(Param("count"), GP64())
	ahead := Load(Param("ahead"), GP64())
	hashes := Load(Param("hashes"), GP64())
	chunks := Load(Param("chunks"), GP64())
	hits := Load(Param("hits"), GP64())
	twice, middle := windows256()
	ones, six, bytes := YMM(), YMM(), YMM()
	VPBROADCASTQ(table("blockedOne", 1), ones)
	VPBROADCASTQ(table("blockedSix", lowSix), six)
	VPBROADCASTQ(table("blockedBytes", eachByte), bytes)

	p := pipeline{bufBytes: bufferBytes, chunks: chunks, hashes: hashes, base: lines, ahead: ahead, fields: []field{{bufOffset, []int{0}}}}
	prepare := func(name string, buf, src Register) {
		factor := GP64()
		MOVQ(U64(lineFactor), factor)
		loop(name, chunk*8, 8, func(at Register) {
			at8 := func(disp int) Mem { return Mem{Base: buf, Index: at, Scale: 1, Disp: disp} }
			low, n := GP64(), GP64()
			MOVQ(Mem{Base: src, Index: at, Scale: 1}, RDX)
			MULXQ(count, low, n)
			SHLQ(Imm(6), n)
			MOVQ(n, at8(bufOffset))
			SHRQ(Imm(61), low)
			NEGQ(low)
			MOVQ(low, at8(bufWindow))
			IMULQ(factor, RDX)
			MOVQ(RDX, at8(bufFields))
		})
		TESTQ(twice, twice)
		JZ(LabelRef(name + "_once"))
		MOVQ(U64(line2Factor), factor)
		loop(name+"_second", chunk*8, 8, func(at Register) {
			h := GP64()
			MOVQ(Mem{Base: src, Index: at, Scale: 1}, h)
			IMULQ(factor, h)
			RORQ(Imm(32), h)
			MOVQ(h, Mem{Base: buf, Index: at, Scale: 1, Disp: bufSecond})
		})
		Label(name + "_once")
		loop(name+"_bytes", chunk*8, 32, func(at Register) {
			at8 := func(disp int) Mem { return Mem{Base: buf, Index: at, Scale: 1, Disp: disp} }
			fields, second := YMM(), YMM()
			VPAND(at8(bufFields), six, fields)
			VMOVDQU(fields, at8(bufFields))
			VPAND(at8(bufSecond), six, second)
			VPMAXUB(bytes, second, second)
			VPADDB(fields, second, second)
			VPAND(six, second, second)
			VMOVDQU(second, at8(bufSecond))
		})
	}
	each := func(form string, buf Register) {
		Label(form)
		word, at := GP64(), GP64()
		XORL(word.As32(), word.As32())
		MOVQ(I32(chunk-4), at)
		Label(form + "_keys")
		p.early(at, 4)
		for i := 3; i >= 0; i-- {
			field := func(base int) Mem { return Mem{Base: buf, Index: at, Scale: 8, Disp: base + 8*i} }
			line, window := GP64(), GP64()
			MOVQ(field(bufOffset), line)
			MOVQ(field(bufWindow), window)
			missing := YMM()
			for half := range 2 {
				bits := func(fields int) VecVirtual {
					m := YMM()
					VPMOVZXBQ(field(fields+4*half), m)
					VPSLLVQ(m, ones, m)
					return m
				}
				inside := Mem{Base: middle, Index: window, Scale: 8, Disp: 32 * half}
				m := bits(bufFields)
				if form == "once" {
					VPAND(inside, m, m)
				} else {
					second := bits(bufSecond)
					VPAND(inside, second, second)
					VPOR(second, m, m)
				}
				got := YMM()
				VMOVDQU(Mem{Base: lines, Index: line, Scale: 1, Disp: 32 * half}, got)
				VPANDN(m, got, m)
				if half == 0 {
					missing = m
				} else {
					VPOR(m, missing, missing)
				}
			}
			zero := YMM()
			VPXOR(zero, zero, zero)
			VPTEST(missing, zero) // carry: nothing is missing
			ADCQ(word, word)
		}
		SUBQ(Imm(4), at)
		JGE(LabelRef(form + "_keys"))
		MOVQ(word, Mem{Base: hits})
	}
	work := func(buf Register) {
		TESTQ(twice, twice)
		JNZ(LabelRef("twice"))
		each("once", buf)
		JMP(LabelRef("done"))
		each("twice", buf)
		Label("done")
		ADDQ(Imm(8), hits)
	}
	p.run(prepare, work)
	VZEROUPPER()
	RET()
}

func blockedAdd256() {
	TEXT("addBlockedLines256", 0, "func(lines *byte, count, k, ahead uint64, hashes *uint64, rounds uint64)")
	Pragma("noescape")
	Doc("addBlockedLines256 is addBlockedLines512 for AVX2 and BMI2.")
	lines := Load(Param("lines"), GP64())
	Load(Param("count"), RDX)
	hashes, rounds, ahead := addParams()
	twice, middle := windows256()
	ones, six, bytes := YMM(), YMM(), YMM()
	VPBROADCASTQ(table("addOne", 1), ones)
	VPBROADCASTQ(table("addSix", lowSix), six)
	VPBROADCASTQ(table("addBytes", eachByte), bytes)
	factor, factor2 := GP64(), GP64()
	MOVQ(U64(lineFactor), factor)
	MOVQ(U64(line2Factor), factor2)
	place := func(hash Mem) (line, rest Register) {
		n, low := GP64(), GP64()
		MULXQ(hash, low, n)
		SHLQ(Imm(6), n)
		return n, low
	}
	ask := func(hash Mem, prefetch func(Op)) {
		line, _ := place(hash)
		prefetch(Mem{Base: lines, Index: line, Scale: 1})
	}
	// halves are the fields of a product in two registers.
	product := func(hash Mem, factor Register, rotated bool) (halves [2]VecVirtual) {
		p := GP64()
		MOVQ(hash, p)
		IMULQ(factor, p)
		if rotated {
			RORQ(Imm(32), p)
		}
		halves = [2]VecVirtual{XMM(), XMM()}
		VMOVQ(p, halves[0])
		VPAND(six.AsX(), halves[0], halves[0])
		return halves
	}
	adder := func(form string) func(hash Mem) {
		return func(hash Mem) {
			line, first := place(hash)
			SHRQ(Imm(61), first)
			NEGQ(first)
			fields := product(hash, factor, false)
			var second [2]VecVirtual
			if form == "twice" {
				second = product(hash, factor2, true)
				VPMAXUB(bytes.AsX(), second[0], second[0])
				VPADDB(fields[0], second[0], second[0])
				VPAND(six.AsX(), second[0], second[0])
			}
			for half := range 2 {
				bits := func(fields [2]VecVirtual) VecVirtual {
					bits := YMM()
					if half == 1 {
						VPSRLDQ(Imm(4), fields[0], fields[1])
					}
					VPMOVZXBQ(fields[half], bits)
					VPSLLVQ(bits, ones, bits)
					return bits
				}
				inside := Mem{Base: middle, Index: first, Scale: 8, Disp: 32 * half}
				all := bits(fields)
				if form == "once" {
					VPAND(inside, all, all)
				} else {
					more := bits(second)
					VPAND(inside, more, more)
					VPOR(more, all, all)
				}
				place := Mem{Base: lines, Index: line, Scale: 1, Disp: 32 * half}
				VPOR(place, all, all)
				VMOVDQU(all, place)
			}
		}
	}
	TESTQ(twice, twice)
	JNZ(LabelRef("twice"))
	for _, form := range []string{"once", "twice"} {
		addLoop(form, hashes, rounds, ahead, false, ask, adder(form))
		VZEROUPPER()
		RET()
	}
}

// blockedSingle tests one hash.
func blockedSingle() {
	single("HasBlocked", "func(lines *[]byte, k int, h uint64) bool", "HasBlocked reports whether the k bits of h are set in lines, of which there may be none. AVX-512 F, BW, BITALG; or AVX2; BMI2.", "hasBlockedGeneric", "avx512", "avx2")
	place := func() (line Mem, first, k Register) {
		lines, count := sliceAt("lines")
		SHRQ(Imm(6), count)
		JZ(LabelRef("none"))
		Load(Param("h"), RDX)
		at, rest := GP64(), GP64()
		MULXQ(count, rest, at)
		SHLQ(Imm(6), at)
		return Mem{Base: lines, Index: at, Scale: 1}, rest, Load(Param("k"), GP64())
	}
	answer := func(condition func(Op)) {
		condition(NewParamAddr("ret", 24))
		RET()
	}

	Comment("VPSHUFBITQMB takes, from each word of the line, the bits at eight places;", "that at place w of word w is the hash's. Of registers from Z16 on, Go needs", "nothing cleared.")
	Label("avx512")
	line, first, k := place()
	VMOVDQU64(line, Z16)
	bits := K()
	VPBROADCASTQ(NewParamAddr("h", 16), Z17)
	VPMULLQ_BCST(table("lineFactor", lineFactor), Z17, Z17)
	shuffleBits(Z17, Z16, bits)
	found, all := GP64(), GP64()
	MOVQ(U64(diagonal), all)
	KMOVQ(bits, found)
	CMPQ(k, Imm(8))
	JNE(LabelRef("other"))
	ANDNQ(all, found, found)
	Label("answer")
	answer(SETEQ)
	Label("none")
	MOVB(U8(0), NewParamAddr("ret", 24))
	RET()

	Label("other")
	Comment("which bits count: for each number of words and first word, a row of windows")
	windows := GLOBL("lineWindows", RODATA|NOPTR)
	for k := range 8 {
		for first := range 8 {
			var used uint64
			for i := range k + 1 {
				used |= diagonal & (0xff << (8 * ((first + i) % 8)))
			}
			DATA(8*(8*k+first), U64(used))
		}
	}
	at := GP64()
	LEAQ(windows, at)
	SHRQ(Imm(61), first)
	LEAQ(Mem{Base: first, Index: k, Scale: 8}, first)
	CMPQ(k, Imm(8))
	JA(LabelRef("twice"))
	ANDNQ(Mem{Base: at, Index: first, Scale: 8, Disp: -64}, found, found)
	JMP(LabelRef("answer"))

	Label("twice")
	ANDNQ(all, found, found)
	distances := GP64()
	MOVQ(U64(line2Factor), distances)
	IMULQ(RDX, distances)
	RORQ(Imm(32), distances)
	VPBROADCASTQ(distances, Z18)
	constantIn := func(x uint64, z VecPhysical) {
		r := GP64()
		MOVQ(U64(x), r)
		VPBROADCASTQ(r, z)
	}
	constantIn(lowSix, Z19)
	VPANDQ(Z19, Z18, Z18)
	constantIn(eachByte, Z19)
	VPMAXUB(Z19, Z18, Z18)
	VPADDB(Z17, Z18, Z18)
	shuffleBits(Z18, Z16, bits)
	second := GP64()
	KMOVQ(bits, second)
	ANDNQ(Mem{Base: at, Index: first, Scale: 8, Disp: -64 - 512}, second, second)
	ORQ(second, found)
	JMP(LabelRef("answer"))

	Label("avx2")
	blockedSingle256(place, answer)
}

// blockedSingle256 emits the test of one hash for AVX2, with the line in two
// registers. Its rings, one for each number of words, are those of ring.
func blockedSingle256(place func() (Mem, Register, Register), answer func(func(Op))) {
	line, first, k := place()
	rings := GLOBL("lineRings", RODATA|NOPTR)
	for k := range 8 {
		for w := range 16 {
			var word uint64
			if w%8 <= k {
				word = 1<<64 - 1
			}
			DATA(8*(16*k+w), U64(word))
		}
	}
	ones, six := YMM(), XMM()
	VPBROADCASTQ(table("singleOne", 1), ones)
	VPBROADCASTQ(table("singleSix", lowSix), six)
	product := func(factor uint64) Register {
		p := GP64()
		MOVQ(U64(factor), p)
		IMULQ(RDX, p)
		return p
	}
	// half has the bits of a half of the line.
	half := func(fields VecVirtual, number int) VecVirtual {
		bits := YMM()
		if number == 1 {
			VPSRLDQ(Imm(4), fields, fields)
		}
		VPMOVZXBQ(fields, bits)
		VPSLLVQ(bits, ones, bits)
		return bits
	}
	middle := GP64()
	LEAQ(rings, middle)
	SHRQ(Imm(61), first)
	SHLQ(Imm(3), first)
	SUBQ(first, middle)
	const toMiddle, ofFirst, ofNinth = 64, -128, -9 * 128 // rings number k-1 and k-9
	fields := XMM()
	VMOVQ(product(lineFactor), fields)
	VPAND(six, fields, fields)
	SHLQ(Imm(7), k)
	CMPQ(k, U32(8<<7))
	JA(LabelRef("avx2_twice"))
	emit := func(second VecVirtual) {
		missing := [2]VecVirtual{}
		for number := range missing {
			bits, got := half(fields, number), YMM()
			if second == nil {
				VPAND(Mem{Base: middle, Index: k, Scale: 1, Disp: toMiddle + ofFirst + 32*number}, bits, bits)
			} else {
				more := half(second, number)
				VPAND(Mem{Base: middle, Index: k, Scale: 1, Disp: toMiddle + ofNinth + 32*number}, more, more)
				VPOR(more, bits, bits)
			}
			VMOVDQU(line.Offset(32*number), got)
			VPANDN(bits, got, bits)
			missing[number] = bits
		}
		VPOR(missing[0], missing[1], missing[0])
		VPTEST(missing[0], missing[0])
		VZEROUPPER()
		answer(SETEQ)
	}
	emit(nil)

	Label("avx2_twice")
	distances, bytes, p := XMM(), XMM(), product(line2Factor)
	RORQ(Imm(32), p)
	VMOVQ(p, distances)
	VPBROADCASTQ(table("singleBytes", eachByte), bytes)
	VPAND(six, distances, distances)
	VPMAXUB(bytes, distances, distances)
	VPADDB(fields, distances, distances)
	VPAND(six, distances, distances)
	emit(distances)
}

// shuffleBits emits VPSHUFBITQMB, which the generator has no function for: bits
// gets, from each word of data, the eight bits that the bytes at the same place
// in places number.
func shuffleBits(places, data VecPhysical, bits OpmaskVirtual) {
	Instruction(&ir.Instruction{
		Opcode:   "VPSHUFBITQMB",
		Operands: []Op{places, data, bits},
		Inputs:   []Op{places, data},
		Outputs:  []Op{bits},
	})
}

// loaded loads a line into a register.
func loaded(m Mem) VecVirtual {
	z := ZMM()
	VMOVDQU64(m, z)
	return z
}
