package filters

import "unsafe"

// lineSize is the cache line that filter arrays are aligned to.
const lineSize = 64

// hugePage is the usual size of a huge page; smaller arrays do not fill one.
const hugePage = 2 << 20

// Bytes returns n zeroed bytes that start on a cache line, so that a 64-byte
// block never straddles two. Large arrays ask for huge pages where there are
// such. n must be at most MaxPayload.
func Bytes(n uint64) []byte {
	b := make([]byte, n+lineSize-1)
	if n >= hugePage {
		hugePages(b)
	}
	// The address is only computed with, never turned back into a pointer;
	// the garbage collector does not move what make returned.
	skip := -uintptr(unsafe.Pointer(unsafe.SliceData(b))) % lineSize
	return b[skip : skip+uintptr(n) : skip+uintptr(n)]
}

// Array returns n zero values. A large array asks for huge pages where there
// are such: it is written sooner too.
func Array[T ~uint32 | ~uint64](n int) []T {
	a := make([]T, n)
	if size := n * int(unsafe.Sizeof(T(0))); size >= hugePage {
		// The view is of the very same bytes and is not kept; TestArray has
		// all of them written.
		hugePages(unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(a))), size))
	}
	return a
}

// A MaxPayload that an int does not hold fails to compile: the architecture is
// then missing in limit_32.go.
const _ = int(MaxPayload)
