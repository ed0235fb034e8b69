//go:build !purego

#include "textflag.h"

// Both kernels take a chunk of 64 hashes in eight rounds of eight. If ahead is
// not 0, a round first asks for the blocks of the hashes 64 further on, those of
// the same round of the next chunk; before the first chunk, its own are asked
// for. The address of a block is computed again when its turn comes: three
// instructions, fewer than it takes to keep it.

// What Go's assembler has no name for. Arguments are register numbers, in Go's
// order: the destination last.

// MUL Vd.4S, Vn.4S, Vm.S[0]
#define MUL_S0(m, n, d) WORD $(0x4f808000 | (m)<<16 | (n)<<5 | (d))

// MUL Vd.4S, Vn.4S, Vm.S[2]
#define MUL_S2(m, n, d) WORD $(0x4f808800 | (m)<<16 | (n)<<5 | (d))

// USHL Vd.4S, Vn.4S, Vm.4S: Vn << Vm in each lane
#define USHL_4S(m, n, d) WORD $(0x6ea04400 | (m)<<16 | (n)<<5 | (d))

// UMINP Vd.4S, Vn.4S, Vm.4S: the lesser of each two neighbours, those of Vn first
#define UMINP_4S(m, n, d) WORD $(0x6ea0ac00 | (m)<<16 | (n)<<5 | (d))

// The salts of split.go.
DATA splitSalts<>+0x00(SB)/8, $0x44974d9147b6137b
DATA splitSalts<>+0x08(SB)/8, $0xa2b7289d8824ad5b
DATA splitSalts<>+0x10(SB)/8, $0x2df1424b705495c7
DATA splitSalts<>+0x18(SB)/8, $0x5c6bfb319efc4947
GLOBL splitSalts<>(SB), RODATA|NOPTR, $32

// The registers of both kernels.
//
//	R0       blocks
//	R1       their number
//	R2       not 0 while there are blocks to ask for
//	R3       the next hash
//	R4       chunks to go
//	R5       where the next word of answers goes
//	R6       rounds to go in this chunk
//	R7, R8   addresses of blocks
//	R11      scratch
//	V24, V25 the salts of words 0 to 3 and 4 to 7
//	V26      1 in each lane of 32 bits

#define LOAD \
	MOVD  blocks+0(FP), R0;      \
	MOVD  count+8(FP), R1;       \
	MOVD  ahead+16(FP), R2;      \
	MOVD  hashes+24(FP), R3;     \
	MOVD  chunks+32(FP), R4;     \
	MOVD  $splitSalts<>(SB), R6; \
	FLDPQ (R6), (F24, F25);      \
	VMOVI $1, V26.B16;           \
	VUSHR $24, V26.S4, V26.S4

// ADDRESS is r = &blocks[32 * (uint64(count) * (h >> 32) >> 32)] for the hash at
// from, of which it reads the upper 4 bytes.
#define ADDRESS(from, r) \
	MOVWU (from+4)(R3), r; \
	MUL   R1, r, r;        \
	LSR   $32, r, r;       \
	ADD   r<<5, R0, r

// ASK asks for the blocks of the four pairs of hashes at from, from+step, …
#define ASK_PAIR(from, how) \
	ADDRESS(from, R7);   \
	ADDRESS(from+8, R8); \
	PRFM (R7), how;      \
	PRFM (R8), how

#define ASK(from, step, how) \
	ASK_PAIR(from, how);        \
	ASK_PAIR(from+step, how);   \
	ASK_PAIR(from+2*step, how); \
	ASK_PAIR(from+3*step, how)

// PATTERNS is x = 1 << (uint32(h)*salt >> 27) for words 0 to 3 and 4 to 7 of the
// two hashes at from: those of the first to V4 and V5, of the second to V6 and V7.
// It reads the 16 bytes there and writes V3 too.
#define PATTERNS(from) \
	FMOVQ from(R3), F3;      \
	MUL_S0(3, 24, 4);        \
	MUL_S0(3, 25, 5);        \
	MUL_S2(3, 24, 6);        \
	MUL_S2(3, 25, 7);        \
	VUSHR $27, V4.S4, V4.S4; \
	VUSHR $27, V5.S4, V5.S4; \
	VUSHR $27, V6.S4, V6.S4; \
	VUSHR $27, V7.S4, V7.S4; \
	USHL_4S(4, 26, 4);       \
	USHL_4S(5, 26, 5);       \
	USHL_4S(6, 26, 6);       \
	USHL_4S(7, 26, 7)

