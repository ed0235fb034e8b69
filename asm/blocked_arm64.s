//go:build !purego

#include "textflag.h"

// Both kernels take a chunk of 64 hashes in eight rounds of eight, two by two. If
// ahead is not 0, a round first asks for the lines of the hashes 64 further on,
// those of the same round of the next chunk; before the first chunk, its own are
// asked for. The address of a line is computed again when its turn comes.
//
// Of a pair of hashes, the eight fields of the first are held in bytes 0 to 7 of
// a register, those of the second in bytes 8 to 15: field f as f<<2. So a second bit, counted around the end of its word,
// is a sum that wraps around at the end of its byte.

// What Go's assembler has no name for. Arguments are register numbers, in Go's
// order: the destination last.

// USHL Vd.2D, Vn.2D, Vm.2D: Vn << int8(Vm), a shift to the right if negative
#define USHL_2D(m, n, d) WORD $(0x6ee04400 | (m)<<16 | (n)<<5 | (d))

// UMINP Vd.16B, Vn.16B, Vm.16B: the lesser of each two neighbours, those of Vn first
#define UMINP_16B(m, n, d) WORD $(0x6e20ac00 | (m)<<16 | (n)<<5 | (d))

// Where each word begins in its line.
DATA wordBytes<>+0x00(SB)/8, $0x3830282018100800
DATA wordBytes<>+0x08(SB)/8, $0x3830282018100800
GLOBL wordBytes<>(SB), RODATA|NOPTR, $16

// Byte 4i is 1<<i.
DATA bitOf<>+0x00(SB)/8, $0x0000000200000001
DATA bitOf<>+0x08(SB)/8, $0x0000000800000004
DATA bitOf<>+0x10(SB)/8, $0x0000002000000010
DATA bitOf<>+0x18(SB)/8, $0x0000008000000040
GLOBL bitOf<>(SB), RODATA|NOPTR, $32

// Word numbers plus 8, for two lines.
DATA ringEnd<>+0x00(SB)/8, $0x0f0e0d0c0b0a0908
DATA ringEnd<>+0x08(SB)/8, $0x0f0e0d0c0b0a0908
GLOBL ringEnd<>(SB), RODATA|NOPTR, $16

// To bytes 0 and 8 of a register, bytes 0 and 1, 2 and 3, … of another. What comes
// to its other bytes does not matter.
DATA spread<>+0x00(SB)/8, $0
DATA spread<>+0x08(SB)/8, $1
DATA spread<>+0x10(SB)/8, $2
DATA spread<>+0x18(SB)/8, $3
DATA spread<>+0x20(SB)/8, $4
DATA spread<>+0x28(SB)/8, $5
DATA spread<>+0x30(SB)/8, $6
DATA spread<>+0x38(SB)/8, $7
DATA spread<>+0x40(SB)/8, $8
DATA spread<>+0x48(SB)/8, $9
DATA spread<>+0x50(SB)/8, $10
DATA spread<>+0x58(SB)/8, $11
DATA spread<>+0x60(SB)/8, $12
DATA spread<>+0x68(SB)/8, $13
DATA spread<>+0x70(SB)/8, $14
DATA spread<>+0x78(SB)/8, $15
GLOBL spread<>(SB), RODATA|NOPTR, $128

// The registers of both kernels.
//
//	R0        lines
//	R1        their number
//	R2        not 0 while there are lines to ask for
//	R3        the next hash
//	R4        chunks to go
//	R5        where the next word of answers goes
//	R6        rounds to go in this chunk
//	R7, R8    lineFactor, line2Factor
//	R9, R10   two hashes, then their first words
//	R11, R12  the addresses of their lines
//	R13, R14  their products
//	R15       k
//	R16       scratch
//	R17       the next hash of which to ask for the line
//	V19       ringEnd
//	V20       byte i is 0 if i%8 is less than k, or k-8 if k > 8; else 255
//	V22       for k > 8: 4 in each byte

#define CONSTANT(name, f) \
	MOVD  $name<>(SB), R16; \
	FMOVQ (R16), f

#define LOAD \
	MOVD  lines+0(FP), R0;         \
	MOVD  count+8(FP), R1;         \
	MOVD  k+16(FP), R15;           \
	MOVD  ahead+24(FP), R2;        \
	MOVD  hashes+32(FP), R3;       \
	MOVD  chunks+40(FP), R4;       \
	MOVD  $0xd1342543de82ef95, R7; \
	MOVD  $0xaf251af3b0f025b5, R8; \
	CONSTANT(ringEnd, F19);        \
	SUB   $8, R15, R6;             \
	CMP   $8, R15;                 \
	CSEL  LS, R15, R6, R6;         \
	LSL   $2, R6, R6;              \ // 8 ones for each word, in two shifts: they may be 64
	MOVD  $-1, R9;                 \
	LSL   R6, R9, R9;              \
	LSL   R6, R9, R9;              \
	VDUP  R9, V20.D2;              \
	VMOVI $4, V22.B16

