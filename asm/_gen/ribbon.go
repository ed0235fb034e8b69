package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// Multipliers of asm/ribbon.go.
const (
	coefficientFactor = 0xd1342543de82ef95
	rowFactor         = 0xaf251af3b0f025b5
)

// The buffer of a chunk: for each hash 8 bytes of each, and a bit.
const (
	bufStart        = 0          // its first row
	bufCoefficients = 8 * chunk  // which of the 64 rows from there on
	bufRow          = 16 * chunk // what they must add up to
	bufBumped       = 24 * chunk // a bit: it is in a later layer
	bufRibbon       = 25 * chunk
)

func ribbon() {
	TEXT("probeRibbonRows512", 0, "func(rows *byte, starts uint64, thresholds *byte, mask, ahead uint64, hashes *uint64, chunks uint64, hits, bumped *uint64)")
	Pragma("noescape")
	Doc("probeRibbonRows512 tests chunks of 64 hashes against a layer stored by rows: hits and bumped get a word for each. starts is below 2^32; mask is all ones, or 0 to read only the first of thresholds, which is then 0; ahead is 1 to ask for rows early. AVX-512 F, DQ, BW.")
	rows := Load(Param("rows"), GP64())
	thresholds := Load(Param("thresholds"), GP64())
	ahead := Load(Param("ahead"), GP64())
	hashes := Load(Param("hashes"), GP64())
	chunks := Load(Param("chunks"), GP64())
	hits := Load(Param("hits"), GP64())
	bumped := Load(Param("bumped"), GP64())
	param := func(name string) VecVirtual {
		z, r := ZMM(), GP64()
		Load(Param(name), r)
		VPBROADCASTQ(r, z)
		return z
	}
	starts, mask := param("starts"), param("mask")
	constant := func(x uint64) VecVirtual {
		z := ZMM()
		broadcast(x, z)
		return z
	}
	factor, factor2, one := constant(coefficientFactor), constant(rowFactor), constant(1)
	byte255, in128, in32, three := constant(255), constant(127), constant(31), constant(3)
	levels := ZMM()
	VMOVDQU64(table("ribbonThresholds", 0, 22, 40, 128, 0, 0, 0, 0), levels)

	prepare := func(name string, buf, src Register) {
		loop(name, chunk*8, 64, func(at Register) {
			at8 := func(disp int) Mem { return Mem{Base: buf, Index: at, Scale: 1, Disp: disp} }
			h, x, start := ZMM(), ZMM(), ZMM()
			VMOVDQU64(Mem{Base: src, Index: at, Scale: 1}, h)
			VPSRLQ(Imm(32), h, x)
			mulhi(h, x, starts, start)
			VMOVDQU64(start, at8(bufStart))
			VPMULLQ(factor, h, x)
			VPORQ(one, x, x)
			VMOVDQU64(x, at8(bufCoefficients))
			VPMULLQ(factor2, h, x)
			VPSRLQ(Imm(32), x, x)
			VMOVDQU64(x, at8(bufRow))

			bucket, word, all, bump := ZMM(), ZMM(), K(), K()
			VPSRLQ(Imm(7), start, bucket)
			VPSRLQ(Imm(5), bucket, x)
			VPANDQ(mask, x, x)
			KXNORB(all, all, all)
			VPXORQ(word, word, word)
			VPGATHERQQ(Mem{Base: thresholds, Index: x, Scale: 8}, all, word)
			VPANDQ(in32, bucket, bucket)
			VPADDQ(bucket, bucket, bucket)
			VPSRLVQ(bucket, word, word)
			VPANDQ(three, word, word)
			VPERMQ(levels, word, word)
			VPANDQ(in128, start, start)
			VPCMPUQ(Imm(1), word, start, bump) // start < threshold
			address := GP64()
			MOVQ(at, address)
			SHRQ(Imm(6), address)
			KMOVB(bump, Mem{Base: buf, Index: address, Scale: 1, Disp: bufBumped})
		})
		prefetch(name, ahead, rows, Mem{Base: buf, Disp: bufStart}, 0, 63)
	}
	work := func(buf Register) {
		loop("groups", chunk, 8, func(at Register) {
			field := func(disp int) Mem { return Mem{Base: buf, Index: at, Scale: 8, Disp: disp} }
			var v [8]VecVirtual
			for i := range v {
				v[i] = ZMM()
				start, pick := GP64(), K()
				MOVQ(field(bufStart+8*i), start)
				KMOVQ(field(bufCoefficients+8*i), pick)
				VMOVDQU8_Z(Mem{Base: rows, Index: start, Scale: 1}, pick, v[i])
			}
			Comment("fold the eight words of each of eight hashes into one, side by side")
			fold := func(a, b VecVirtual, first, second func(ops ...Op)) VecVirtual {
				x := ZMM()
				first(b, a, x)
				second(b, a, a)
				VPXORQ(x, a, a)
				return a
			}
			for i := range 4 {
				v[i] = fold(v[2*i], v[2*i+1], VPUNPCKLQDQ, VPUNPCKHQDQ)
			}
			even := func(ops ...Op) { VSHUFI64X2(append([]Op{Imm(0x88)}, ops...)...) }
			odd := func(ops ...Op) { VSHUFI64X2(append([]Op{Imm(0xdd)}, ops...)...) }
			x := fold(fold(v[0], v[1], even, odd), fold(v[2], v[3], even, odd), even, odd)
			Comment("and the eight rows in each word")
			y, hit, bump := ZMM(), K(), K()
			for _, shift := range []uint64{32, 16, 8} {
				VPSRLQ(Imm(shift), x, y)
				VPXORQ(y, x, x)
			}
			VPXORQ(field(bufRow), x, x)
			VPTESTNMQ(byte255, x, hit)
			address := GP64()
			MOVQ(at, address)
			SHRQ(Imm(3), address)
			KMOVB(Mem{Base: buf, Index: address, Scale: 1, Disp: bufBumped}, bump)
			KMOVB(bump, Mem{Base: bumped, Index: address, Scale: 1})
			KANDNB(hit, bump, hit)
			KMOVB(hit, Mem{Base: hits, Index: address, Scale: 1})
		})
		ADDQ(Imm(8), hits)
		ADDQ(Imm(8), bumped)
	}
	pipeline(bufRibbon, chunks, hashes, prepare, work)
	VZEROUPPER()
	RET()
}
