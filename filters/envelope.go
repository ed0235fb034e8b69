package filters

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"

	"github.com/zeebo/xxh3"
)

// HeaderSize is the length of the header in front of every payload: one cache
// line, so that a payload in a page-aligned mapping is line-aligned too.
const HeaderSize = 64

// Version is the file format version that this package writes and reads.
const Version = 1

// Kind names a family and its layout in a file.
type Kind uint8

// The kinds of format version 1. Numbers are never reused.
const (
	Standard  Kind = 1
	Blocked   Kind = 2
	Split     Kind = 3
	Cuckoo    Kind = 4
	Ribbon    Kind = 5
	Retrieval Kind = 6 // no filter: ribbon.Retrieval
	Exact     Kind = 7
)

var kindNames = [...]string{Standard: "standard", Blocked: "blocked", Split: "split", Cuckoo: "cuckoo", Ribbon: "ribbon", Retrieval: "retrieval", Exact: "exact"}

// String is the family's name in package all.
func (k Kind) String() string {
	if k == 0 || int(k) >= len(kindNames) {
		return fmt.Sprintf("kind %d", uint8(k))
	}
	return kindNames[k]
}

// Offsets of the header's fields. All integers are little-endian.
//
// Readers check each field against its range and against the others. What only
// the builder can know (the seed, a k, a number of bits that fills the same
// words, the round of a ribbon's last layer) no reader can check: the checksums
// guard it against accident, and nothing against a forger, who could as well
// write another filter.
const (
	offMagic      = 0  // 4 bytes
	offVersion    = 4  // 1 byte
	offKind       = 5  // 1 byte
	offHash       = 6  // 1 byte: hashXXH3, or hashXXH64 in a split filter
	offParam      = 7  // 1 byte
	offSeed       = 8  // 8 bytes
	offKeys       = 16 // 8 bytes
	offCapacity   = 24 // 8 bytes
	offSize       = 32 // 8 bytes
	offPayloadLen = 40 // 8 bytes
	offPayloadSum = 48 // 8 bytes: XXH3-64 of the payload
	offHeaderSum  = 56 // 8 bytes: XXH3-64 of the 56 bytes before it
)

// maxCount bounds the keys that a file says were added, so that a few more, or
// those of another filter, do not overflow.
const maxCount = 1 << 56

// Hash identities.
const (
	hashXXH3  = 1 // XXH3-64 under the header's seed
	hashXXH64 = 2 // XXH64, as in Parquet files; the header's seed is 0
)

// magic starts with a byte that no text file starts with.
var magic = []byte{0x9f, 't', 'm', 's'}

// Envelope is what a filter file holds: the header's fields and the payload.
type Envelope struct {
	Kind     Kind
	XXH64    bool   // split: keys are hashed by XXH64, not by a Hasher
	Param    uint8  // standard, blocked: k; cuckoo: fingerprint bits; ribbon, retrieval: columns; exact: parts
	Seed     uint64 // of the Hasher
	Keys     uint64 // keys in the filter
	Capacity uint64 // keys it was sized for
	Size     uint64 // standard: bits; blocked, split: blocks; cuckoo: buckets; ribbon, retrieval: rows over all layers; exact: keys and excluded keys
	Payload  []byte

	BuildBytes uint64 // of Info; not in the file

	// unverified is set by DecodeUnverified. sum is then the payload's checksum
	// as the file has it: saving writes that one, so that damage stays damage.
	unverified bool
	sum        uint64
}

// FileBytes is the size of the file.
func (e *Envelope) FileBytes() uint64 { return HeaderSize + uint64(len(e.Payload)) }

// Unverified reports whether the payload is one that DecodeUnverified returned.
func (e *Envelope) Unverified() bool { return e.unverified }

// hash names the hash of the keys.
func (e *Envelope) hash() string {
	if e.XXH64 {
		return "XXH64"
	}
	return "XXH3-64"
}

// With returns e with another payload.
func (e Envelope) With(payload []byte) Envelope {
	e.Payload, e.unverified, e.sum = payload, false, 0
	return e
}

// Clone returns e with a copy of the payload that can be changed.
func (e *Envelope) Clone() Envelope {
	payload := Bytes(uint64(len(e.Payload)))
	copy(payload, e.Payload)
	return e.With(payload)
}

// errZeroValue is the error for saving a filter that nothing made.
var errZeroValue = &FieldError{ErrConfig, "filter", "the zero value", "make one with New, Build or Open"}

// header returns the encoded header.
func (e *Envelope) header() [HeaderSize]byte {
	var h [HeaderSize]byte
	copy(h[offMagic:], magic)
	h[offVersion] = Version
	h[offKind] = byte(e.Kind)
	h[offHash] = hashXXH3
	if e.XXH64 {
		h[offHash] = hashXXH64
	}
	h[offParam] = e.Param
	le := binary.LittleEndian
	le.PutUint64(h[offSeed:], e.Seed)
	le.PutUint64(h[offKeys:], e.Keys)
	le.PutUint64(h[offCapacity:], e.Capacity)
	le.PutUint64(h[offSize:], e.Size)
	le.PutUint64(h[offPayloadLen:], uint64(len(e.Payload)))
	sum := e.sum
	if !e.unverified {
		sum = xxh3.Hash(e.Payload)
	}
	le.PutUint64(h[offPayloadSum:], sum)
	le.PutUint64(h[offHeaderSum:], xxh3.Hash(h[:offHeaderSum]))
	return h
}

