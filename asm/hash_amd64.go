//go:build !purego

package asm

// hashGroups hashes keys, whole groups of eight, by a kernel and returns how
// many it hashed.
func hashGroups(keys, hashes []uint64, flip uint64) int {
	groups := len(keys) / 8
	if level != AVX512 || groups == 0 {
		return 0
	}
	_ = hashes[len(keys)-1]
	hashUint64s512(&keys[0], &hashes[0], uint64(groups), flip)
	return groups * 8
}
