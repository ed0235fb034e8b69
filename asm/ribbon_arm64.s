//go:build !purego

#include "textflag.h"

// Both kernels prepare a chunk of 64 hashes in a buffer, as if all of it were in the
// first layer, put right there what is bumped, and if ahead is not 0 ask for all
// memory; then they work on the chunk before, which is in another buffer.

// What Go's assembler has no name for. Arguments are register numbers, in Go's
// order: the destination last.

// LDR Qd, [Xn, Xm]
#define LDR_Q(m, n, d) WORD $(0x3ce06800 | (m)<<16 | (n)<<5 | (d))

// UMULL Vd.2D, Vn.2S, Vm.S[i], and UMULL2 for the upper half of Vn
#define UMULL_S0(m, n, d) WORD $(0x2f80a000 | (m)<<16 | (n)<<5 | (d))
#define UMULL_S2(m, n, d) WORD $(0x2f80a800 | (m)<<16 | (n)<<5 | (d))
#define UMULL2_S0(m, n, d) WORD $(0x6f80a000 | (m)<<16 | (n)<<5 | (d))
#define UMULL2_S2(m, n, d) WORD $(0x6f80a800 | (m)<<16 | (n)<<5 | (d))

// MUL and MLA Vd.4S, Vn.4S, Vm.S[i]
#define MUL_S0(m, n, d) WORD $(0x4f808000 | (m)<<16 | (n)<<5 | (d))
#define MUL_S1(m, n, d) WORD $(0x4fa08000 | (m)<<16 | (n)<<5 | (d))
#define MLA_S0(m, n, d) WORD $(0x6f800000 | (m)<<16 | (n)<<5 | (d))
#define MLA_S2(m, n, d) WORD $(0x6f800800 | (m)<<16 | (n)<<5 | (d))
#define MLA_S3(m, n, d) WORD $(0x6fa00800 | (m)<<16 | (n)<<5 | (d))

// SHLL and SHLL2 Vd.2D, Vn.2S or Vn.4S, #32
#define SHLL(n, d) WORD $(0x2ea13800 | (n)<<5 | (d))
#define SHLL2(n, d) WORD $(0x6ea13800 | (n)<<5 | (d))

// USHL Vd.2D, Vn.2D, Vm.2D: Vn << int8(Vm), a shift to the right if negative
#define USHL_2D(m, n, d) WORD $(0x6ee04400 | (m)<<16 | (n)<<5 | (d))
#define USHL_4S(m, n, d) WORD $(0x6ea04400 | (m)<<16 | (n)<<5 | (d))

// CMHI Vd, Vn, Vm: Vn > Vm
#define CMHI_16B(m, n, d) WORD $(0x6e203400 | (m)<<16 | (n)<<5 | (d))
#define CMHI_4S(m, n, d) WORD $(0x6ea03400 | (m)<<16 | (n)<<5 | (d))

// SHRN and SHRN2 Vd.8B or Vd.16B, Vn.8H, #1
#define SHRN1(n, d) WORD $(0x0f0f8400 | (n)<<5 | (d))
#define SHRN1_2(n, d) WORD $(0x4f0f8400 | (n)<<5 | (d))

// BIC Vd.16B, Vn.16B, Vm.16B: Vn &^ Vm
#define BIC(m, n, d) WORD $(0x4e601c00 | (m)<<16 | (n)<<5 | (d))

// The multipliers of ribbon.go; where in a byte of thresholds each of them lies; a
// bit for each of eight bytes.
DATA ribbonConstants<>+0x00(SB)/8, $0xd1342543de82ef95
DATA ribbonConstants<>+0x08(SB)/8, $0xaf251af3b0f025b5
DATA ribbonConstants<>+0x10(SB)/8, $0xc0300c03
DATA ribbonConstants<>+0x18(SB)/8, $0
DATA ribbonConstants<>+0x20(SB)/8, $0x8040201008040201
DATA ribbonConstants<>+0x28(SB)/8, $0x8040201008040201
GLOBL ribbonConstants<>(SB), RODATA|NOPTR, $48

// Byte i is i/8; the bits of the columns of a tile; number i times 4.
DATA ribbonBytes<>+0x00(SB)/8, $0
DATA ribbonBytes<>+0x08(SB)/8, $0x0101010101010101
DATA ribbonBytes<>+0x10(SB)/8, $0x0102040810204080
DATA ribbonBytes<>+0x18(SB)/8, $0x0102040810204080
DATA ribbonBytes<>+0x20(SB)/8, $0x1c1814100c080400
DATA ribbonBytes<>+0x28(SB)/8, $0x3c3834302c282420
GLOBL ribbonBytes<>(SB), RODATA|NOPTR, $48

