// Package blocked is the cache-line-blocked Bloom filter (Putze, Sanders and
// Singler, "Cache-, hash- and space-efficient Bloom filters", 2007): all bits of
// a key lie in one 64-byte line.
//
// It grows key by key and unites with its like. Nothing can be taken out.
//
//	space    a little more than package standard at 1 %, much more at lower rates
//	add      one memory access, O(1)
//	query    one memory access, O(1)
//
// It is the filter to take for keys that come one by one where speed counts. Do
// not take it for rates far below 0.1 %, where crowded lines cost much space:
// package ribbon if the keys are all known beforehand, package standard if not.
//
// Package blocked/split is the same idea in the layout that Parquet files use:
// larger, and as fast or a little faster.
package blocked