// ADDRESS is r = &lines[64 * mulhi(h, count)] for the hash in h.
#define ADDRESS(h, r) \
	UMULH R1, h, r; \
	ADD   r<<6, R0, r

// ASK asks for the lines of the four pairs of hashes at p, p+step, …
#define ASK_PAIR(p, at, how) \
	LDP  at(p), (R9, R10); \
	ADDRESS(R9, R11);      \
	ADDRESS(R10, R12);     \
	PRFM (R11), how;       \
	PRFM (R12), how

#define ASK(p, step, how) \
	ASK_PAIR(p, 0, how);      \
	ASK_PAIR(p, step, how);   \
	ASK_PAIR(p, 2*step, how); \
	ASK_PAIR(p, 3*step, how)

// FIELDS has in d, also called fd, the fields of the products in x and y.
#define FIELDS(x, y, fd, d) \
	FMOVD x, fd;             \
	VMOV  y, d.D[1];         \
	VSHL  $2, d.B16, d.B16

// PAIR loads the two hashes at from, 16 bytes, and has them in R9 and R10, the
// addresses of their lines in R11 and R12, and the fields of their first products
// in V10. It writes R13 and R14.
#define PAIR(from) \
	LDP from(R3), (R9, R10); \
	ADDRESS(R9, R11);        \
	ADDRESS(R10, R12);       \
	MUL R7, R9, R13;         \
	MUL R7, R10, R14;        \
	FIELDS(R13, R14, F10, V10)

// PAIR2 is PAIR that also has in V12 the fields of the second bits:
// (f + max(distance, 1)) & 63. It writes V11 too.
#define PAIR2(from) \
	PAIR(from);                      \
	MUL   R8, R9, R13;               \
	MUL   R8, R10, R14;              \
	ROR   $32, R13, R13;             \
	ROR   $32, R14, R14;             \
	FIELDS(R13, R14, F12, V12);      \
	VUMAX V22.B16, V12.B16, V12.B16; \
	VADD  V10.B16, V12.B16, V12.B16

// OUTSIDE has in d 255 for each word that the hash in R9 or R10 does not use, or
// not twice, else 0. Word w is used if (w - first)&7 < k. It writes R9, R10 and
// V15.
#define OUTSIDE(d) \
	MUL  R1, R9, R9;            \
	MUL  R1, R10, R10;          \
	LSR  $61, R9, R9;           \
	LSR  $61, R10, R10;         \
	VDUP R9, d.B16;             \
	VDUP R10, V15.B16;          \
	VMOV V15.D[0], d.D[1];      \
	VSUB d.B16, V19.B16, d.B16; \
	VTBL d.B16, [V20.B16], d.B16

// What else the probe has in registers.
//
//	V0-V3, V4-V7  the lines of a pair
//	V13           28 in each byte
//	V23           wordBytes
//	V24, V25      bitOf
//	V26           255 in each byte
//	V27           the answers so far
//	V28-V31       answers of the pairs of a round

// LINES loads the lines of a pair, 64 bytes each.
#define LINES \
	VLD1 (R11), [V0.B16, V1.B16, V2.B16, V3.B16]; \
	VLD1 (R12), [V4.B16, V5.B16, V6.B16, V7.B16]

// LOOK has in d 255 for each of the fields in f whose bit is set in its word of
// the lines, else 0. Both bytes 8w + f>>3 come by one look-up in a line, bit
// 1<<(f&7) by another. It writes f, V11 and V15.
#define LOOK(f, d) \
	VUSHR  $5, f.B16, V11.B16;                                 \
	VADD   V23.B16, V11.B16, V11.B16;                          \
	VAND   V13.B16, f.B16, f.B16;                              \
	VTBL   f.B16, [V24.B16, V25.B16], f.B16;                   \
	VTBL   V11.B16, [V0.B16, V1.B16, V2.B16, V3.B16], d.B16;   \
	VTBL   V11.B16, [V4.B16, V5.B16, V6.B16, V7.B16], V15.B16; \
	VMOV   V15.D[1], d.D[1];                                   \
	VCMTST f.B16, d.B16, d.B16

// The tests of a pair, for k = 8, less, more: in d, 255 in each of its eight
// bytes if the answer is yes.
#define TEST_EQUAL(from, d) \
	PAIR(from); \
	LINES;      \
	LOOK(V10, d)