// The bits of the columns that a group of n, 1 to 8, is read as: pair i of them is
// columns 2i and 2i+1, but begins at n-2 at most. Those that come again have none.
// Up to four columns, it is so for two hashes.
DATA columnBits<>+0x00(SB)/8, $0x0000010000000100
DATA columnBits<>+0x08(SB)/8, $0x0000020100000201
DATA columnBits<>+0x10(SB)/8, $0x0400020104000201
DATA columnBits<>+0x18(SB)/8, $0x0804020108040201
DATA columnBits<>+0x20(SB)/8, $0x0000100008040201
DATA columnBits<>+0x28(SB)/8, $0x0000201008040201
DATA columnBits<>+0x30(SB)/8, $0x4000201008040201
DATA columnBits<>+0x38(SB)/8, $0x8040201008040201
GLOBL columnBits<>(SB), RODATA|NOPTR, $64

// The fields of ribbonPart.
#define partSolution 0
#define partStarts 8
#define partThresholds 16
#define partShift 24
#define partAdd 32
#define partNarrow 40
#define partSize 64

// The registers of both kernels.
//
//	R0        parts
//	R1        columns
//	R2        whether to ask for memory
//	R3        the next hash to prepare
//	R4        chunks to prepare
//	R5        where the next word of answers goes
//	R6        which hashes are bumped, then the answers
//	R7        the buffer to prepare a chunk in
//	R8        the one to work on
//	R19       0 until there is one to work on
//	R20-R22   where in a buffer
//	R23       rounds to go
//	R24       thresholds
//	R9-R17    scratch
//
// In preparing:
//
//	V16-V19   16 starts, V20-V23 and fingerprints
//	V24       the multipliers
//	V25       the number of starts
//	V26       the solution
//	V27       1
//	V28       -shift
//	V29       7 or 63
//	V30, V31  narrow, columns
//	V6-V12    constants of BUMPED
//	V15       64
//	V0-V5, V13, V14 scratch

#define LOAD_PREPARING \
	MOVD  $ribbonConstants<>(SB), R9;   \
	FMOVQ (R9), F24;                    \
	FMOVQ 16(R9), F6;                   \
	FMOVQ 32(R9), F12;                  \
	MOVD  partStarts(R0), R10;          \
	VDUP  R10, V25.S4;                  \
	MOVD  partSolution(R0), R10;        \
	VDUP  R10, V26.D2;                  \
	MOVD  partThresholds(R0), R24;      \
	MOVD  partShift(R0), R10;           \
	NEG   R10, R10;                     \
	VDUP  R10, V28.S4;                  \
	VMOVI $1, V27.B16;                  \
	VUSHR $56, V27.D2, V27.D2;          \
	VMOVI $63, V7.B16;                  \
	VMOVI $9, V8.B16;                   \
	VMOVI $19, V9.B16;                  \
	VMOVI $0x55, V10.B16;               \
	VMOVI $0xaa, V11.B16

// ROWS has for the four hashes at R3, 32 bytes, their starts in s, also called vs,
// their fingerprints in r, vr, and their coefficients in V2 and V3:
//
//	s = (hi*starts + lo*starts>>32) >> 32, where h = hi<<32 + lo
//	r = uint32(h * rowFactor >> 32)
//	V2, V3 = h*coefficientFactor | 1
#define ROWS(s, vs, r, vr) \
	VLD2.P 32(R3), [V0.S4, V1.S4];   \
	UMULL_S0(25, 0, 2);              \
	UMULL2_S0(25, 0, 3);             \
	UMULL_S0(25, 1, 4);              \
	UMULL2_S0(25, 1, 5);             \
	VUSRA  $32, V2.D2, V4.D2;        \
	VUSRA  $32, V3.D2, V5.D2;        \
	VUZP2  V5.S4, V4.S4, vs.S4;      \
	UMULL_S2(24, 0, 2);              \
	UMULL2_S2(24, 0, 3);             \
	VUZP2  V3.S4, V2.S4, vr.S4;      \
	MLA_S3(24, 0, r);                \
	MLA_S2(24, 1, r);                \
	UMULL_S0(24, 0, 2);              \
	UMULL2_S0(24, 0, 3);             \
	MUL_S1(24, 0, 4);                \
	MLA_S0(24, 1, 4);                \
	SHLL(4, 5);                      \
	SHLL2(4, 4);                     \
	VADD   V5.D2, V2.D2, V2.D2;      \
	VADD   V4.D2, V3.D2, V3.D2;      \
	VORR   V27.B16, V2.B16, V2.B16;  \
	VORR   V27.B16, V3.B16, V3.B16

