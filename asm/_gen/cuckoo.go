package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// Multipliers of asm/cuckoo.go.
const (
	fingerprintFactor  = 0xd1342543de82ef95
	fingerprintFactor2 = 0xaf251af3b0f025b5
)

// The buffer of a chunk: for each hash 8 bytes of each.
const (
	bufBucket      = 0          // the offset of its bucket
	bufOther       = 8 * chunk  // of the other one
	bufFingerprint = 16 * chunk // its fingerprint in each of the four slots
	bufCuckoo      = 24 * chunk
)

func cuckoo() {
	cuckooAVX512()
	cuckooAVX2()
}

func cuckooAVX512() {
	TEXT("probeCuckooTable512", 0, "func(table *byte, buckets, fingerprints, bucketBytes, low, high, used, ahead uint64, hashes *uint64, chunks uint64, hits *uint64)")
	Pragma("noescape")
	Doc("probeCuckooTable512 tests chunks of 64 hashes: hits gets a word for each. buckets is below 2^32; fingerprints is how many there are; low and high have a bit for the lowest and the highest of each slot, used all bits of a bucket; ahead is 1 to ask for buckets early. AVX-512 F, DQ, BW.")
	base := Load(Param("table"), GP64())
	ahead := Load(Param("ahead"), GP64())
	hashes := Load(Param("hashes"), GP64())
	chunks := Load(Param("chunks"), GP64())
	hits := Load(Param("hits"), GP64())
	buckets, fingerprints, bucketBytes := parameter("buckets"), parameter("fingerprints"), parameter("bucketBytes")
	low, high, used := parameter("low"), parameter("high"), parameter("used")
	factor, factor2, one := constant(fingerprintFactor), constant(fingerprintFactor2), constant(1)

	p := pipeline{bufBytes: bufCuckoo, chunks: chunks, hashes: hashes, base: base, ahead: ahead, fields: []field{{bufBucket, []int{0}}, {bufOther, []int{0}}}}
	prepare := func(name string, buf, src Register) {
		loop(name, chunk*8, 64, func(at Register) {
			at8 := func(disp int) Mem { return Mem{Base: buf, Index: at, Scale: 1, Disp: disp} }
			h, top, bucket, fp := ZMM(), ZMM(), ZMM(), ZMM()
			VMOVDQU64(Mem{Base: src, Index: at, Scale: 1}, h)
			VPSRLQ(Imm(32), h, top)
			mulhi(h, top, buckets, bucket)
			VPMULUDQ(fingerprints, h, fp)
			VPSRLQ(Imm(32), fp, fp)
			VPADDQ(one, fp, fp)
			slots := ZMM()
			VPMULLQ(low, fp, slots)
			VMOVDQU64(slots, at8(bufFingerprint))
			offset := ZMM()
			VPMULUDQ(bucketBytes, bucket, offset)
			VMOVDQU64(offset, at8(bufBucket))

			mixed, sum, borrow := ZMM(), ZMM(), K()
			VPMULLQ(factor, fp, mixed)
			VPSRLQ(Imm(32), mixed, top)
			VPXORQ(top, mixed, mixed)
			VPMULLQ(factor2, mixed, mixed)
			VPSRLQ(Imm(32), mixed, top)
			mulhi(mixed, top, buckets, sum)
			VPCMPUQ(Imm(1), bucket, sum, borrow) // sum < bucket
			VPSUBQ(bucket, sum, sum)
			VPADDQ(buckets, sum, borrow, sum)
			VPMULUDQ(bucketBytes, sum, sum)
			VMOVDQU64(sum, at8(bufOther))
		})
	}
	work := func(buf Register) {
		loop("groups", chunk, 8, func(at Register) {
			p.early(at, 8)
			field := func(disp int) Mem { return Mem{Base: buf, Index: at, Scale: 8, Disp: disp} }
			slots, found := ZMM(), ZMM()
			VMOVDQU64(field(bufFingerprint), slots)
			for i, from := range []int{bufBucket, bufOther} {
				offset, bucket, zero, all := ZMM(), ZMM(), ZMM(), K()
				VMOVDQU64(field(from), offset)
				KXNORB(all, all, all)
				VPXORQ(bucket, bucket, bucket)
				VPGATHERQQ(Mem{Base: base, Index: offset, Scale: 1}, all, bucket)
				VPXORQ(slots, bucket, bucket)
				VPANDQ(used, bucket, bucket)
				Comment("a slot that is 0 borrows: (x - low) &^ x & high is not 0 then and only then")
				VPSUBQ(low, bucket, zero)
				VPANDNQ(zero, bucket, zero)
				if i == 0 {
					VMOVDQA64(zero, found)
				} else {
					VPORQ(zero, found, found)
				}
			}
			hit := K()
			VPTESTMQ(high, found, hit)
			address := GP64()
			MOVQ(at, address)
			SHRQ(Imm(3), address)
			KMOVB(hit, Mem{Base: hits, Index: address, Scale: 1})
		})
		ADDQ(Imm(8), hits)
	}
	p.run(prepare, work)
	VZEROUPPER()
	RET()
}