#define TEST_LESS(from, d) \
	PAIR(from);   \
	LINES;        \
	LOOK(V10, d); \
	OUTSIDE(V11); \
	VORR V11.B16, d.B16, d.B16

#define TEST_MORE(from, d) \
	PAIR2(from);                    \
	LINES;                          \
	LOOK(V12, V14);                 \
	LOOK(V10, d);                   \
	OUTSIDE(V11);                   \
	VORR V11.B16, V14.B16, V14.B16; \
	VAND V14.B16, d.B16, d.B16

// ROUND tests the pairs at 0, 128, 256 and 384 and lets the answers enter V27 at
// the top, two bits each.
#define ROUND(test) \
	test(0, V28);                 \
	test(128, V29);               \
	test(256, V30);               \
	test(384, V31);               \
	UMINP_16B(29, 28, 28);        \
	UMINP_16B(31, 30, 30);        \
	UMINP_16B(30, 28, 28);        \ // 2 bytes for each hash
	VCMEQ V26.H8, V28.H8, V28.H8; \
	VSRI  $2, V27.H8, V28.H8;     \
	VORR  V28.B16, V28.B16, V27.B16

#define NEXT(label) \
	ADD  $16, R3;  \
	ADD  $16, R17; \
	SUB  $1, R6;   \
	CBNZ R6, label

// func probeBlockedLines128(lines *byte, count, k, ahead uint64, hashes *uint64, chunks uint64, hits *uint64)
//
//	for i := range chunks {
//		hits[i] = 0
//		for j, h := range hashes[64*i:64*i+64] {
//			if hasBlockedGeneric(lines, k, h) { hits[i] |= 1<<j }
//		}
//	}
//
// It reads 512·chunks bytes at hashes and the 64 of a line for each hash, and
// writes 8·chunks at hits.
//
// Round i tests hashes 2i and 2i+1 of each quarter of the chunk. Lanes 2q and 2q+1
// of V27 have the answers of the first and of the second in quarter q, each two
// bits wide, so that the even bits of the one and the odd bits of the other are
// the answers in their order.
//
// A round of eight hashes is 91 instructions for k = 8, 131 for less, 203 for
// more, and 28 more if it asks for lines.
TEXT ·probeBlockedLines128(SB), NOSPLIT, $0-56
	LOAD
	MOVD  hits+48(FP), R5
	MOVD  $wordBytes<>(SB), R16
	FMOVQ (R16), F23
	MOVD  $bitOf<>(SB), R16
	FLDPQ (R16), (F24, F25)
	VMOVI $255, V26.B16
	VMOVI $28, V13.B16
	CBZ   R2, chunk
	MOVD  R3, R17
	MOVD  $8, R6

first:
	ASK(R17, 128, PLDL1KEEP)
	ADD  $16, R17
	SUB  $1, R6
	CBNZ R6, first

chunk:
	CMP  $1, R4
	CSEL EQ, ZR, R2, R2 // behind the last chunk there is nothing to ask for
	ADD  $512, R3, R17  // the hashes to ask for
	MOVD $8, R6
	CMP  $8, R15
	BLO  less
	BHI  more

equal:
	CBZ R2, equalNear
	ASK(R17, 128, PLDL1KEEP)

equalNear:
	ROUND(TEST_EQUAL)
	NEXT(equal)
	JMP done

less:
	CBZ R2, lessNear
	ASK(R17, 128, PLDL1KEEP)

lessNear:
	ROUND(TEST_LESS)
	NEXT(less)
	JMP done

more:
	CBZ R2, moreNear
	ASK(R17, 128, PLDL1KEEP)

moreNear:
	ROUND(TEST_MORE)
	NEXT(more)

done:
	// the even bits of lanes 2q, the odd ones of lanes 2q+1
	VUZP1   V27.H8, V27.H8, V0.H8
	VUZP2   V27.H8, V27.H8, V1.H8
	VMOVI   $0x55, V2.B16
	VBSL    V1.B16, V0.B16, V2.B16
	FMOVD.P F2, 8(R5)
	ADD     $(512-128), R3
	SUB     $1, R4
	CBNZ    R4, chunk
	RET

// What else the insert has in registers.
//
//	V0-V3    a line
//	V4-V7    the bits to set in it
//	V13      1 in each lane of 64 bits
//	V23-V26  spread, for the first of a pair
//	V27-V30  spread, for the second

// BITS has in d, whose number is dn, 1<<f for two words of a line: those of which
// spread brings the fields from f, where they are f and no longer f<<2. Of a 255,
// a shift by -1, it makes 1>>1: no bit.
#define BITS(f, spread, d, dn) \
	VTBL spread.B16, [f.B16], d.B16; \
	USHL_2D(dn, 13, dn)