// CODES puts the bytes of thresholds of four starts into codes, from a bit on.
#define CODES(s, codes, bit) \
	USHL_4S(28, s, 4);               \
	VMOV  V4.S[0], R9;               \
	VMOV  V4.S[1], R10;              \
	VMOV  V4.S[2], R11;              \
	VMOV  V4.S[3], R12;              \
	MOVBU (R24)(R9), R9;             \
	MOVBU (R24)(R10), R10;           \
	MOVBU (R24)(R11), R11;           \
	MOVBU (R24)(R12), R12;           \
	ORR   R9<<(bit), codes, codes;   \
	ORR   R10<<(bit+8), codes, codes;  \
	ORR   R11<<(bit+16), codes, codes; \
	ORR   R12<<(bit+24), codes, codes

// PACK has in to a bit for each byte of d, which are 0 or 255; bits has 1<<(i%8) in
// byte i.
#define PACK(d, bits, to) \
	VAND  bits.B16, d.B16, d.B16; \
	VADDP d.B16, d.B16, d.B16;    \
	VADDP d.B16, d.B16, d.B16;    \
	VADDP d.B16, d.B16, d.B16;    \
	VMOV  d.H[0], to

// ENTER lets 16 bits enter R6 at the top.
#define ENTER(bits) \
	LSR $16, R6, R6; \
	ORR bits<<48, R6, R6

// BUMPED finds out which of 16 hashes are bumped. The thresholds of four buckets are
// a byte, and are even: so bits 1 to 8 of a start decide, the upper two which of
// the four it is, the others whether it is above the class, 0 to 2, of the offset.
#define BUMPED \
	FMOVD  R13, F5;                            \
	VMOV   R14, V5.D[1];                       \
	VUZP1  V17.H8, V16.H8, V0.H8;              \
	VUZP1  V19.H8, V18.H8, V1.H8;              \
	SHRN1(0, 2);                               \
	SHRN1_2(1, 2);                             \
	VUSHR  $6, V2.B16, V3.B16;                 \
	VTBL   V3.B16, [V6.B16], V3.B16;           \ // where it lies
	VAND   V7.B16, V2.B16, V2.B16;             \ // half of the offset
	CMHI_16B(2, 9, 4);                         \
	VBSL   V11.B16, V10.B16, V4.B16;           \
	CMHI_16B(2, 8, 1);                         \
	BIC(1, 4, 4);                              \
	VAND   V3.B16, V4.B16, V4.B16;             \
	VAND   V3.B16, V5.B16, V5.B16;             \
	CMHI_16B(4, 5, 4);                         \
	PACK(V4, V12, R9);                         \
	ENTER(R9)

// NEXT_BUMPED takes one bit from R6: R9 becomes the number of a hash and R10 the hash.
#define NEXT_BUMPED \
	RBIT R6, R9;             \
	CLZ  R9, R9;             \
	SUB  $1, R6, R10;        \
	AND  R10, R6, R6;        \
	ADD  R9<<3, R3, R10;     \
	MOVD -512(R10), R10;     \
	MOVD R0, R12;            \
	MOVD $0xd1342543de82ef95, R20; \
	MOVD $0xaf251af3b0f025b5, R21; \
	MOVD $0x80261200, R22

// DOWN goes to the next layer, R12, and rehashes; R11 is where R10 starts there. The
// carry is clear if it is bumped again.
#define DOWN \
	ADD   $partSize, R12;             \
	MOVD  partAdd(R12), R11;          \
	ADD   R11, R10;                   \
	EOR   R10>>32, R10, R10;          \
	MUL   R20, R10, R10;              \
	EOR   R10>>29, R10, R10;          \
	MUL   R21, R10, R10;              \
	EOR   R10>>32, R10, R10;          \
	LDP   partStarts(R12), (R13, R14); \
	MOVD  partShift(R12), R15;        \
	UMULH R13, R10, R11;              \
	LSR   R15, R11, R16;              \
	MOVBU (R14)(R16), R16;            \
	UBFX  $7, R11, $2, R17;           \
	LSL   $1, R17, R17;               \
	LSR   R17, R16, R16;              \
	UBFIZ $3, R16, $2, R16;           \
	LSR   R16, R22, R16;              \ // RibbonThreshold[code]
	AND   $0xff, R16, R16;            \
	AND   $127, R11, R17;             \
	CMP   R16, R17

// The buffer of a chunk of a layer stored in tiles: the address of the first of the
// eight tiles of each hash, its coefficients from there on, its fingerprint.
#define tilesAt 0
#define tilesCoefficients 512
#define tilesRow 1024
#define tilesBytes 1088

