// Package exact is a filter that is wrong about no key that it was told of: it
// holds every key of one set, as any filter does, and none of a second set that
// must not be in it. It errs, at a stated rate, on all other keys only. A blocklist
// that must never block a list of known good names is such a filter. It has the two
// parts of clubcards (Schanck, "Clubcards for the WebPKI", 2025).
//
// It is static: Build takes both sets whole, and nothing is added later.
//
//	space    with n keys, m excluded ones and rate p: n·log2(1/p) + 2·p·m bits, and
//	         the little that ribbon takes on top; less than p asks for is taken
//	         where that is smaller
//	build    two ribbons, O(n + m), on all processors
//	query    ribbon's, and once more for what the first part holds; O(1)
//
// Take it where a list of keys is known on which a mistake would cost much. A plain
// filter of rate 1/m would be wrong about one of m such keys, as a rule, and takes
// n·log2(m) bits. Where no such keys are known, package ribbon is the same, smaller
// by 64 bytes.
//
// # How it works
//
// The first part is a ribbon filter of the n keys whose rate q is twice p. It holds
// about q·m of the excluded keys too. The second is a retrieval of one bit, which
// says of the n keys that they are in, and of these q·m that they are not. A
// stranger that the first part holds gets either bit, with probability 1/2.
//
// A lower q makes the first part larger and the second smaller. Together they take
// the least room where q is about n/(m·ln 2). Build takes this q, or a power of two
// beside it, where that is smaller than with 2p; and it leaves the first part out
// where q is 1. With a budget it takes the lowest q that fits.
//
// # File
//
// The payload is the file of the first part, a ribbon filter, and behind it that of
// the second, a retrieval, each with a header of its own. Param has a bit for each
// part that is there, 1 for the first and 2 for the second: without excluded keys,
// or without any to hold, there is no second.
package exact
