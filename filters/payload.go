package filters

import (
	"encoding/binary"
	"fmt"
	"math/bits"
)

// What families whose payload is an array of bits share.

// Ones counts the bits that are set.
func Ones(payload []byte) uint64 {
	n := 0
	for len(payload) >= 8 {
		n += bits.OnesCount64(binary.LittleEndian.Uint64(payload))
		payload = payload[8:]
	}
	for _, b := range payload {
		n += bits.OnesCount8(b)
	}
	return uint64(n)
}

// Writable refuses changes to a view and to a zero value.
func Writable(readOnly bool, payload []byte) error {
	if readOnly {
		return &FieldError{ErrReadOnly, "filter", "a view made by Open", "Clone gives a copy that can be changed"}
	}
	if len(payload) == 0 {
		return errZeroValue
	}
	return nil
}

// Unite ORs b's payload into a's and adds up their keys, if they have one
// geometry and seed. Uniting a filter with itself changes nothing.
func Unite(a, b *Envelope) error {
	switch {
	case a == b:
		return nil
	case a.Kind != b.Kind:
		return Mismatch("family", a.Kind, b.Kind)
	case a.XXH64 != b.XXH64:
		return Mismatch("hash", a.hash(), b.hash())
	case a.Seed != b.Seed:
		return Mismatch("seed", a.Seed, b.Seed)
	case a.Size != b.Size:
		return Mismatch("size", a.Size, b.Size)
	case a.Param != b.Param:
		return Mismatch("k", a.Param, b.Param)
	}
	or(a.Payload, b.Payload)
	a.Keys = min(a.Keys+b.Keys, maxCount)
	return nil
}

// or sets every bit of dst that src, of equal length, has.
func or(dst, src []byte) {
	le := binary.LittleEndian
	for len(dst) >= 8 && len(src) >= 8 {
		le.PutUint64(dst, le.Uint64(dst)|le.Uint64(src))
		dst, src = dst[8:], src[8:]
	}
	for i, x := range src {
		dst[i] |= x
	}
}

// Peer returns other as a filter of type F, for Union. F is a pointer type.
func Peer[F interface {
	comparable
	Filter
}](other Filter) (F, error) {
	var none F
	g, ok := other.(F)
	if !ok {
		return none, Mismatch("type", fmt.Sprintf("%T", none), fmt.Sprintf("%T", other))
	}
	if g == none {
		return none, Mismatch("filter", "made with New", "nil")
	}
	return g, nil
}

// Describe returns the part of Info that the envelope alone tells.
func Describe(e *Envelope) Info {
	bits := uint64(len(e.Payload)) * 8
	return Info{
		Family:     e.Kind.String(),
		Keys:       e.Keys,
		Capacity:   e.Capacity,
		Bits:       bits,
		BitsPerKey: float64(bits) / float64(max(e.Keys, 1)),
		Hash:       e.hash(),
		Seed:       e.Seed,
		Kernel:     "generic",
		BuildBytes: e.BuildBytes,
	}
}