// TEST tests the two hashes at from: each lane of a, for the first, and of b, for
// the second, becomes all ones if the bits of words w and w+4 are set, else 0. It
// reads 16 bytes there and the 32 of each block, and writes V0 to V9.
#define TEST(from, a, b) \
	ADDRESS(from, R7);            \
	ADDRESS(from+8, R8);          \
	PATTERNS(from);               \
	FLDPQ  (R7), (F0, F1);        \
	FLDPQ  (R8), (F8, F9);        \
	VCMTST V0.S4, V4.S4, V4.S4;   \
	VCMTST V1.S4, V5.S4, V5.S4;   \
	VCMTST V8.S4, V6.S4, V6.S4;   \
	VCMTST V9.S4, V7.S4, V7.S4;   \
	VAND   V4.B16, V5.B16, a.B16; \
	VAND   V6.B16, V7.B16, b.B16

// func probeSplitBlocks128(blocks *byte, count, ahead uint64, hashes *uint64, chunks uint64, hits *uint64)
//
//	for i := range chunks {
//		hits[i] = 0
//		for j, h := range hashes[64*i:64*i+64] {
//			if hasSplitGeneric(blocks, h) { hits[i] |= 1<<j }
//		}
//	}
//
// It reads 512·chunks bytes at hashes and the 32 of a block for each hash, and
// writes 8·chunks at hits.
//
// Round i tests hashes 2i and 2i+1 of each quarter of the chunk. V27 gathers the
// answers: lane q has those of quarter q, each entering at the top. After eight
// rounds the upper 16 bits of each lane are the answers in their order.
//
// A round is 128 instructions, 16 a hash, and 40 more if it asks for blocks.
TEXT ·probeSplitBlocks128(SB), NOSPLIT, $0-48
	LOAD
	MOVD hits+40(FP), R5
	CBZ  R2, chunk
	MOVD R3, R11
	MOVD $8, R6

first:
	ASK(0, 128, PLDL1KEEP)
	ADD  $16, R3
	SUB  $1, R6
	CBNZ R6, first
	MOVD R11, R3

chunk:
	CMP  $1, R4
	CSEL EQ, ZR, R2, R2 // behind the last chunk there is nothing to ask for
	MOVD $8, R6

round:
	CBZ R2, test
	ASK(512, 128, PLDL1KEEP)

test:
	TEST(0, V16, V20)
	TEST(128, V17, V21)
	TEST(256, V18, V22)
	TEST(384, V19, V23)
	UMINP_4S(17, 16, 16)
	UMINP_4S(19, 18, 18)
	UMINP_4S(21, 20, 20)
	UMINP_4S(23, 22, 22)
	UMINP_4S(18, 16, 16) // lane q: the first hash of quarter q
	VSRI $1, V27.S4, V16.S4
	UMINP_4S(22, 20, 27) // the second
	VSRI $1, V16.S4, V27.S4
	ADD  $16, R3
	SUB  $1, R6
	CBNZ R6, round

	VUZP2   V27.H8, V27.H8, V27.H8
	FMOVD.P F27, 8(R5)
	ADD     $(512-128), R3
	SUB     $1, R4
	CBNZ    R4, chunk
	RET

// RMW sets the bits of x0 and x1 in the block at r. It reads and writes 32 bytes
// there.
#define RMW(r, x0, x1) \
	FLDPQ (r), (F0, F1);          \
	VORR  x0.B16, V0.B16, V0.B16; \
	VORR  x1.B16, V1.B16, V1.B16; \
	FSTPQ (F0, F1), (r)

// SET adds the two hashes at from, of which it reads 16 bytes. Two hashes may have
// one block: the first is stored before the second is loaded.
#define SET(from) \
	ADDRESS(from, R7);   \
	ADDRESS(from+8, R8); \
	PATTERNS(from);      \
	RMW(R7, V4, V5);     \
	RMW(R8, V6, V7)

// func addSplitBlocks128(blocks *byte, count, ahead uint64, hashes *uint64, chunks uint64)
//
//	for _, h := range hashes[:64*chunks] { AddSplit(blocks, h) }
//
// It reads 512·chunks bytes at hashes, and reads and writes the 32 of a block for
// each hash. A round is 120 instructions, 15 a hash, and 40 more if it asks for
// blocks.
TEXT ·addSplitBlocks128(SB), NOSPLIT, $0-40
	LOAD
	CBZ  R2, chunk
	MOVD R3, R11
	MOVD $8, R6

first:
	ASK(0, 16, PSTL1KEEP)
	ADD  $64, R3
	SUB  $1, R6
	CBNZ R6, first
	MOVD R11, R3

chunk:
	CMP  $1, R4
	CSEL EQ, ZR, R2, R2 // behind the last chunk there is nothing to ask for
	MOVD $8, R6

round:
	CBZ R2, set
	ASK(512, 16, PSTL1KEEP)

set:
	SET(0)
	SET(16)
	SET(32)
	SET(48)
	ADD  $64, R3
	SUB  $1, R6
	CBNZ R6, round

	SUB  $1, R4
	CBNZ R4, chunk
	RET
