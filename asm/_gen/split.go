package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// The buffer of a chunk.
const (
	bufBlock = 0 // 8 bytes each: the offset of its block
	bufSplit = 8 * chunk
)

func split() {
	splitProbe512()
	splitProbe256()
	splitAdd256()
	splitSingle()
}

// splitSingle tests one hash.
func splitSingle() {
	single("HasSplit", "func(blocks *[]byte, h uint64) bool", "HasSplit reports whether the eight bits of h are set in blocks, of which there are less than 2^32 and may be none. AVX2.", "hasSplitGeneric", "avx2")
	Label("avx2")
	blocks, count := sliceAt("blocks")
	SHRQ(Imm(5), count)
	JZ(LabelRef("none"))
	h, block := GP64(), GP64()
	Load(Param("h"), h)
	MOVQ(h, block)
	SHRQ(Imm(32), block)
	IMULQ(count, block)
	SHRQ(Imm(32), block)
	SHLQ(Imm(5), block)
	x, ones, got := YMM(), YMM(), YMM()
	VMOVD(h.As32(), x.AsX())
	VPBROADCASTD(x.AsX(), x)
	VPMULLD(table("splitSalts", splitSalts...), x, x)
	VPSRLD(Imm(27), x, x)
	VPBROADCASTD(table("splitOnes", 1), ones)
	VPSLLVD(x, ones, x)
	VMOVDQU(Mem{Base: blocks, Index: block, Scale: 1}, got)
	VPTEST(x, got)
	SETCS(NewParamAddr("ret", 16))
	VZEROUPPER()
	RET()
	Label("none")
	MOVB(U8(0), NewParamAddr("ret", 16))
	RET()
}

// splitSalts are the salts of asm/split.go, two to a word.
var splitSalts = []uint64{0x44974d9147b6137b, 0xa2b7289d8824ad5b, 0x2df1424b705495c7, 0x5c6bfb319efc4947}

// splitParams loads what both probes take.
func splitParams(name, doc string) (p pipeline, hits Register) {
	TEXT(name, 0, "func(blocks *byte, count, ahead uint64, hashes *uint64, chunks uint64, hits *uint64)")
	Pragma("noescape")
	Doc(name + " " + doc)
	blocks := Load(Param("blocks"), GP64())
	ahead := Load(Param("ahead"), GP64())
	hashes := Load(Param("hashes"), GP64())
	chunks := Load(Param("chunks"), GP64())
	hits = Load(Param("hits"), GP64())
	return pipeline{bufBytes: bufSplit, chunks: chunks, hashes: hashes, base: blocks, ahead: ahead, fields: []field{{bufBlock, []int{0}}}}, hits
}

// splitProbe512 tests eight hashes at once, in pairs i and i+4 that share a
// register. VPMULTISHIFTQB takes, from each pair of words, the eight bits at and
// above eight places: for one hash, only the lowest of two of them count. So the
// pairs share a register too, each with bytes i and i+4 of every pair of words.
func splitProbe512() {
	p, hits := splitParams("probeSplitBlocks512", "tests chunks of 64 hashes: hits gets a word for each. count is the number of blocks, below 2^32; ahead is 1 to ask for blocks early. AVX-512 F, BW, VBMI.")
	count := parameter("count")
	salt, second, ones := ZMM(), constant(0x20202020<<32), constant(eachByte)
	VBROADCASTI64X4(table("splitSalt512", splitSalts...), salt)
	Comment("masks: the upper half, in words of 64 and 32 bits, and bytes i and i+4 of each word of 64")
	upper64, upper32 := K(), K()
	masks := []OpmaskVirtual{nil, K(), K(), K()}
	r := GP64()
	setMask := func(x uint64, k OpmaskVirtual) {
		MOVQ(U64(x), r)
		KMOVQ(r, k)
	}
	setMask(0xf0, upper64)
	setMask(0xff00, upper32)
	for i := 1; i < 4; i++ {
		setMask(0x1111111111111111<<i, masks[i])
	}
	prepare := func(name string, buf, src Register) {
		loop(name, chunk*8, 64, func(at Register) {
			h := ZMM()
			VMOVDQU64(Mem{Base: src, Index: at, Scale: 1}, h)
			VPSRLQ(Imm(32), h, h)
			VPMULUDQ(count, h, h)
			VPSRLQ(Imm(32), h, h)
			VPSLLQ(Imm(5), h, h)
			VMOVDQU64(h, Mem{Base: buf, Index: at, Scale: 1, Disp: bufBlock})
		})
	}
	work := func(buf Register) {
		loop("groups", chunk, 8, func(at Register) {
			p.early(at, 8)
			found := ZMM()
			for i := range 4 {
				// block and hash are those of hash number n of the group; the
				// hashes have been passed by a chunk.
				block := func(n int) Mem {
					offset := GP64()
					MOVQ(Mem{Base: buf, Index: at, Scale: 8, Disp: bufBlock + 8*n}, offset)
					return Mem{Base: p.base, Index: offset, Scale: 1}
				}
				hash := func(n int) Mem { return Mem{Base: p.hashes, Index: at, Scale: 8, Disp: 8*n - 8*chunk} }
				data, places := ZMM(), ZMM()
				VMOVDQU64(block(i), data.AsY())
				VBROADCASTI64X4(block(i+4), upper64, data)
				VPBROADCASTD(hash(i), places)
				VPBROADCASTD(hash(i+4), upper32, places)
				VPMULLD(salt, places, places)
				VPSRLD(Imm(uint64(27-8*i)), places, places)
				VPORQ(second, places, places)
				if i == 0 {
					VPMULTISHIFTQB(data, places, found)
				} else {
					VPMULTISHIFTQB(data, places, masks[i], found)
				}
			}
			none, missing, fold, group := K(), GP64(), GP64(), GP64()
			VPTESTNMB(ones, found, none)
			KMOVQ(none, missing)
			for _, half := range []uint64{16, 8, 4} {
				MOVQ(missing, fold)
				SHRQ(Imm(half), fold)
				ORQ(fold, missing)
			}
			Comment("of each half, the lowest four bits")
			NOTQ(missing)
			MOVQ(missing, fold)
			SHRQ(Imm(28), fold)
			ANDL(Imm(0x0f), missing.As32())
			ANDL(U32(0xf0), fold.As32())
			ORL(fold.As32(), missing.As32())
			MOVQ(at, group)
			SHRQ(Imm(3), group)
			MOVB(missing.As8(), Mem{Base: hits, Index: group, Scale: 1})
		})
		ADDQ(Imm(8), hits)
	}
	p.run(prepare, work)
	VZEROUPPER()
	RET()
}

