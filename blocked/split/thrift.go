package split

import (
	"encoding/binary"
	"fmt"

	"github.com/tamis-filter/tamis/filters"
)

// The header before a bitset in a Parquet file, in Thrift's compact protocol:
//
//	struct BloomFilterHeader {
//	  1: i32 numBytes
//	  2: union { 1: SplitBlockAlgorithm } algorithm
//	  3: union { 1: XxHash } hash
//	  4: union { 1: Uncompressed } compression
//	}
//
// whose structs without a field say by being there what is used.

// The types of the compact protocol.
const (
	thriftStop   = 0
	thriftTrue   = 1
	thriftFalse  = 2
	thriftByte   = 3
	thriftI16    = 4
	thriftI32    = 5
	thriftI64    = 6
	thriftDouble = 7
	thriftBinary = 8
	thriftList   = 9
	thriftSet    = 10
	thriftMap    = 11
	thriftStruct = 12
)

// appendThriftHeader appends the header of a bitset.
func appendThriftHeader(b []byte, numBytes int32) []byte {
	b = append(b, 1<<4|thriftI32)
	b = binary.AppendUvarint(b, uint64(numBytes)<<1) // zigzag of a positive number
	for range 3 {
		b = append(b, 1<<4|thriftStruct, 1<<4|thriftStruct, thriftStop, thriftStop)
	}
	return append(b, thriftStop)
}

// parseThriftHeader returns what the header promises and where it ends.
func parseThriftHeader(data []byte) (numBytes uint64, end int, err error) {
	p := &thrift{data: data}
	var seen [5]bool
	p.fields(0, func(id int, kind byte) {
		switch {
		case id == 1 && kind == thriftI32:
			n := p.varint()
			numBytes = n >> 1
			if n&1 != 0 || numBytes > 1<<31-1 {
				p.fail("numBytes", n, "must be an i32 that is not negative")
			}
		case id >= 2 && id <= 4 && kind == thriftStruct:
			p.known(id)
		default:
			p.skip(kind, 0)
			return
		}
		seen[id] = true
	})
	for id := 1; id <= 4; id++ {
		if !seen[id] {
			p.fail(thriftFields[id], "missing", "is required")
		}
	}
	return numBytes, p.at, p.err
}

var thriftFields = [...]string{1: "numBytes", 2: "algorithm", 3: "hash", 4: "compression"}

// thrift reads the compact protocol. The first error stays, and ends all loops.
type thrift struct {
	data []byte
	at   int
	err  error
}

func (p *thrift) fail(field string, value any, bound string) {
	if p.err == nil {
		p.err = filters.Malformed("Parquet header, "+field, value, bound)
	}
}

func (p *thrift) byte() byte {
	if p.err != nil || p.at >= len(p.data) {
		p.fail("length", fmt.Sprintf("%d bytes", len(p.data)), "it ends within the header")
		return 0
	}
	p.at++
	return p.data[p.at-1]
}

func (p *thrift) varint() uint64 {
	if p.err == nil {
		if x, n := binary.Uvarint(p.data[p.at:]); n > 0 {
			p.at += n
			return x
		}
	}
	p.fail("length", fmt.Sprintf("%d bytes", len(p.data)), "it ends within a number, or that has more than 64 bits")
	return 0
}

// maxThriftDepth bounds how deep what is skipped may be nested.
const maxThriftDepth = 16

// fields calls do for each field of a struct, which must consume it.
func (p *thrift) fields(depth int, do func(id int, kind byte)) {
	if depth > maxThriftDepth {
		p.fail("nesting", depth, fmt.Sprintf("must be at most %d", maxThriftDepth))
	}
	for id := 0; p.err == nil; {
		head := p.byte()
		kind := head & 0x0f
		if kind == thriftStop {
			return
		}
		if delta := int(head >> 4); delta != 0 {
			id += delta
		} else {
			n := p.varint()
			id = int(int16(n>>1) ^ -int16(n&1))
		}
		if p.err == nil {
			do(id, kind)
		}
	}
}

// known reads a union of the header, of which field 1 must be the one chosen.
func (p *thrift) known(id int) {
	known := false
	p.fields(1, func(choice int, kind byte) {
		if choice != 1 || kind != thriftStruct {
			p.fail(thriftFields[id], fmt.Sprintf("choice %d", choice), "must be 1, the split-block algorithm, XXH64, uncompressed")
		}
		known = true
		p.skip(kind, 1)
	})
	if !known {
		p.fail(thriftFields[id], "empty", "must be choice 1")
	}
}

// skip passes over a value.
func (p *thrift) skip(kind byte, depth int) {
	switch kind {
	case thriftTrue, thriftFalse:
	case thriftByte:
		p.byte()
	case thriftI16, thriftI32, thriftI64:
		p.varint()
	case thriftDouble:
		p.advance(8)
	case thriftBinary:
		p.advance(p.varint())
	case thriftStruct:
		p.fields(depth+1, func(_ int, kind byte) { p.skip(kind, depth+1) })
	case thriftList, thriftSet, thriftMap:
		// The format has none here, and none with an element type is worth a loop
		// that a length of a stranger bounds.
		p.fail("field type", kind, "lists are unknown here")
	default:
		p.fail("field type", kind, "must be 1 to 12")
	}
}

func (p *thrift) advance(n uint64) {
	if p.err == nil && n > uint64(len(p.data)-p.at) {
		p.fail("length", fmt.Sprintf("%d bytes", len(p.data)), "it ends within a value")
	}
	if p.err == nil {
		p.at += int(n)
	}
}
