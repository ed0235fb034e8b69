package adapter

import (
	"encoding/binary"

	"github.com/zeebo/xxh3"

	"github.com/tamis-filter/tamis/filters"
	"github.com/tamis-filter/tamis/filters/bulk"
)

// Hashing is a way to hash keys of 8 bytes, XXH3-64 without a seed.
type Hashing struct {
	Name   string // in rows
	Levels bool   // its times depend on the level of kernels
	Hash   func(keys []uint64, hashes []filters.Hash) error
}

// Hashings returns the ways to hash.
func Hashings() []Hashing {
	return []Hashing{
		{"bulk", true, func(keys []uint64, hashes []filters.Hash) error {
			return bulk.Uint64s(filters.Hasher{Seed: HashSeed}, keys, hashes)
		}},
		{"xxh3", false, func(keys []uint64, hashes []filters.Hash) error {
			var b [8]byte
			for i, key := range keys {
				binary.LittleEndian.PutUint64(b[:], key)
				hashes[i] = filters.Hash(xxh3.Hash(b[:]))
			}
			return nil
		}},
	}
}