// TILES prepares the four hashes at R3 and stores at from of the buffer's arrays.
#define TILES(s, vs, r, vr, from) \
	ROWS(s, vs, r, vr);                \
	VAND    V29.B16, vs.B16, V4.B16;   \
	VEOR    V4.B16, vs.B16, V13.B16;   \ // its first tile
	VUSHLL  $0, V4.S2, V5.D2;          \
	VUSHLL2 $0, V4.S4, V4.D2;          \
	USHL_2D(5, 2, 2);                  \
	USHL_2D(4, 3, 3);                  \
	FSTPQ   (F2, F3), (tilesCoefficients+from)(R20); \
	VUADDW  V13.S2, V26.D2, V2.D2;     \
	VUADDW2 V13.S4, V26.D2, V3.D2;     \
	FSTPQ   (F2, F3), (tilesAt+from)(R20)

// SUM has in d what the tiles at p add up to for the coefficients in V0, of which
// the indexes i0 to i3 pick two bytes each: two sums to be added. It reads 64 bytes.
#define SUM(p, i0, i1, i2, i3, d) \
	FLDPQ (p), (F1, F2);              \
	FLDPQ 32(p), (F3, F4);            \
	VTBL  i0.B16, [V0.B16], d.B16;    \
	VTBL  i1.B16, [V0.B16], V5.B16;   \
	VTBL  i2.B16, [V0.B16], V6.B16;   \
	VTBL  i3.B16, [V0.B16], V7.B16;   \
	VAND  V1.B16, d.B16, d.B16;       \
	VAND  V2.B16, V5.B16, V5.B16;     \
	VAND  V3.B16, V6.B16, V6.B16;     \
	VAND  V4.B16, V7.B16, V7.B16;     \
	VEOR  V5.B16, d.B16, d.B16;       \
	VEOR  V7.B16, V6.B16, V6.B16;     \
	VEOR  V6.B16, d.B16, d.B16

// PARITY has in d the bits of bits whose bytes of d have an odd number of bits.
#define PARITY(d, bits) \
	VCMTST V23.B16, d.B16, d.B16; \
	VAND   bits.B16, d.B16, d.B16

// TILES_PAIR has in d the bits of the sums of two hashes, of which the arrays from
// R20 on are at from.
#define TILES_PAIR(from, d) \
	LDP   (tilesAt+from)(R20), (R9, R10);        \
	FMOVQ (tilesCoefficients+from)(R20), F0;     \
	SUM(R9, V24, V25, V26, V27, V16);            \
	SUM(R10, V28, V29, V30, V31, V17);           \
	VZIP1 V17.D2, V16.D2, d.D2;                  \
	VZIP2 V17.D2, V16.D2, V16.D2;                \
	VEOR  V16.B16, d.B16, d.B16;                 \
	VCNT  d.B16, d.B16;                          \
	PARITY(d, V22)

// ADD4, then ADD3 adds neighbours of the bytes of V8 to V15 until they are 16, in V8;
// after ADD4 they are in V8, V10, V12 and V14.
#define ADD4 \
	VADDP V9.B16, V8.B16, V8.B16;    \
	VADDP V11.B16, V10.B16, V10.B16; \
	VADDP V13.B16, V12.B16, V12.B16; \
	VADDP V15.B16, V14.B16, V14.B16

#define ADD3 \
	VADDP V10.B16, V8.B16, V8.B16;   \
	VADDP V14.B16, V12.B16, V12.B16; \
	VADDP V12.B16, V8.B16, V8.B16

// func probeRibbonTiles128(parts *byte, ahead uint64, hashes *uint64, chunks uint64, hits *uint64)
//
//	for i := range chunks {
//		hits[i] = 0
//		for j, h := range hashes[64*i:64*i+64] {
//			if hasRibbonGeneric(r, h) { hits[i] |= 1<<j }
//		}
//	}
//
// It reads 512·chunks bytes at hashes, and for each hash the 64 of eight tiles and a
// byte of thresholds or, if it is bumped, one in each layer down to its own; it
// writes 8·chunks at hits.
//
// A hash is 14 instructions to prepare and 19 to test, 55 more if it is bumped to the
// second layer, and 3 if memory is asked for.
TEXT ·probeRibbonTiles128(SB), 0, $2176-40
	MOVD parts+0(FP), R0
	MOVD ahead+8(FP), R2
	MOVD hashes+16(FP), R3
	MOVD chunks+24(FP), R4
	MOVD hits+32(FP), R5
	MOVD $buffers-2176(SP), R7
	ADD  $tilesBytes, R7, R8
	MOVD $0, R19

