// Package filters is the contract that every tamis family keeps: the 64-bit
// [Hash] of a key, the interfaces from [Filter] up, the [Config] that sizes a
// filter, the sizing maths, the file envelope and the error values.
//
// # The guarantee
//
// A filter answers whether a key may be in a set. "No" is certain: a key that
// was added is never denied. "Maybe" is wrong for a stranger with the
// false-positive rate (fpr) that the filter was sized for: a filter built with
// Config{Keys: n, FPR: p} shows at most 1.03·p over n distinct keys.
//
// # Keys and hashes
//
// Families work on a [Hash], never on a key. A [Hasher] makes one with XXH3-64,
// and a filter hashes with Hasher{Seed: Config.Seed}. Whoever calls the Hash
// methods must hash with that seed too; a hash made with another one finds
// nothing that was added.
//
// # Concurrency
//
// Any number of goroutines may query a filter at once. Adding, deleting and
// uniting need the filter to themselves.
//
// This package is a leaf: it imports no family.
package filters
