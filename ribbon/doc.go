// Package ribbon is the bumped ribbon filter (Dillinger, Hübschle-Schneider,
// Sanders and Walzer, "Fast succinct retrieval and approximate membership using
// ribbon", 2022): the smallest filter here, for a set of keys that is known
// beforehand.
//
// It is static: Build takes every key, and nothing is added or taken out later.
// Copies of a key count once. Building gives up, with an error and without a
// filter, only after dozens of attempts at its last, small layer, which well
// mixed hashes do not need.
//
//	space    log2(1/p) bits per key and a little more: TestSpace holds how little
//	build    a sort and two sequential passes, O(n), on all processors
//	query    16 bytes for each bit of the fingerprint, side by side (64 at
//	         p = 1/256), and the same again for one key in fourteen; O(1)
//
// Take it where space or the bytes sent over a network count. Where keys arrive
// one by one, or speed matters more than space, package blocked is the choice.
//
// # How it works
//
// A hash gives a key three things: a start s, a 64-bit vector of coefficients c
// and a fingerprint f of r bits. The filter is a matrix Z of r-bit rows with
//
//	c·Z[s … s+63] = f   over the field of two elements
//
// for every key. A stranger satisfies its own equation by chance, with probability
// 2^-r. Band holds the equations in
// echelon form: a key that meets an occupied row takes the exclusive or with it,
// which moves it further right, until it finds an empty row. Back-substitution
// from the last row to the first then gives Z.
//
// A system with fewer rows than keys would have no solution. So starts are
// grouped in buckets of 128, and where a bucket has too many keys, those that
// start below a threshold, two bits per bucket, are bumped: a second layer, of
// about a fourteenth of the size, holds them, and so on; the last layer has
// rows to spare instead. That leaves hardly any row empty.
//
// Buckets are banded in stripes that do not depend on each other, so that several
// processors can share the work: a few rows between two stripes stay 0, and what
// would need them is bumped. Which keys are bumped does not depend on the order
// of the keys, nor does the solution.
//
// For a rate between 2^-r and 2^-(r-1) the first blocks of every layer have one
// column less than the others.
//
// Rows are stored by columns, 64 to a word; or, where a rate is asked for that takes
// eight bits for each of them, in tiles of eight by eight bits. There the last s mod 8
// coefficients are 0, so that the others lie in eight tiles, which kernels take as
// they are.
package ribbon
