package split

import (
	"encoding/binary"
	"math/bits"

	"github.com/tamis-filter/tamis/filters"
)

// The primes of XXH64.
const (
	prime1 uint64 = 11400714785074694791
	prime2 uint64 = 14029467366897019727
	prime3 uint64 = 1609587929392839161
	prime4 uint64 = 9650029242287828579
	prime5 uint64 = 2870177450012600261
)

// ParquetHash hashes a value as Parquet's filters have it: by XXH64 with seed 0,
// of its plain encoding without a length (numbers little-endian). It does not
// allocate.
func ParquetHash(value []byte) filters.Hash {
	b, le := value, binary.LittleEndian
	h := prime5
	if len(b) >= 32 {
		v1, v2, v3, v4 := prime1, prime2, uint64(0), uint64(0)
		v1 += prime2 // these overflow, which constants may not
		v4 -= prime1
		for ; len(b) >= 32; b = b[32:] {
			v1 = round64(v1, le.Uint64(b))
			v2 = round64(v2, le.Uint64(b[8:]))
			v3 = round64(v3, le.Uint64(b[16:]))
			v4 = round64(v4, le.Uint64(b[24:]))
		}
		h = bits.RotateLeft64(v1, 1) + bits.RotateLeft64(v2, 7) + bits.RotateLeft64(v3, 12) + bits.RotateLeft64(v4, 18)
		for _, v := range [4]uint64{v1, v2, v3, v4} {
			h = (h^round64(0, v))*prime1 + prime4
		}
	}
	h += uint64(len(value))
	for ; len(b) >= 8; b = b[8:] {
		h = bits.RotateLeft64(h^round64(0, le.Uint64(b)), 27)*prime1 + prime4
	}
	if len(b) >= 4 {
		h = bits.RotateLeft64(h^uint64(le.Uint32(b))*prime1, 23)*prime2 + prime3
		b = b[4:]
	}
	for _, c := range b {
		h = bits.RotateLeft64(h^uint64(c)*prime5, 11) * prime1
	}
	h = (h ^ h>>33) * prime2
	h = (h ^ h>>29) * prime3
	return filters.Hash(h ^ h>>32)
}

func round64(acc, x uint64) uint64 {
	return bits.RotateLeft64(acc+x*prime2, 31) * prime1
}