func splitProbe256() {
	p, hits := splitParams("probeSplitBlocks256", "is probeSplitBlocks512 for AVX2.")
	count := Load(Param("count"), GP64())
	salt, ones := YMM(), YMM()
	VMOVDQU(table("splitSalt256", splitSalts...), salt)
	VPBROADCASTD(table("splitOne256", 1), ones)
	prepare := func(name string, buf, src Register) {
		loop(name, chunk*8, 8, func(at Register) {
			h := GP64()
			MOVL(Mem{Base: src, Index: at, Scale: 1, Disp: 4}, h.As32())
			IMULQ(count, h)
			SHRQ(Imm(32), h)
			SHLQ(Imm(5), h)
			MOVQ(h, Mem{Base: buf, Index: at, Scale: 1, Disp: bufBlock})
		})
	}
	work := func(buf Register) {
		word, at := GP64(), GP64()
		XORL(word.As32(), word.As32())
		MOVQ(I32(chunk-8), at)
		Label("keys")
		p.early(at, 8)
		for i := 7; i >= 0; i-- {
			offset, block := GP64(), YMM()
			MOVQ(Mem{Base: buf, Index: at, Scale: 8, Disp: bufBlock + 8*i}, offset)
			bits := splitPattern(Mem{Base: p.hashes, Index: at, Scale: 8, Disp: 8*i - 8*chunk}, salt, ones)
			VMOVDQU(Mem{Base: p.base, Index: offset, Scale: 1}, block)
			VPTEST(bits, block) // carry: no bit of bits is missing in block
			ADCQ(word, word)
		}
		SUBQ(Imm(8), at)
		JGE(LabelRef("keys"))
		MOVQ(word, Mem{Base: hits})
		ADDQ(Imm(8), hits)
	}
	p.run(prepare, work)
	VZEROUPPER()
	RET()
}

// splitPattern has the bits of a hash in the words of its block.
func splitPattern(hash Mem, salt, ones VecVirtual) VecVirtual {
	x := YMM()
	VPBROADCASTD(hash, x)
	VPMULLD(salt, x, x)
	VPSRLD(Imm(27), x, x)
	VPSLLVD(x, ones, x)
	return x
}

func splitAdd256() {
	TEXT("addSplitBlocks256", 0, "func(blocks *byte, count, ahead uint64, hashes *uint64, rounds uint64)")
	Pragma("noescape")
	Doc("addSplitBlocks256 adds rounds of eight hashes. count is the number of blocks, below 2^32; ahead is 1 to ask for blocks early. AVX2, BMI2.")
	blocks := Load(Param("blocks"), GP64())
	Load(Param("count"), RDX)
	hashes, rounds, ahead := addParams()
	salt, ones := YMM(), YMM()
	VMOVDQU(table("splitSaltAdd", splitSalts...), salt)
	VPBROADCASTD(table("splitOneAdd", 1), ones)
	place := func(hash Mem) Mem {
		n, low := GP64(), GP64()
		MULXL(hash.Offset(4), low.As32(), n.As32())
		SHLQ(Imm(5), n)
		return Mem{Base: blocks, Index: n, Scale: 1}
	}
	ask := func(hash Mem, prefetch func(Op)) { prefetch(place(hash)) }
	add := func(hash Mem) {
		bits, block := splitPattern(hash, salt, ones), place(hash)
		VPOR(block, bits, bits)
		VMOVDQU(bits, block)
	}
	addLoop("rounds", hashes, rounds, ahead, false, ask, add)
	VZEROUPPER()
	RET()
}