turn:
	CBZ R4, work
	LOAD_PREPARING
	VMOVI $7, V29.B16
	VUSHR $24, V29.S4, V29.S4
	MOVD R7, R20
	ADD  $tilesRow, R7, R21
	MOVD $4, R23

prepare:
	TILES(16, V16, 20, V20, 0)
	TILES(17, V17, 21, V21, 32)
	TILES(18, V18, 22, V22, 64)
	TILES(19, V19, 23, V23, 96)
	VUZP1 V21.H8, V20.H8, V20.H8
	VUZP1 V23.H8, V22.H8, V22.H8
	VUZP1 V22.B16, V20.B16, V20.B16
	FMOVQ.P F20, 16(R21)
	MOVD $0, R13
	MOVD $0, R14
	CODES(16, R13, 0)
	CODES(17, R13, 32)
	CODES(18, R14, 0)
	CODES(19, R14, 32)
	BUMPED
	ADD  $128, R20
	SUB  $1, R23
	CBNZ R23, prepare
	CBZ  R6, placed

bumped:
	NEXT_BUMPED

down:
	DOWN
	BLO  down
	MUL  R20, R10, R13
	ORR  $1, R13, R13
	AND  $7, R11, R14
	LSL  R14, R13, R13
	SUB  R14, R11, R11
	MOVD partSolution(R12), R15
	ADD  R15, R11, R11
	MUL  R21, R10, R10
	LSR  $32, R10, R10
	ADD  R9<<3, R7, R14
	MOVD R11, tilesAt(R14)
	MOVD R13, tilesCoefficients(R14)
	ADD  R9, R7, R14
	MOVB R10, tilesRow(R14)
	CBNZ R6, bumped

placed:
	CBZ  R2, near
	MOVD R7, R20
	MOVD $16, R23

ask:
	LDP.P 16(R20), (R9, R10)
	LDP.P 16(R20), (R11, R12)
	PRFM  (R9), PLDL1KEEP
	PRFM  56(R9), PLDL1KEEP
	PRFM  (R10), PLDL1KEEP
	PRFM  56(R10), PLDL1KEEP
	PRFM  (R11), PLDL1KEEP
	PRFM  56(R11), PLDL1KEEP
	PRFM  (R12), PLDL1KEEP
	PRFM  56(R12), PLDL1KEEP
	SUB   $1, R23
	CBNZ  R23, ask

near:
	CBZ R19, swap

work:
	MOVD  $ribbonBytes<>(SB), R9
	FLDPQ (R9), (F24, F22)
	VMOVI $2, V0.B16
	VADD  V0.B16, V24.B16, V25.B16
	VADD  V0.B16, V25.B16, V26.B16
	VADD  V0.B16, V26.B16, V27.B16
	VADD  V0.B16, V27.B16, V28.B16
	VADD  V0.B16, V28.B16, V29.B16
	VADD  V0.B16, V29.B16, V30.B16
	VADD  V0.B16, V30.B16, V31.B16
	VMOVI $1, V23.B16
	MOVD  $ribbonConstants<>(SB), R9
	FMOVQ 32(R9), F21
	MOVD  R8, R20
	ADD   $tilesRow, R8, R21
	MOVD  $4, R23

test:
	TILES_PAIR(0, V8)
	TILES_PAIR(16, V9)
	TILES_PAIR(32, V10)
	TILES_PAIR(48, V11)
	TILES_PAIR(64, V12)
	TILES_PAIR(80, V13)
	TILES_PAIR(96, V14)
	TILES_PAIR(112, V15)
	ADD4
	ADD3
	FMOVQ.P 16(R21), F0
	VCMEQ V0.B16, V8.B16, V8.B16
	PACK(V8, V21, R9)
	ENTER(R9)
	ADD   $128, R20
	SUB   $1, R23
	CBNZ  R23, test
	MOVD.P R6, 8(R5)
	CBZ   R4, done

swap:
	MOVD R7, R9
	MOVD R8, R7
	MOVD R9, R8
	MOVD $1, R19
	SUB  $1, R4
	JMP  turn

done:
	RET

// The buffer of a chunk of a layer stored by columns: for every two hashes, the
// addresses of the blocks that they start in, then of the next ones; for every two,
// their coefficients, turned to where their rows lie in a block, then which of these
// are in the first one; the fingerprints; a bit for each column in the last eight.
#define columnsAt 0
#define columnsRows 1024
#define columnsWanted 2048
#define columnsWidth 2304
#define columnsBytes 2368

