// Package split is the split-block Bloom filter of the Apache Parquet format
// specification (after Putze, Sanders and Singler, 2007, and Apache Impala): a
// key sets one bit in each of the eight 32-bit words of one 32-byte block.
//
// The layout is bit-exact with Parquet's. [NewParquet] makes a filter that hashes
// keys as Parquet does, [Filter.AppendParquet] writes it as it stands in a Parquet
// file, and [OpenParquet] reads that in place.
//
// It grows key by key and unites with its like. Nothing can be taken out.
//
//	space    some more than package blocked; k is 8 whatever the rate
//	add      one memory access, O(1)
//	query    one memory access, O(1)
//
// Take it to exchange filters with Parquet readers and writers, or where a
// nanosecond of a single query is worth more than the space. Otherwise package
// blocked is smaller at about the same speed.
package split
