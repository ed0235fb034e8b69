package asm

import (
	"fmt"
	"math/rand/v2"
	"slices"
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
		for _, n := range []int{8, 24, 63, 64, 65, 200} {
			for _, atEnd := range []bool{false, true} {
				hashes := randomHashes(r, n)
				f := fill(r, hashes, count, 6)
				words := func(w []uint64) []uint64 {
					b := guarded(t, unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(w))), 8*len(w)), atEnd)
					return unsafe.Slice((*uint64)(unsafe.Pointer(unsafe.SliceData(b))), len(w))
				}
				hashes = words(hashes)
				hits := words(make([]uint64, (n+63)/64))
				f.bits = guarded(t, f.bits, atEnd)
				f.lines, f.blocks = guarded(t, f.lines, atEnd), guarded(t, f.blocks, atEnd)
				for bits, table := range f.tables {
					f.tables[bits] = guarded(t, table, atEnd)
				}
				for i, ribbon := range f.ribbons {
					f.ribbons[i] = withArrays(ribbon, func(b []byte) []byte { return guarded(t, b, atEnd) })
				}
				atEachLevel(func(Level) {
					for k := 1; k <= MaxBlockedK; k++ {
						ProbeStandard(f.bits, f.m, k, hashes, hits)
						ProbeBlocked(f.lines, k, hashes, hits)
						InsertBlocked(f.lines, k, hashes)
						HasBlocked(&f.lines, k, hashes[0])
						HasBlocked(&f.lines, k, 1<<64-1)
					}
					ProbeSplit(f.blocks, hashes, hits)
					InsertSplit(f.blocks, hashes)
					HasSplit(&f.blocks, hashes[0])
					HasSplit(&f.blocks, 1<<64-1)
					for bits, table := range f.tables {
						ProbeCuckoo(table, uint64(count), bits, hashes, hits)
					}
					for _, ribbon := range f.ribbons {
						ProbeRibbon(ribbon, hashes, hits)
						for _, h := range hashes {
							HasRibbon(ribbon, h)
						}
					}
				})
			}
		}
	}
}

// Nor do those that build a ribbon; of the window of a bucket they leave alone
// what its keys cannot take.
func TestBandKernelsStayInside(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 3))
	const canary = 0x5555555555555555
	for _, n := range []int{1, 2, 60, 136} {
		for _, atEnd := range []bool{false, true} {
			rows := func(n int) []uint64 {
				b := guarded(t, make([]byte, 8*n), atEnd)
				return unsafe.Slice((*uint64)(unsafe.Pointer(unsafe.SliceData(b))), n)
			}
			hashes, masks := rows(n), rows(RibbonBucket)
			copy(hashes, bandHashes(r, 0, n, RibbonBucket))
			for i := range masks {
				masks[i] = ^uint64(0)
			}
			cs, fs := rows(RibbonWindow), guarded(t, make([]byte, 4*RibbonWindow), atEnd)
			fingerprints := unsafe.Slice((*uint32)(unsafe.Pointer(unsafe.SliceData(fs))), RibbonWindow)
			l := &RibbonLayer{Starts: RibbonBucket, Columns: 8}
			l.Solution = guarded(t, make([]byte, l.BlockOffset(3)), atEnd)
			atEachLevel(func(level Level) {
				clear(cs)
				clear(fingerprints)
				for i := RibbonBucket + 64; i < RibbonWindow; i++ {
					cs[i], fingerprints[i] = canary, canary&(1<<32-1)
				}
				InsertRibbon(cs, fingerprints, hashes, nil, RibbonBucket, 0, (*[RibbonBucket]uint64)(masks))
				for i := RibbonBucket + 64; i < RibbonWindow; i++ {
					if cs[i] != canary || fingerprints[i] != canary&(1<<32-1) {
						t.Fatalf("%v: row %d is changed", level, i)
					}
				}
				SolveRibbon(l, cs[:192], fingerprints[:192], 0, 3)
			})
		}
	}
}

// sparse returns zeroed memory of which only what is written takes up room.
func sparse(t *testing.T, n uint64) []byte {
	t.Helper()
	const mapNoReserve = 0x4000
	m, err := syscall.Mmap(-1, 0, int(n), syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_ANON|syscall.MAP_PRIVATE|mapNoReserve)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { syscall.Munmap(m) })
	return m
}