// COLUMNS prepares the four hashes at R3 and stores at from of the buffer's arrays. It
// leaves in r, also called vr, -1 for each whose block is narrow.
#define COLUMNS(s, vs, r, vr, fr, from) \
	ROWS(s, vs, r, vr);                \
	FMOVQ.P fr, 16(R22);               \
	VAND    V29.B16, vs.B16, V4.B16;   \
	VUSHLL  $0, V4.S2, V5.D2;          \
	VUSHLL2 $0, V4.S4, V4.D2;          \
	VCMEQ   V0.B16, V0.B16, V0.B16;    \
	USHL_2D(5, 0, 1);                  \
	USHL_2D(4, 0, 0);                  \
	USHL_2D(5, 2, 13);                 \
	USHL_2D(4, 3, 14);                 \
	VSUB    V15.D2, V5.D2, V5.D2;      \
	VSUB    V15.D2, V4.D2, V4.D2;      \
	USHL_2D(5, 2, 2);                  \ // 0 for a shift by -64
	USHL_2D(4, 3, 3);                  \
	VORR    V13.B16, V2.B16, V2.B16;   \
	VORR    V14.B16, V3.B16, V3.B16;   \
	FSTPQ   (F2, F1), from(R21);       \
	FSTPQ   (F3, F0), (from+32)(R21);  \
	VUSHR   $6, vs.S4, V4.S4;          \ // 8·(block·columns - min(block, narrow))
	CMHI_4S(4, 30, r);                 \
	VUMIN   V30.S4, V4.S4, V5.S4;      \
	MUL_S0(31, 4, 4);                  \
	VSUB    V5.S4, V4.S4, V4.S4;       \
	VADD    V31.S4, vr.S4, V5.S4;      \
	VADD    V4.S4, V5.S4, V5.S4;       \
	VUSHLL  $3, V4.S2, V2.D2;          \
	VUSHLL2 $3, V4.S4, V3.D2;          \
	VUSHLL  $3, V5.S2, V4.D2;          \
	VUSHLL2 $3, V5.S4, V5.D2;          \
	VADD    V26.D2, V2.D2, V2.D2;      \
	VADD    V26.D2, V3.D2, V3.D2;      \
	VADD    V26.D2, V4.D2, V4.D2;      \
	VADD    V26.D2, V5.D2, V5.D2;      \
	FSTPQ   (F2, F4), (columnsAt+from)(R20); \
	FSTPQ   (F3, F5), (columnsAt+from+32)(R20)

// PICK has in each byte of x, also called vx, how many bits the coefficients in V6
// pick there from two columns, an offset in register o behind the blocks at p and
// q; V7 has which of them are in the first one. It reads 16 bytes of each.
#define PICK(o, p, q, x, vx) \
	LDR_Q(o, p, x);               \
	LDR_Q(o, q, 5);               \
	VBIF V7.B16, V5.B16, vx.B16;  \
	VAND V6.B16, vx.B16, vx.B16;  \
	VCNT vx.B16, vx.B16

// COLUMNS_PAIR loads the places of two hashes, of which the arrays from R20 on are
// at from: R10 and R11 for the first one, R16 and R17 for the second.
#define COLUMNS_PAIR(from) \
	LDP   (columnsAt+from)(R20), (R10, R16);    \
	LDP   (columnsAt+from+16)(R20), (R11, R17); \
	FLDPQ from(R21), (F16, F17)

#define FIRST \
	VDUP V16.D[0], V6.D2; \
	VDUP V17.D[0], V7.D2

#define SECOND \
	VDUP V16.D[1], V6.D2; \
	VDUP V17.D[1], V7.D2

// EIGHT has in d the bits of the sums of two hashes in eight columns.
#define EIGHT(from, d) \
	COLUMNS_PAIR(from);           \
	FIRST;                        \
	PICK(12, 10, 11, 0, V0);      \
	PICK(13, 10, 11, 1, V1);      \
	PICK(14, 10, 11, 2, V2);      \
	PICK(15, 10, 11, 3, V3);      \
	VADDP V1.B16, V0.B16, V0.B16; \
	VADDP V3.B16, V2.B16, V2.B16; \
	VADDP V2.B16, V0.B16, d.B16;  \
	SECOND;                       \
	PICK(12, 16, 17, 0, V0);      \
	PICK(13, 16, 17, 1, V1);      \
	PICK(14, 16, 17, 2, V2);      \
	PICK(15, 16, 17, 3, V3);      \
	VADDP V1.B16, V0.B16, V0.B16; \
	VADDP V3.B16, V2.B16, V2.B16; \
	VADDP V2.B16, V0.B16, V0.B16; \
	VADDP V0.B16, d.B16, d.B16;   \
	PARITY(d, V20)

