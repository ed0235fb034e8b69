package adapter

import (
	"encoding/binary"
	"runtime/debug"

	"github.com/tamis-filter/tamis/bench/record"
	"github.com/tamis-filter/tamis/filters"
)

// Rivals returns filters of other libraries. Each is used as its documentation
// shows, or faster where it has the means: given the hash if it takes one,
// given all keys in one call if it has one.
func Rivals() []Adapter {
	return []Adapter{Parquet(), BitsAndBlooms(), Holiman(), BinaryFuse8(), Xor8(), Seiflotfy()}
}

// moduleVersion returns the version of a module that this program is built
// with.
func moduleVersion(path string) string {
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, m := range info.Deps {
			if m.Path == path {
				return m.Path + " " + m.Version
			}
		}
	}
	return path + ", version " + record.NotAvailable
}

// keyOf makes a hash the key of a contestant that hashes by itself.
func keyOf(key *[8]byte, h filters.Hash) []byte {
	binary.LittleEndian.PutUint64(key[:], uint64(h))
	return key[:]
}
