// Package bulk hashes many keys at once, where that is faster than a Hasher's
// one at a time.
package bulk

import (
	"fmt"

	"github.com/tamis-filter/tamis/asm"
	"github.com/tamis-filter/tamis/filters"
)

// Uint64s puts h.Uint64 of each key into hashes, which must be at least as long.
// It does not allocate.
func Uint64s(h filters.Hasher, keys []uint64, hashes []filters.Hash) error {
	if len(hashes) < len(keys) {
		return &filters.FieldError{Err: filters.ErrConfig, Field: "length of hashes", Value: len(hashes), Bound: fmt.Sprintf("must be at least %d, that of keys", len(keys))}
	}
	asm.HashUint64s(h.Seed, keys, filters.Raw(hashes))
	return nil
}