// FOUR has in d the counts of two hashes in four columns, two bytes each.
#define FOUR(from, d) \
	COLUMNS_PAIR(from);           \
	FIRST;                        \
	PICK(12, 10, 11, 0, V0);      \
	PICK(13, 10, 11, 1, V1);      \
	VADDP V1.B16, V0.B16, d.B16;  \
	SECOND;                       \
	PICK(12, 16, 17, 0, V0);      \
	PICK(13, 16, 17, 1, V1);      \
	VADDP V1.B16, V0.B16, V0.B16; \
	VADDP V0.B16, d.B16, d.B16

// func probeRibbonColumns128(parts *byte, ahead uint64, hashes *uint64, chunks uint64, hits *uint64, columns uint64)
//
// It is probeRibbonTiles128 for layers stored by columns, two at least. For each hash
// it reads the columns of two blocks, of narrow ones 8 bytes more: they are
// not the last.
//
// A hash is 20 instructions to prepare and, for each eight columns, 32 to test, 20
// for up to four; 73 more if it is bumped to the second layer, and 7 if memory is
// asked for.
//
// In working:
//
//	R9        the first column of a group
//	R12-R15   where each pair of its columns lies
//	R22       the fingerprints
//	R24       the widths
//	R25       columns from R9 on
//	R26       a bit for each of the last one to eight columns
//	V18       columns that differ
//	V19       the bits of the answers
//	V20       the bits of the columns
//	V21       the bytes of 16 fingerprints
//	V23       1
TEXT ·probeRibbonColumns128(SB), 0, $4736-48
	MOVD parts+0(FP), R0
	MOVD ahead+8(FP), R2
	MOVD hashes+16(FP), R3
	MOVD chunks+24(FP), R4
	MOVD hits+32(FP), R5
	MOVD columns+40(FP), R1
	MOVD $buffers-4736(SP), R7
	ADD  $columnsBytes, R7, R8
	MOVD $0, R19

	SUB  $1, R1, R9
	AND  $7, R9, R9
	MOVD $2, R26
	LSL  R9, R26, R26
	SUB  $1, R26, R26

turn:
	CBZ R4, work
	LOAD_PREPARING
	VMOVI $63, V29.B16
	VUSHR $24, V29.S4, V29.S4
	MOVD  $64, R10
	VDUP  R10, V15.D2
	MOVD  partNarrow(R0), R10
	VDUP  R10, V30.S4
	VDUP  R1, V31.S4
	MOVD  R7, R20
	ADD   $columnsRows, R7, R21
	ADD   $columnsWanted, R7, R22
	ADD   $columnsWidth, R7, R25
	MOVD  $4, R23

prepare:
	COLUMNS(16, V16, 20, V20, F20, 0)
	COLUMNS(17, V17, 21, V21, F21, 64)
	COLUMNS(18, V18, 22, V22, F22, 128)
	COLUMNS(19, V19, 23, V23, F23, 192)
	VUZP1 V21.H8, V20.H8, V20.H8
	VUZP1 V23.H8, V22.H8, V22.H8
	VUZP1 V22.B16, V20.B16, V20.B16
	VDUP  R26, V0.B16
	VUSHR $1, V0.B16, V1.B16
	VBSL  V0.B16, V1.B16, V20.B16
	FMOVQ.P F20, 16(R25)
	MOVD $0, R13
	MOVD $0, R14
	CODES(16, R13, 0)
	CODES(17, R13, 32)
	CODES(18, R14, 0)
	CODES(19, R14, 32)
	BUMPED
	ADD  $256, R20
	ADD  $256, R21
	SUB  $1, R23
	CBNZ R23, prepare
	CBZ  R6, placed

bumped:
	NEXT_BUMPED

down:
	DOWN
	BLO  down
	MUL  R20, R10, R13
	ORR  $1, R13, R13
	NEG  R11, R14 // the shift, the other way
	ROR  R14, R13, R13
	MOVD $-1, R15
	LSL  R11, R15, R15
	AND  $~1, R9, R17 // where the numbers of a pair lie
	ADD  R17<<4, R7, R17
	AND  $1, R9, R16
	ADD  R16<<3, R17, R17
	MOVD R13, columnsRows(R17)
	MOVD R15, (columnsRows+16)(R17)
	MUL  R21, R10, R10
	LSR  $32, R10, R10
	ADD  R9<<2, R7, R14
	MOVW R10, columnsWanted(R14)
	LSR  $6, R11, R11
	MOVD partNarrow(R12), R13
	MOVD partSolution(R12), R15
	CMP  R13, R11
	CSEL LO, R11, R13, R13
	CSET LO, R14 // whether it is narrow
	MUL  R1, R11, R11
	SUB  R13, R11, R11
	ADD  R11<<3, R15, R11
	LSR  R14, R26, R16
	SUB  R14, R1, R14
	ADD  R14<<3, R11, R14
	MOVD R11, columnsAt(R17)
	MOVD R14, (columnsAt+16)(R17)
	ADD  R9, R7, R13
	MOVB R16, columnsWidth(R13)
	CBNZ R6, bumped

