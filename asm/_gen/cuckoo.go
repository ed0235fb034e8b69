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
		prefetch(name, ahead, base, Mem{Base: buf, Disp: bufBucket}, 0)
		prefetch(name+"_other", ahead, base, Mem{Base: buf, Disp: bufOther}, 0)
	}
	work := func(buf Register) {
		loop("groups", chunk, 8, func(at Register) {
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
	pipeline(bufCuckoo, chunks, hashes, prepare, work)
	VZEROUPPER()
	RET()
}
