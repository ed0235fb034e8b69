// Package ribbon is the bumped ribbon filter (Dillinger, Hübschle-Schneider,
// Sanders and Walzer, "Fast succinct retrieval and approximate membership using
// ribbon", 2022): the smallest filter here, for a set of keys that is known
// beforehand. [Retrieval] is the same structure as a function from keys to values.
//
// It is static: Build takes every key, and nothing is added or taken out later.
// Copies of a key count once. Building gives up, with an error and without a
// filter, only after dozens of attempts at its last, small layer, which well
// mixed hashes do not need.
//
//	space    log2(1/p) bits per key and a little more: TestSpace holds how little
//	build    a sort and two sequential passes, O(n), on all processors
//	query    16 bytes for each bit of the fingerprint, side by side (64 at
//	         p = 1/256), and the same again for one key in sixteen; O(1)
//
// Take it where space or the bytes sent over a network count. Where keys arrive
// one by one, or speed matters more than space, package blocked is the choice.
//
// # The equations
//
// A hash h, of 64 bits, gives a key three things: a start s, a vector c of 64
// coefficients, and a fingerprint f of r bits:
//
//	s = ⌊h · starts / 2^64⌋
//	c = h · 0xd1342543de82ef95 mod 2^64, with bit 0 set; bit i is for row s+i
//	f = the lowest r of bits 32 to 63 of h · 0xaf251af3b0f025b5 mod 2^64
//
// The filter is a matrix Z with a row of r bits for each start and 64 more, such
// that for every key the rows that its coefficients pick add up, bit by bit and
// modulo 2, to its fingerprint:
//
//	c[0]·Z[s] + c[1]·Z[s+1] + … + c[63]·Z[s+63] = f
//
// A query computes the left side and compares. A stranger satisfies its own
// equation by chance, with probability 2^-r.
//
// # Banding and back-substitution
//
// Four keys, as if there were 4 coefficients and 2 bits of fingerprint:
//
//	key  start  coefficients  fingerprint
//	a    0      1011          01
//	b    0      1101          10
//	c    2      1101          11
//	d    3      1010          01
//
// The band has room for one equation in each row, which starts with coefficient 1
// there. A key whose row is taken takes the sum with what is there; that moves its
// first coefficient to the right, until it finds an empty row. Here b meets a, and
// 1101 + 1011 = 0110 starts at row 1:
//
//	row  0 1 2 3 4 5 6   right side
//	0    1 0 1 1 . . .   01          a
//	1    . 1 1 0 0 . .   11          b + a
//	2    . . 1 1 0 1 .   11          c
//	3    . . . 1 0 1 0   01          d
//	4    . . . . . . .               empty
//
// From the last row to the first, each row of Z is then the right side plus the rows
// behind that the equation picks; a row without an equation is 0:
//
//	Z[4] = Z[5] = Z[6] = 00
//	Z[3] = 01 + Z[5]        = 01
//	Z[2] = 11 + Z[3] + Z[5] = 10
//	Z[1] = 11 + Z[2]        = 01
//	Z[0] = 01 + Z[2] + Z[3] = 10
//
// And b holds: Z[0] + Z[1] + Z[3] = 10 + 01 + 01 = 10.
//
// # Bumping
//
// A system with fewer rows than keys has no solution, as a rule, and one with more
// wastes what is spare. So a layer takes 6.75 % more keys than it has starts, in
// ascending order of their starts and in buckets of 128 starts, and bumps what does
// not fit: of a bucket, the keys that start less than 0, 18, 38 or 128 behind its
// first row, whichever of these thresholds is the lowest that leaves only keys that
// fit. Two bits a bucket hold it. The bumped keys, a sixteenth of all, go to a second
// layer in the same way, under another hash; and so on. The last layer, of at most 2000
// keys or the fourth, has 2 % spare rows instead and tries other hashes, with more rows,
// until all fit. Hardly a row stays empty.
//
// Which keys are bumped does not depend on the order in which they are banded, nor
// does the solution. So long runs of buckets, stripes, are banded at once by several
// processors. Between two of them is a wall: rows 38 to 63 of the first bucket of
// the second stripe stay empty, and no equation that counts reaches over them. The
// coefficients of rows in a wall are left out, and keys of that bucket that start in
// front of it are bumped.
//
// The hash of a layer is made of that of the layer before, by its round i. Round 0
// leaves it as it is; any other takes, modulo 2^64,
//
//	h = h + i·0x9e6c63d0676a9a99
//	h = (h xor h>>32) · 0xd1342543de82ef95
//	h = (h xor h>>29) · 0xaf251af3b0f025b5
//	h = h xor h>>32
//
// The round is the index of the layer, from 0; that of the last layer is its index plus
// four times the attempts that failed.
//
// # Rates between powers of two
//
// For a rate between 2^-r and 2^-(r-1) the first blocks of every layer, of 64 rows each,
// have r-1 columns and the others r. The rate is linear in the share x of the first,
// the bound is not: in between, this mix costs log2(1+x) - x bits per key, at most
// 0.086. At a rate of 1 % that is 1.1 % of the space.
//
// # Layout
//
// A file is a header of 64 bytes (package filters) whose parameter is r and whose size
// is the rows of all layers. All integers are little-endian. Behind it:
//
//	 64  4 bytes   narrow: the share, over 2^32, of blocks with a column less
//	 68  1 byte    the number of layers, 0 for no keys, else 1 to 4
//	 69  1 byte    the round of the last layer's hash
//	 70  2 bytes   0
//	 72  32 bytes  for each of four layers its number of blocks B, 8 bytes, or 0;
//	               there are 64·(B-1) starts, in all blocks but the last
//	104  24 bytes  0
//	128            the blocks of the first layer, then those of the next …
//	               then the thresholds of the first layer, then of the next …
//	               (the last has none)
//
// A block is r words of 8 bytes, one a column: bit i of word j is bit j of row i. The
// first ⌊narrow·(B-1)/2^32⌋ blocks of a layer have r-1 words. Word j of block b is 8·(b·r -
// min(b, narrow blocks) + j) bytes behind the first. A query reads two adjacent blocks.
//
// Where a rate is asked for that takes eight columns everywhere, a block is eight tiles
// of eight rows instead: bit i of byte 7-j of a tile is bit j of its row i. The last s mod
// 8 coefficients are then 0, so that the others lie in eight tiles, which kernels take as
// they are: 64 bytes that begin at the start's tile.
//
// The threshold of bucket b is in bits 2·(b mod 4) and 1 more of byte ⌊b/4⌋: its index in
// the four thresholds above. Each layer's are padded to 8 bytes.
package ribbon