// cuckooAVX2 computes with a hash at a time, all in 64-bit registers: gathers
// cost more than they save where there are only four lanes.
func cuckooAVX2() {
	TEXT("probeCuckooTable256", 0, "func(table *byte, buckets, fingerprints, bucketBytes, low, high, used, ahead uint64, hashes *uint64, chunks uint64, hits *uint64)")
	Pragma("noescape")
	Doc("probeCuckooTable256 is probeCuckooTable512 in 64-bit registers. BMI1, BMI2.")
	base := Load(Param("table"), GP64())
	ahead := Load(Param("ahead"), GP64())
	hashes := Load(Param("hashes"), GP64())
	chunks := Load(Param("chunks"), GP64())
	hits := Load(Param("hits"), GP64())

	p := pipeline{bufBytes: bufCuckoo, chunks: chunks, hashes: hashes, base: base, ahead: ahead, fields: []field{{bufBucket, []int{0}}, {bufOther, []int{0}}}}
	prepare := func(name string, buf, src Register) {
		buckets, bytes := GP64(), NewParamAddr("bucketBytes", 24)
		Load(Param("buckets"), buckets)
		loop(name, chunk*8, 8, func(at Register) {
			at8 := func(disp int) Mem { return Mem{Base: buf, Index: at, Scale: 1, Disp: disp} }
			fp, bucket, x := GP64(), GP64(), GP64()
			MOVQ(Mem{Base: src, Index: at, Scale: 1}, RDX)
			MULXQ(buckets, x, bucket)
			MOVL(EDX, fp.As32())
			IMULQ(NewParamAddr("fingerprints", 16), fp)
			SHRQ(Imm(32), fp)
			INCQ(fp)
			MOVQ(bucket, x)
			IMULQ(bytes, x)
			MOVQ(x, at8(bufBucket))

			MOVQ(U64(fingerprintFactor), RDX)
			IMULQ(fp, RDX)
			MOVQ(RDX, x)
			SHRQ(Imm(32), x)
			XORQ(x, RDX)
			MOVQ(U64(fingerprintFactor2), x)
			IMULQ(x, RDX)
			sum := GP64()
			MULXQ(buckets, x, sum)
			XORL(x.As32(), x.As32())
			SUBQ(bucket, sum)
			CMOVQCS(buckets, x)
			ADDQ(x, sum)
			IMULQ(bytes, sum)
			MOVQ(sum, at8(bufOther))
			IMULQ(NewParamAddr("low", 32), fp)
			MOVQ(fp, at8(bufFingerprint))
		})
	}
	work := func(buf Register) {
		low, high, used := GP64(), NewParamAddr("high", 40), NewParamAddr("used", 48)
		Load(Param("low"), low)
		answers, at := GP64(), GP64()
		XORL(answers.As32(), answers.As32())
		MOVQ(I32(chunk-4), at)
		Label("keys")
		p.early(at, 4)
		for i := 3; i >= 0; i-- {
			field := func(disp int) Mem { return Mem{Base: buf, Index: at, Scale: 8, Disp: disp + 8*i} }
			found, slots := GP64(), GP64()
			MOVQ(field(bufFingerprint), slots)
			for j, from := range []int{bufBucket, bufOther} {
				x, zero := GP64(), GP64()
				MOVQ(field(from), x)
				MOVQ(Mem{Base: base, Index: x, Scale: 1}, x)
				XORQ(slots, x)
				ANDQ(used, x)
				MOVQ(x, zero)
				SUBQ(low, zero)
				ANDNQ(zero, x, x)
				if j == 0 {
					MOVQ(x, found)
				} else {
					ORQ(x, found)
				}
			}
			ANDQ(high, found)
			NEGQ(found) // carry: not 0
			ADCQ(answers, answers)
		}
		SUBQ(Imm(4), at)
		JGE(LabelRef("keys"))
		MOVQ(answers, Mem{Base: hits})
		ADDQ(Imm(8), hits)
	}
	p.run(prepare, work)
	RET()
}