// The largest arrays that kernels take, of almost 2^32 blocks, and the first that
// they do not.
func TestKernelsAround2To32(t *testing.T) {
	if unsafe.Sizeof(uintptr(0)) < 8 {
		t.Skip("there is no such array where addresses have 32 bits")
	}
	r := rand.New(rand.NewPCG(2, 2))
	hashes := randomHashes(r, 300)
	for _, count := range []uint64{1<<32 - 2, 1<<32 - 1, 1 << 32, 1<<32 + 1} {
		lines := sparse(t, count*LineBytes)
		for _, h := range hashes[:150] {
			AddBlocked(lines, 6, h)
		}
		sameAtEachLevel(t, fmt.Sprintf("blocked, %d lines", count), hashes, func(h, hits []uint64) int { return ProbeBlocked(lines, 6, h, hits) })
		table := sparse(t, count*uint64(CuckooBucketBytes(12))+CuckooPadding)
		for i, h := range hashes[:150] {
			fp, bucket := CuckooPlace(h, count, 12)
			if i%2 == 0 {
				bucket = CuckooOther(bucket, fp, count)
			}
			CuckooSetSlot(table, 12, bucket, i%4, fp)
		}
		sameAtEachLevel(t, fmt.Sprintf("cuckoo, %d buckets", count), hashes, func(h, hits []uint64) int { return ProbeCuckoo(table, count, 12, h, hits) })
		bits := sparse(t, count/8+8)
		for _, h := range hashes[:150] {
			AddStandard(bits, count, 7, h)
		}
		sameAtEachLevel(t, fmt.Sprintf("standard, %d bits", count), hashes, func(h, hits []uint64) int { return ProbeStandard(bits, count, 7, h, hits) })
		if count < 1<<32 {
			blocks := sparse(t, count*SplitBytes)
			for _, h := range hashes[:150] {
				AddSplit(blocks, h)
			}
			sameAtEachLevel(t, fmt.Sprintf("split, %d blocks", count), hashes, func(h, hits []uint64) int { return ProbeSplit(blocks, h, hits) })
		}
	}
	for _, m := range []uint64{1 << 32, 1 << 33, 6_000_000_000} {
		array := sparse(t, m/8+8)
		beyond := 0
		for _, h := range hashes[:150] {
			AddStandard(array, m, 7, h)
			for _, at := range positions(h, m, 7) {
				if array[at/8]>>(at%8)&1 == 0 {
					t.Fatalf("%d bits: position %d is not set", m, at)
				}
				if at >= m/2 {
					beyond++
				}
			}
		}
		if beyond < 400 || beyond > 650 { // of 1050, ten sigma
			t.Errorf("%d bits: %d of 1050 positions in the upper half", m, beyond)
		}
		sameAtEachLevel(t, fmt.Sprintf("standard, %d bits", m), hashes, func(h, hits []uint64) int { return ProbeStandard(array, m, 7, h, hits) })
	}
	for _, starts := range []uint64{1<<32 - 64, 1 << 32} {
		for _, columns := range []int{7, 8} {
			var layers []RibbonLayer
			x := slices.Clone(hashes)
			for i := range uint64(2) {
				l := RibbonLayer{Starts: starts, Columns: columns, Tiled: columns == 8}
				if i == 0 {
					l.Thresholds = sparse(t, starts/128/4+8)
				}
				l.Solution = sparse(t, l.BlockOffset(starts/64+1))
				for j, h := range x {
					h = RibbonRehash(h, i)
					x[j] = h
					start, _ := RibbonRow(h, starts)
					l.Solution[l.BlockOffset(start/64)] = byte(h)
					if i == 0 {
						l.Thresholds[start/RibbonBucket/4] = byte(h >> 8)
					}
				}
				layers = append(layers, l)
			}
			ribbon := MakeRibbon(layers, 1)
			sameAtEachLevel(t, fmt.Sprintf("ribbon, %d starts, %d columns", starts, columns), hashes, func(h, hits []uint64) int { return ProbeRibbon(&ribbon, h, hits) })
		}
	}
}