placed:
	CBZ  R2, near
	MOVD R7, R20
	LSL  $3, R1, R21
	SUB  $8, R21, R21
	MOVD $32, R23

ask:
	LDP.P 16(R20), (R9, R10)
	LDP.P 16(R20), (R11, R12)
	PRFM  (R9), PLDL1KEEP
	PRFM  64(R9), PLDL1KEEP
	PRFM  (R11), PLDL1KEEP
	ADD   R21, R11, R11
	PRFM  (R11), PLDL1KEEP
	PRFM  (R10), PLDL1KEEP
	PRFM  64(R10), PLDL1KEEP
	PRFM  (R12), PLDL1KEEP
	ADD   R21, R12, R12
	PRFM  (R12), PLDL1KEEP
	SUB   $1, R23
	CBNZ  R23, ask

near:
	CBZ R19, swap

work:
	VMOVI $1, V23.B16
	MOVD  $ribbonConstants<>(SB), R9
	FMOVQ 32(R9), F19
	MOVD  R8, R20
	ADD   $columnsRows, R8, R21
	ADD   $columnsWanted, R8, R22
	ADD   $columnsWidth, R8, R24
	MOVD  $4, R23

sixteen:
	VEOR  V18.B16, V18.B16, V18.B16
	MOVD  $ribbonBytes<>(SB), R9
	FMOVQ 32(R9), F21
	MOVD  $0, R9

group:
	SUB  R9, R1, R25
	MOVD $8, R10
	CMP  $8, R25
	CSEL LO, R25, R10, R10 // columns of the group
	MOVD $columnBits<>(SB), R11
	ADD  R10<<3, R11, R11
	SUB  $8, R11, R11
	VLD1R (R11), [V20.D2]
	SUB  $2, R10, R11      // where a pair begins at most
	LSL  $3, R11, R11
	LSL  $3, R9, R17
	MOVD $0, R12
	CMP  R12, R11
	CSEL LT, R11, R12, R12
	MOVD $16, R13
	CMP  R13, R11
	CSEL LT, R11, R13, R13
	MOVD $32, R14
	CMP  R14, R11
	CSEL LT, R11, R14, R14
	ADD  R17, R12
	ADD  R17, R13
	ADD  R17, R14
	ADD  R17, R11, R15
	CMP  $4, R10
	BLS  four

	EIGHT(0, V8)
	EIGHT(32, V9)
	EIGHT(64, V10)
	EIGHT(96, V11)
	EIGHT(128, V12)
	EIGHT(160, V13)
	EIGHT(192, V14)
	EIGHT(224, V15)
	ADD4
	ADD3
	JMP compare

four:
	FOUR(0, V8)
	FOUR(32, V9)
	FOUR(64, V10)
	FOUR(96, V11)
	FOUR(128, V12)
	FOUR(160, V13)
	FOUR(192, V14)
	FOUR(224, V15)
	ADD4
	PARITY(V8, V20)
	PARITY(V10, V20)
	PARITY(V12, V20)
	PARITY(V14, V20)
	ADD3

compare:
	FLDPQ (R22), (F0, F1)
	FLDPQ 32(R22), (F2, F3)
	VTBL  V21.B16, [V0.B16, V1.B16, V2.B16, V3.B16], V0.B16
	VADD  V23.B16, V21.B16, V21.B16
	VEOR  V0.B16, V8.B16, V8.B16
	ADD   $8, R9
	CMP   R1, R9
	BHS   last
	VORR  V8.B16, V18.B16, V18.B16
	JMP   group

last:
	FMOVQ.P 16(R24), F0
	VAND  V0.B16, V8.B16, V8.B16
	VORR  V8.B16, V18.B16, V18.B16
	VEOR  V0.B16, V0.B16, V0.B16
	VCMEQ V0.B16, V18.B16, V8.B16
	PACK(V8, V19, R9)
	ENTER(R9)
	ADD   $64, R22
	ADD   $256, R20
	ADD   $256, R21
	SUB   $1, R23
	CBNZ  R23, sixteen
	MOVD.P R6, 8(R5)
	CBZ   R4, done

swap:
	MOVD R7, R9
	MOVD R8, R7
	MOVD R9, R8
	MOVD $1, R19
	SUB  $1, R4
	JMP  turn

done:
	RET
