package asm

import (
	"math/rand/v2"
	"syscall"
	"testing"
	"unsafe"
)

// guarded copies b to memory that ends, or begins, at a page that cannot be
// touched.
func guarded(t *testing.T, b []byte, atEnd bool) []byte {
	t.Helper()
	page := syscall.Getpagesize()
	size := (len(b) + page - 1) / page * page
	m, err := syscall.Mmap(-1, 0, size+2*page, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { syscall.Munmap(m) })
	for _, guard := range [][]byte{m[:page], m[page+size:]} {
		if err := syscall.Mprotect(guard, syscall.PROT_NONE); err != nil {
			t.Fatal(err)
		}
	}
	from := page
	if atEnd {
		from += size - len(b)
	}
	copied := m[from : from+len(b) : from+len(b)]
	copy(copied, b)
	return copied
}

// No kernel touches a byte before or behind any of its buffers.
func TestKernelsStayInside(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for _, count := range []int{1, 2, 63, 64, 65} {
		for _, n := range []int{8, 63, 64, 65, 200} {
			for _, atEnd := range []bool{false, true} {
				hashes := randomHashes(r, n)
				f := fill(r, hashes, count, 6)
				words := func(w []uint64) []uint64 {
					b := guarded(t, unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(w))), 8*len(w)), atEnd)
					return unsafe.Slice((*uint64)(unsafe.Pointer(unsafe.SliceData(b))), len(w))
				}
				hashes = words(hashes)
				hits, bumped := words(make([]uint64, (n+63)/64)), words(make([]uint64, (n+63)/64))
				f.bits = guarded(t, f.bits, atEnd)
				f.lines, f.blocks = guarded(t, f.lines, atEnd), guarded(t, f.blocks, atEnd)
				for bits, table := range f.tables {
					f.tables[bits] = guarded(t, table, atEnd)
				}
				for _, l := range f.layers {
					l.Solution = guarded(t, l.Solution, atEnd)
					if l.Thresholds != nil {
						l.Thresholds = guarded(t, l.Thresholds, atEnd)
					}
				}
				atEachLevel(func(Level) {
					for k := 1; k <= MaxBlockedK; k++ {
						ProbeStandard(f.bits, f.m, k, hashes, hits)
						ProbeBlocked(f.lines, k, hashes, hits)
						InsertBlocked(f.lines, k, hashes)
						HasBlocked(f.lines, k, hashes[0])
						HasBlocked(f.lines, k, 1<<64-1)
					}
					ProbeSplit(f.blocks, hashes, hits)
					InsertSplit(f.blocks, hashes)
					HasSplit(f.blocks, hashes[0])
					HasSplit(f.blocks, 1<<64-1)
					for bits, table := range f.tables {
						ProbeCuckoo(table, uint64(count), bits, hashes, hits)
					}
					for _, l := range f.layers {
						ProbeRibbon(l, hashes, hits, bumped)
					}
				})
			}
		}
	}
}
