package asm

import "math/bits"

// XXH3-64 of 8 bytes, after its specification: two 64-bit words of the default
// secret, and a multiplier.
const (
	xxh3Secret8  = 0x1cad21f72c81017c
	xxh3Secret16 = 0xdb979083e96dd4de
	xxh3Prime    = 0x9fb21c651e98df25
)

// xxh3Flip returns what a seed makes of the secret.
func xxh3Flip(seed uint64) uint64 {
	seed ^= uint64(bits.ReverseBytes32(uint32(seed))) << 32
	return (xxh3Secret8 ^ xxh3Secret16) - seed
}

func hashUint64(key, flip uint64) uint64 {
	x := bits.RotateLeft64(key, 32) ^ flip
	x ^= bits.RotateLeft64(x, 49) ^ bits.RotateLeft64(x, 24)
	x *= xxh3Prime
	x ^= x>>35 + 8
	x *= xxh3Prime
	return x ^ x>>28
}

// HashUint64s puts the XXH3-64 of each key, as 8 little-endian bytes under a
// seed, into hashes, which is at least as long and may be the same slice.
func HashUint64s(seed uint64, keys, hashes []uint64) {
	flip := xxh3Flip(seed)
	done := hashGroups(keys, hashes, flip)
	for i, key := range keys[done:] {
		hashes[done+i] = hashUint64(key, flip)
	}
}
