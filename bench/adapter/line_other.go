//go:build !amd64

package adapter

func readLines(array [][8]uint64, hashes []uint64) uint64 { return readLinesGeneric(array, hashes) }
