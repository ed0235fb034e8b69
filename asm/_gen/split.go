package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// The buffer of a chunk.
const (
	bufBlock     = 0         // 8 bytes: the offset of its block
	bufSplitHash = 8 * chunk // 8 bytes: the hash
	bufSplit     = 16 * chunk
)

func split() {
	splitKernel("probeSplitBlocks256", "tests chunks of 64 hashes: hits gets a word for each. count is the number of blocks, below 2^32; ahead is 1 to ask for blocks early. AVX2.", true)
	splitKernel("addSplitBlocks256", "adds chunks of 64 hashes. AVX2.", false)
	splitSingle()
}

// splitSingle tests one hash.
func splitSingle() {
	TEXT("hasSplitBlock256", NOSPLIT, "func(blocks *byte, count, h uint64) bool")
	Pragma("noescape")
	Doc("hasSplitBlock256 tests one hash. count is the number of blocks, below 2^32. AVX2.")
	blocks := Load(Param("blocks"), GP64())
	h, block := GP64(), GP64()
	Load(Param("h"), h)
	MOVQ(h, block)
	SHRQ(Imm(32), block)
	IMULQ(NewParamAddr("count", 8), block)
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
	result := GP8()
	SETCS(result)
	Store(result, ReturnIndex(0))
	VZEROUPPER()
	RET()
}

// splitSalts are the salts of asm/split.go, two to a word.
var splitSalts = []uint64{0x44974d9147b6137b, 0xa2b7289d8824ad5b, 0x2df1424b705495c7, 0x5c6bfb319efc4947}

func splitKernel(name, doc string, probe bool) {
	signature := "func(blocks *byte, count, ahead uint64, hashes *uint64, chunks uint64"
	if probe {
		signature += ", hits *uint64"
	}
	TEXT(name, 0, signature+")")
	Pragma("noescape")
	Doc(name + " " + doc)
	blocks := Load(Param("blocks"), GP64())
	count := Load(Param("count"), GP64())
	ahead := Load(Param("ahead"), GP64())
	hashes := Load(Param("hashes"), GP64())
	chunks := Load(Param("chunks"), GP64())
	var hits Register
	if probe {
		hits = Load(Param("hits"), GP64())
	}
	salt, ones := YMM(), YMM()
	VMOVDQU(table("splitSalt_"+name, splitSalts...), salt)
	VPBROADCASTD(table("splitOne_"+name, 1), ones)

	p := pipeline{bufBytes: bufSplit, chunks: chunks, hashes: hashes, base: blocks, ahead: ahead, fields: []field{{bufBlock, []int{0}}}}
	prepare := func(name string, buf, src Register) {
		loop(name, chunk*8, 8, func(at Register) {
			h := GP64()
			MOVQ(Mem{Base: src, Index: at, Scale: 1}, h)
			MOVQ(h, Mem{Base: buf, Index: at, Scale: 1, Disp: bufSplitHash})
			SHRQ(Imm(32), h)
			IMULQ(count, h)
			SHRQ(Imm(32), h)
			SHLQ(Imm(5), h)
			MOVQ(h, Mem{Base: buf, Index: at, Scale: 1, Disp: bufBlock})
		})
	}
	pattern := func(hash Mem) VecVirtual {
		x := YMM()
		VPBROADCASTD(hash, x)
		VPMULLD(salt, x, x)
		VPSRLD(Imm(27), x, x)
		VPSLLVD(x, ones, x)
		return x
	}
	work := func(buf Register) {
		word8 := func(at Register, disp int) Mem { return Mem{Base: buf, Index: at, Scale: 8, Disp: disp} }
		if !probe {
			loop("keys", chunk, 8, func(at Register) {
				p.early(at, 8)
				for i := range 8 {
					offset := GP64()
					MOVQ(word8(at, bufBlock+8*i), offset)
					block := Mem{Base: blocks, Index: offset, Scale: 1}
					bits := pattern(word8(at, bufSplitHash+8*i))
					VPOR(block, bits, bits)
					VMOVDQU(bits, block)
				}
			})
			return
		}
		word, at := GP64(), GP64()
		XORL(word.As32(), word.As32())
		MOVQ(I32(chunk-8), at)
		Label("keys")
		p.early(at, 8)
		for i := 7; i >= 0; i-- {
			offset, block := GP64(), YMM()
			MOVQ(word8(at, bufBlock+8*i), offset)
			bits := pattern(word8(at, bufSplitHash+8*i))
			VMOVDQU(Mem{Base: blocks, Index: offset, Scale: 1}, block)
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
