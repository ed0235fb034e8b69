// Package cuckoo is the cuckoo filter (Fan, Andersen, Kaminsky and Mitzenmacher,
// "Cuckoo filter: practically better than Bloom", 2014): a table of short
// fingerprints, four to a bucket, each in one of the two buckets of its key.
//
// It grows key by key and keys can be taken out again. It fills up: then Add
// returns filters.ErrFull, the key is not in, and every other key still is.
// It keeps one fingerprint for each Add, so a key added twice must be deleted
// twice, and no key can be in more than eight times, or fewer where both its
// buckets are one or others of its fingerprint live there.
//
//	space    the fingerprint's 8, 12, 16 or 32 bits over a load of up to 95 %
//	add      two memory accesses, more as it fills up
//	query    two memory accesses, O(1)
//	delete   two memory accesses, O(1)
//
// Take it where keys come and go. Without deletions package blocked is faster,
// and package ribbon is smaller.
//
// Buckets may be any number: the two buckets of a fingerprint add up to a fixed
// sum modulo their number, where the paper has an exclusive or and a power of two.
package cuckoo