// AppendBinary appends header and payload to b.
func (e *Envelope) AppendBinary(b []byte) ([]byte, error) {
	if e.Kind == 0 {
		return b, errZeroValue
	}
	h := e.header()
	return append(append(b, h[:]...), e.Payload...), nil
}

// WriteTo writes header and payload to w. The payload is not copied.
func (e *Envelope) WriteTo(w io.Writer) (int64, error) {
	if e.Kind == 0 {
		return 0, errZeroValue
	}
	h := e.header()
	n, err := w.Write(h[:])
	if err != nil {
		return int64(n), err
	}
	m, err := w.Write(e.Payload)
	return int64(n) + int64(m), err
}

// IsFile reports whether data begins like a filter file.
func IsFile(data []byte) bool { return bytes.HasPrefix(data, magic) }

// ReadHeader returns the family of a filter file and the bytes that it takes, of
// which at least the header must be there. It validates the header by its
// checksum.
func ReadHeader(data []byte) (kind Kind, fileBytes uint64, err error) {
	if len(data) < HeaderSize {
		return 0, 0, &FieldError{ErrFormat, "length", fmt.Sprintf("%d bytes", len(data)), fmt.Sprintf("a header takes %d", HeaderSize)}
	}
	if !bytes.Equal(data[:len(magic)], magic) {
		return 0, 0, &FieldError{ErrFormat, "magic", fmt.Sprintf("%x", data[:len(magic)]), fmt.Sprintf("must be %x", magic)}
	}
	if v := data[offVersion]; v != Version {
		return 0, 0, &FieldError{ErrFormat, "version", v, fmt.Sprintf("this build reads version %d", Version)}
	}
	le := binary.LittleEndian
	if got, want := xxh3.Hash(data[:offHeaderSum]), le.Uint64(data[offHeaderSum:]); got != want {
		return 0, 0, &FieldError{ErrChecksum, "header checksum", fmt.Sprintf("%016x", got), fmt.Sprintf("the file says %016x; fetch it again", want)}
	}
	k := Kind(data[offKind])
	if k == 0 || int(k) >= len(kindNames) {
		return 0, 0, &FieldError{ErrFormat, "family", data[offKind], fmt.Sprintf("this build knows 1 to %d", len(kindNames)-1)}
	}
	n := le.Uint64(data[offPayloadLen:])
	if n > MaxPayload {
		return 0, 0, &FieldError{ErrFormat, "payload length", n, fmt.Sprintf("must be at most %d here", uint64(MaxPayload))}
	}
	return k, HeaderSize + n, nil
}

// Decode reads a filter file of the given kind. The payload it returns is a
// part of data, not a copy. It validates whatever does not depend on the
// family, both checksums included; the family validates the rest.
func Decode(data []byte, want Kind) (Envelope, error) {
	e, err := DecodeUnverified(data, want)
	if err != nil {
		return Envelope{}, err
	}
	if got := xxh3.Hash(e.Payload); got != e.sum {
		return Envelope{}, &FieldError{ErrChecksum, "payload checksum", fmt.Sprintf("%016x", got), fmt.Sprintf("the file says %016x; fetch it again", e.sum)}
	}
	e.unverified = false
	return e, nil
}

// DecodeUnverified is Decode but for the payload's checksum, and so does not
// read the payload.
func DecodeUnverified(data []byte, want Kind) (Envelope, error) {
	kind, fileBytes, err := ReadHeader(data)
	if err != nil {
		return Envelope{}, err
	}
	if kind != want {
		return Envelope{}, &FieldError{ErrFormat, "family", kind, fmt.Sprintf("must be %v", want)}
	}
	le := binary.LittleEndian
	hash, seed := data[offHash], le.Uint64(data[offSeed:])
	if hash != hashXXH3 && (hash != hashXXH64 || kind != Split) {
		return Envelope{}, &FieldError{ErrFormat, "hash", hash, fmt.Sprintf("must be %d (XXH3-64), or %d (XXH64) in a split filter", hashXXH3, hashXXH64)}
	}
	if hash == hashXXH64 && seed != 0 {
		return Envelope{}, &FieldError{ErrFormat, "seed", seed, "must be 0 for XXH64"}
	}
	payload := data[HeaderSize:]
	if fileBytes != uint64(len(data)) {
		return Envelope{}, &FieldError{ErrFormat, "payload length", fmt.Sprintf("%d bytes", fileBytes-HeaderSize), fmt.Sprintf("but %d are there", len(payload))}
	}
	keys, capacity := le.Uint64(data[offKeys:]), le.Uint64(data[offCapacity:])
	if keys > maxCount {
		return Envelope{}, &FieldError{ErrFormat, "keys", keys, "must be at most 2^56"}
	}
	if capacity > MaxKeys {
		return Envelope{}, &FieldError{ErrFormat, "capacity", capacity, "must be at most 2^40"}
	}
	return Envelope{
		Kind:     kind,
		XXH64:    hash == hashXXH64,
		Param:    data[offParam],
		Seed:     seed,
		Keys:     keys,
		Capacity: capacity,
		Size:     le.Uint64(data[offSize:]),
		Payload:  payload[:len(payload):len(payload)],

		unverified: true,
		sum:        le.Uint64(data[offPayloadSum:]),
	}, nil
}

// Malformed returns the ErrFormat for a field that a family finds out of range.
func Malformed(field string, value any, bound string) error {
	return &FieldError{ErrFormat, field, value, bound}
}