#define PATTERN(f, s0, s1, s2, s3) \
	BITS(f, s0, V4, 4); \
	BITS(f, s1, V5, 5); \
	BITS(f, s2, V6, 6); \
	BITS(f, s3, V7, 7)

// BITS2 is BITS that adds to those in d. It writes V14.
#define BITS2(f, spread, d) \
	VTBL spread.B16, [f.B16], V14.B16; \
	USHL_2D(14, 13, 14);               \
	VORR V14.B16, d.B16, d.B16

#define PATTERN2(f, s0, s1, s2, s3) \
	BITS2(f, s0, V4); \
	BITS2(f, s1, V5); \
	BITS2(f, s2, V6); \
	BITS2(f, s3, V7)

// RMW sets the bits of V4 to V7 in the line at r. It reads and writes 64 bytes
// there.
#define RMW(r) \
	VLD1 (r), [V0.B16, V1.B16, V2.B16, V3.B16]; \
	VORR V4.B16, V0.B16, V0.B16;                \
	VORR V5.B16, V1.B16, V1.B16;                \
	VORR V6.B16, V2.B16, V2.B16;                \
	VORR V7.B16, V3.B16, V3.B16;                \
	VST1 [V0.B16, V1.B16, V2.B16, V3.B16], (r)

// The ways to add a pair, for k ≤ 8 and for more. Two hashes may have one line: the
// first is stored before the second is loaded.
#define SET(from) \
	PAIR(from);                       \
	OUTSIDE(V11);                     \
	VUSHR $2, V10.B16, V10.B16;       \
	VORR  V11.B16, V10.B16, V10.B16;  \
	PATTERN(V10, V23, V24, V25, V26); \
	RMW(R11);                         \
	PATTERN(V10, V27, V28, V29, V30); \
	RMW(R12)

#define SET_MORE(from) \
	PAIR2(from);                       \
	OUTSIDE(V11);                      \
	VUSHR $2, V10.B16, V10.B16;        \
	VUSHR $2, V12.B16, V12.B16;        \
	VORR  V11.B16, V12.B16, V12.B16;   \
	PATTERN(V10, V23, V24, V25, V26);  \
	PATTERN2(V12, V23, V24, V25, V26); \
	RMW(R11);                          \
	PATTERN(V10, V27, V28, V29, V30);  \
	PATTERN2(V12, V27, V28, V29, V30); \
	RMW(R12)

#define NEXT_SET(label) \
	ADD  $64, R3;  \
	ADD  $64, R17; \
	SUB  $1, R6;   \
	CBNZ R6, label

// func addBlockedLines128(lines *byte, count, k, ahead uint64, hashes *uint64, chunks uint64)
//
//	for _, h := range hashes[:64*chunks] { AddBlocked(lines, k, h) }
//
// It reads 512·chunks bytes at hashes, and reads and writes the 64 of a line for
// each hash. A round of eight hashes is 201 instructions for k up to 8, 337 for
// more, and 28 more if it asks for lines.
TEXT ·addBlockedLines128(SB), NOSPLIT, $0-48
	LOAD
	MOVD   $spread<>(SB), R16
	VLD1.P 64(R16), [V23.B16, V24.B16, V25.B16, V26.B16]
	VLD1   (R16), [V27.B16, V28.B16, V29.B16, V30.B16]
	MOVD   $1, R16
	VDUP   R16, V13.D2
	CBZ    R2, chunk
	MOVD   R3, R17
	MOVD   $8, R6

first:
	ASK(R17, 16, PSTL1KEEP)
	ADD  $64, R17
	SUB  $1, R6
	CBNZ R6, first

chunk:
	CMP  $1, R4
	CSEL EQ, ZR, R2, R2 // behind the last chunk there is nothing to ask for
	ADD  $512, R3, R17  // the hashes to ask for
	MOVD $8, R6
	CMP  $8, R15
	BHI  more

upTo8:
	CBZ R2, upTo8Near
	ASK(R17, 16, PSTL1KEEP)

upTo8Near:
	SET(0)
	SET(16)
	SET(32)
	SET(48)
	NEXT_SET(upTo8)
	JMP done

more:
	CBZ R2, moreNear
	ASK(R17, 16, PSTL1KEEP)

moreNear:
	SET_MORE(0)
	SET_MORE(16)
	SET_MORE(32)
	SET_MORE(48)
	NEXT_SET(more)

done:
	SUB  $1, R4
	CBNZ R4, chunk
	RET
