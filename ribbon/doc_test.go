package ribbon

import (
	"encoding/binary"
	"math/bits"
	"testing"

	"github.com/tamis-filter/tamis/filters"
	"github.com/tamis-filter/tamis/filters/filtertest"
)

// documented answers from the bytes of a file as doc.go has it, bit by bit.
func documented(file []byte, h uint64) bool {
	le := binary.LittleEndian
	r := uint64(file[7])
	narrow, layers, lastRound := uint64(le.Uint32(file[64:])), int(file[68]), uint64(file[69])
	solution := uint64(128)
	thresholds := solution
	block := func(blocks, b uint64) uint64 { return 8 * (b*r - min(b, narrow*(blocks-1)>>32)) }
	for i := range layers {
		n := le.Uint64(file[72+8*i:])
		thresholds += block(n, n)
	}
	for i := range layers {
		round := uint64(i)
		if i == layers-1 {
			round = lastRound
		}
		if round > 0 {
			h += round * 0x9e6c63d0676a9a99
			h = (h ^ h>>32) * 0xd1342543de82ef95
			h = (h ^ h>>29) * 0xaf251af3b0f025b5
			h ^= h >> 32
		}
		n := le.Uint64(file[72+8*i:])
		s, _ := bits.Mul64(h, 64*(n-1))
		if i < layers-1 {
			bucket := s / 128
			code := file[thresholds+bucket/4] >> (2 * (bucket % 4)) & 3
			if s%128 < [4]uint64{0, 18, 38, 128}[code] {
				solution += block(n, n)
				thresholds += (n - 1 + 63) / 64 * 8 // two bits for two blocks
				continue
			}
		}
		tiles := r == 8 && narrow == 0
		columns := r
		if s/64 < narrow*(n-1)>>32 {
			columns--
		}
		for j := range columns {
			sum := (h * 0xaf251af3b0f025b5) >> (32 + j)
			for k := range uint64(64) {
				row := s + k
				if tiles && k >= 64-s%8 || k > 0 && h*0xd1342543de82ef95>>k&1 == 0 {
					continue
				}
				if tiles {
					sum ^= uint64(file[solution+row/8*8+7-j] >> (row % 8))
				} else {
					sum ^= le.Uint64(file[solution+block(n, row/64)+8*j:]) >> (row % 64)
				}
			}
			if sum&1 != 0 {
				return false
			}
		}
		return true
	}
	return false
}

// A reader that knows doc.go alone gives the filter's answers.
func TestDocumentation(t *testing.T) {
	for _, n := range []int{0, 1, 700, 2001, 40_000} {
		for _, p := range []float64{0.5, 1.0 / 256, 0.01, 0.3, 1e-6} {
			members := filtertest.Hashes(9, 0, n)
			f := mustBuild(t, members, filters.Config{FPR: p})
			file, _ := f.AppendBinary(nil)
			for i, h := range append(members[:min(n, 3000)], filtertest.Hashes(9, 1<<40, 3000)...) {
				if got, want := documented(file, uint64(h)), f.MayContainHash(h); got != want || i < min(n, 3000) && !got {
					t.Fatalf("%d keys, p = %g, hash %#x: %v as documented, %v", n, p, uint64(h), got, want)
				}
			}
		}
	}
}
