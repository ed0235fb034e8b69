package adapter

import "golang.org/x/sys/cpu"

func readLines(array [][8]uint64, hashes []uint64) uint64 {
	if !cpu.X86.HasBMI2 || len(hashes) == 0 {
		return readLinesGeneric(array, hashes)
	}
	return readLinesAhead(&array[0], uint64(len(array)), &hashes[0], uint64(len(hashes)))
}

// readLinesAhead adds up the words that n hashes select, and asks for the line of
// each hash 64 before it is read. It needs BMI2.
//
//go:noescape
func readLinesAhead(array *[8]uint64, count uint64, hashes *uint64, n uint64) uint64
