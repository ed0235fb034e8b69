// Package standard is the Bloom filter (Bloom, "Space/time trade-offs in hash
// coding with allowable errors", 1970): one array of m bits, k positions a key.
//
// It grows key by key, reaches any rate, unites with its like, folds to half
// its size and estimates how many keys it holds. Nothing can be taken out.
//
//	space    1.44·log2(1/p) bits per key
//	add      k random memory accesses, O(k)
//	query    up to k, about 2 for a stranger; O(k)
//
// It is slow when it does not fit into a cache: take package blocked where
// speed counts more than a little space, and package ribbon where the
// keys are all known beforehand.
package standard
