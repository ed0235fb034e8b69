package harness

import (
	"encoding/binary"
	"math/rand/v2"

	"github.com/tamis-filter/tamis/bench/adapter"
	"github.com/tamis-filter/tamis/filters"
)

// keySeed starts the sequence of generated keys.
const keySeed = 0x7461_6d69_7300_0001

// Keys are numbered. The members of a set of n keys have the numbers below n,
// so smaller sets are part of larger ones; strangers have numbers that no
// member reaches.
const (
	firstProbe    = 1 << 62 // strangers that measure a rate
	firstStranger = 1 << 63 // strangers among the timed queries
)

// keyAt returns the key of a number. It is a bijection, SplitMix64 (Steele,
// Lea, Flood, "Fast splittable pseudorandom number generators", 2014): keys
// look random, and different numbers are different keys.
func keyAt(number uint64) uint64 {
	z := keySeed + number*0x9e3779b97f4a7c15
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

// keyBytes returns the key of a number as contestants take it.
func keyBytes(number uint64) (key [8]byte) {
	binary.LittleEndian.PutUint64(key[:], keyAt(number))
	return key
}

var hasher = filters.Hasher{Seed: adapter.HashSeed}

// hashesFrom fills hashes with those of the keys from number first on.
func hashesFrom(first uint64, hashes []filters.Hash) {
	for i := range hashes {
		hashes[i] = hasher.Uint64(keyAt(first + uint64(i)))
	}
}

// queries are the inputs of a timing: the same keys in both forms.
type queries struct {
	hashes  []filters.Hash
	keys    [][8]byte
	members int // how many of them are members
	rng     *rand.Rand
}

func newQueries(n int) *queries {
	return &queries{
		hashes: make([]filters.Hash, n),
		keys:   make([][8]byte, n),
		rng:    rand.New(rand.NewPCG(keySeed, 1)),
	}
}

// fill draws new queries, hitPercent of them members of a set of n keys, in
// random order, at random places. No two fills are alike, so nothing can be
// learnt from one for the next.
func (q *queries) fill(n uint64, hitPercent int) {
	q.members = 0
	for i := range q.hashes {
		number := firstStranger + q.rng.Uint64()>>1
		if hitPercent == 100 || hitPercent != 0 && q.rng.IntN(100) < hitPercent {
			number = q.rng.Uint64N(n)
			q.members++
		}
		q.keys[i] = keyBytes(number)
		q.hashes[i] = hasher.Bytes(q.keys[i][:])
	}
}
