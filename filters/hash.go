package filters

import (
	"encoding/binary"
	"iter"

	"github.com/zeebo/xxh3"
)

// Hash is a well-mixed 64-bit hash of a key. It is a type of its own so that a
// raw integer, whose bits are not mixed, is not passed by accident.
type Hash uint64

// Hasher hashes keys with XXH3-64 under a seed. The zero value is ready to use
// and is unseeded XXH3-64. A seed kept secret keeps strangers from choosing
// keys that collide; see Config.Seed.
type Hasher struct{ Seed uint64 }

// Bytes hashes a byte-slice key. It does not keep or change the slice and does
// not allocate.
func (h Hasher) Bytes(key []byte) Hash {
	return Hash(xxh3.HashSeed(key, h.Seed))
}

// String hashes a string key, to the same value as Bytes([]byte(key)).
func (h Hasher) String(key string) Hash {
	return Hash(xxh3.HashStringSeed(key, h.Seed))
}

// Uint64 hashes an integer key, to the same value as Bytes of its 8 bytes in
// little-endian order.
func (h Hasher) Uint64(key uint64) Hash {
	var b [8]byte
	binary.LittleEndian.PutUint64(b[:], key)
	return Hash(xxh3.HashSeed(b[:], h.Seed))
}

// Strings hashes a sequence of keys into the batches that a Build function
// takes. Each batch is reused for the next one.
func (h Hasher) Strings(keys iter.Seq[string]) iter.Seq[[]Hash] {
	return batches(keys, h.String)
}

// ByteSlices is [Hasher.Strings] for byte-slice keys.
func (h Hasher) ByteSlices(keys iter.Seq[[]byte]) iter.Seq[[]Hash] {
	return batches(keys, h.Bytes)
}

// Uint64s is [Hasher.Strings] for integer keys.
func (h Hasher) Uint64s(keys iter.Seq[uint64]) iter.Seq[[]Hash] {
	return batches(keys, h.Uint64)
}

// batchLen is the number of hashes in a batch made here: 8 KiB, which stays in
// the first-level cache between the hashing and the adding.
const batchLen = 1024

func batches[K any](keys iter.Seq[K], hash func(K) Hash) iter.Seq[[]Hash] {
	return func(yield func([]Hash) bool) {
		batch := make([]Hash, 0, batchLen)
		for key := range keys {
			batch = append(batch, hash(key))
			if len(batch) == batchLen {
				if !yield(batch) {
					return
				}
				batch = batch[:0]
			}
		}
		if len(batch) > 0 {
			yield(batch)
		}
	}
}
