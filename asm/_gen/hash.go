package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
)

// xxh3Prime is XXH3's PRIME_MX2.
const xxh3Prime = 0x9fb21c651e98df25

func hash() {
	TEXT("hashUint64s512", NOSPLIT, "func(keys, hashes *uint64, groups, flip uint64)")
	Pragma("noescape")
	Doc("hashUint64s512 hashes groups of eight keys. AVX-512 F, DQ.")
	keys := Load(Param("keys"), GP64())
	hashes := Load(Param("hashes"), GP64())
	groups := Load(Param("groups"), GP64())
	flip, prime, eight := parameter("flip"), constant(xxh3Prime), constant(8)
	Label("group")
	x, y := ZMM(), ZMM()
	VPROLQ(Imm(32), Mem{Base: keys}, x)
	VPXORQ(flip, x, x)
	turned := ZMM()
	VPROLQ(Imm(49), x, y)
	VPROLQ(Imm(24), x, turned)
	VPTERNLOGQ(Imm(0x96), y, turned, x) // exclusive or of three
	VPMULLQ(prime, x, x)
	VPSRLQ(Imm(35), x, y)
	VPADDQ(eight, y, y)
	VPXORQ(y, x, x)
	VPMULLQ(prime, x, x)
	VPSRLQ(Imm(28), x, y)
	VPXORQ(y, x, x)
	VMOVDQU64(x, Mem{Base: hashes})
	ADDQ(Imm(64), keys)
	ADDQ(Imm(64), hashes)
	DECQ(groups)
	JNZ(LabelRef("group"))
	VZEROUPPER()
	RET()
}
