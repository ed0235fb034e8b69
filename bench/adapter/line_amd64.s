#include "textflag.h"

// func readLinesAhead(array *[8]uint64, count uint64, hashes *uint64, n uint64) uint64
//
// AX array, BX count, SI hashes, CX n, DI the number of the hash, R8 the sum.
// Reads hashes[0:n] and of each line the word that h%8 selects; writes nothing.
TEXT ·readLinesAhead(SB), NOSPLIT, $0-40
	MOVQ array+0(FP), AX
	MOVQ count+8(FP), BX
	MOVQ hashes+16(FP), SI
	MOVQ n+24(FP), CX
	XORL DI, DI
	XORL R8, R8

next:
	LEAQ 64(DI), R9
	CMPQ R9, CX
	JAE  read
	MOVQ (SI)(R9*8), DX
	MULXQ BX, R10, R11   // R11 = line of hashes[i+64]
	SHLQ $6, R11
	PREFETCHT1 (AX)(R11*1)

read:
	MOVQ (SI)(DI*8), DX
	MULXQ BX, R10, R11   // R11 = line of hashes[i]
	SHLQ $6, R11
	ANDL $7, DX
	LEAQ (R11)(DX*8), R11
	ADDQ (AX)(R11*1), R8
	INCQ DI
	CMPQ DI, CX
	JB   next
	MOVQ R8, ret+32(FP)
	RET
