// Package asm holds the inner loops of every family: where the bits of a hash
// lie, how one hash is tested and added, and how a batch of hashes is tested.
// The portable Go functions here are the specification; a kernel for one CPU
// must give the same answers.
//
// # Conventions
//
//   - Arrays are bytes, little-endian, so that a file is used where it lies, at
//     any alignment and on any machine.
//   - Arrays are whole 64-bit words long (a cuckoo table has its padding).
//   - Callers validate. A function here may panic on a geometry that does not
//     fit the array, and does not check for it. A probe is given at least one
//     block, bit, bucket or row.
//   - HasX tests one hash, AddX adds one, ProbeX tests many: answer i becomes bit
//     i%64 of hits[i/64], hits has (len(hashes)+63)/64 words and each is
//     overwritten, bits beyond the last answer with 0. The result counts the
//     answers that are true.
//   - No function allocates or keeps an argument.
//
// A position is mulhi(h, size), the top of the 128-bit product (Lemire, "Fast
// random integer generation in an interval", 2019): the high bits of a hash
// choose the block, and what chooses a bit within it comes from the low ones.
//
// This package is a leaf: it imports no other package of the module.
package asm
