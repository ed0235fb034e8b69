package blocked

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/tamis-filter/tamis/asm"
	"github.com/tamis-filter/tamis/filters"
	"github.com/tamis-filter/tamis/filters/filtertest"
)

func mustNew(t *testing.T, c filters.Config) *Filter {
	t.Helper()
	f, err := New(c)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// What a line filter reaches for its bits: not the floor that a fixed k or
// reused hash bits would leave.
func TestRateAtBitsPerKey(t *testing.T) {
	const n, probes = 1_000_000, 20_000_000
	for _, c := range []struct{ bitsPerKey, most float64 }{{10, 0.0100}, {16, 0.00087}, {24, 0.000061}} {
		f := mustNew(t, filters.Config{Keys: n, BitsPerKey: c.bitsPerKey})
		f.AddBatch(filtertest.Hashes(1, 0, n))
		if got := f.Info().BitsPerKey; got > c.bitsPerKey {
			t.Errorf("%g bits per key asked, %g taken", c.bitsPerKey, got)
		}
		hits := f.MayContainBatch(filtertest.Hashes(2, 0, probes), nil)
		if float64(hits) > filtertest.Bound(probes, c.most) {
			t.Errorf("%g bits per key: rate %g, more than %g", c.bitsPerKey, float64(hits)/probes, c.most)
		}
		t.Logf("%g bits per key, k = %d: rate %.4g", c.bitsPerKey, f.k(), float64(hits)/probes)
	}
}

// The formula that sizes is the rate that shows, for every k.
func TestRateIsAsComputed(t *testing.T) {
	const n, probes = 200_000, 2_000_000
	for k := 1; k <= asm.MaxBlockedK; k++ {
		lines := uint64(n * (float64(k)*1.6 + 1) / lineBits)
		f := empty(filters.Config{Keys: n}, lines, k)
		f.AddBatch(filtertest.Hashes(1, 0, n))
		want := rate(lines, n, k)
		hits := float64(f.MayContainBatch(filtertest.Hashes(2, 0, probes), nil))
		// Beside the probes, which block a key falls into is chance.
		if hits > filtertest.Bound(probes, 1.02*want) || hits < 2*probes*0.98*want-filtertest.Bound(probes, 0.98*want) {
			t.Errorf("k = %d: rate %g, computed %g", k, hits/probes, want)
		}
	}
}

func TestGeometryIsOptimal(t *testing.T) {
	for _, n := range []uint64{1, 10, 1000, 1e6, 1e9} {
		for p := 0.5; p > 1e-8; p /= 3 {
			lines, k, err := Geometry(n, p)
			if errors.Is(err, filters.ErrTooLarge) && filters.MaxPayload < 1<<32 {
				continue
			}
			if err != nil {
				t.Fatal(err)
			}
			if r := rate(lines, n, k); r > p {
				t.Errorf("n = %d, p = %g: rate %g", n, p, r)
			}
			// By no k can it do with fewer lines, but for the room of k = 8.
			fewer := lines - 1
			if k == 8 {
				if fewer > 0 && rate(fewer, n, 8) <= p {
					t.Errorf("n = %d, p = %g: %d lines of k = 8, but one less would do", n, p, lines)
				}
				fewer = uint64(float64(lines)/(1+1.0/wordRoom)) - 1
			} else if rate(lines+lines/wordRoom, n, 8) <= p || k > 1 && rate(lines, n, k-1) <= p {
				t.Errorf("n = %d, p = %g: k = %d, but 8, or one less, would do", n, p, k)
			}
			if int64(fewer) > 0 {
				if _, least := bestK(fewer, n, 8); least <= p {
					t.Errorf("n = %d, p = %g: k = %d, %d lines, but %d have rate %g", n, p, k, lines, fewer, least)
				}
			}
		}
	}
}

// Every rate that can be asked for is in reach; a budget of less than a line is not.
func TestReach(t *testing.T) {
	if _, _, err := Geometry(1e6, filters.MinFPR); err != nil {
		t.Error(err)
	}
	if _, err := New(filters.Config{Keys: 1, MaxBytes: filters.HeaderSize + asm.LineBytes - 1}); !errors.Is(err, filters.ErrUnreachable) {
		t.Errorf("less than a line: %v", err)
	}
}

// The k chosen under the blocked formula beats its neighbours, and all others.
func TestBestK(t *testing.T) {
	for bitsPerKey := 1.0; bitsPerKey < 60; bitsPerKey *= 1.2 {
		for _, n := range []uint64{1, 100, 1e6} {
			blocks := max(1, uint64(float64(n)*bitsPerKey/512))
			k, least := bestK(blocks, n, 8)
			for other := 1; other <= 16; other++ {
				if r := rate(blocks, n, other); r < least {
					t.Errorf("%.1f bits per key, %d keys: k = %d has %g, k = %d has %g", bitsPerKey, n, k, least, other, r)
				}
			}
		}
	}
	if k, _ := bestK(16e6/512, 1e6, 1); k != 9 {
		t.Errorf("16 bits per key: k = %d, want 9 (not the classic 11)", k)
	}
	// Published rates of 512-bit blocks (RocksDB's filter_bench and the
	// formula of Putze et al.).
	for _, c := range []struct{ bitsPerKey, most float64 }{{10, 0.0100}, {16, 0.00087}, {24, 0.000061}} {
		blocks := uint64(1e6 * c.bitsPerKey / 512)
		if _, least := bestK(blocks, 1e6, 16); least > c.most || least < c.most/2 {
			t.Errorf("%.0f bits per key: rate %.4g, want about %.4g", c.bitsPerKey, least, c.most)
		}
	}
}

// Lines of few keys, where the words that keys share tell, against the rate that
// shows over many filters.
func TestRateOfFewKeys(t *testing.T) {
	const filtersMade, probes = 4000, 4000
	for _, n := range []int{1, 2, 3, 5, 10, 20} {
		for k := 1; k <= 10; k += 1 + k/4 {
			want := rate(1, uint64(n), k)
			if want*filtersMade*probes < 50 {
				continue // too rare to be seen
			}
			hits := 0
			for i := range uint64(filtersMade) {
				f := empty(filters.Config{}, 1, k)
				f.AddBatch(filtertest.Hashes(2*i, 0, n))
				hits += f.MayContainBatch(filtertest.Hashes(2*i+1, 0, probes), nil)
			}
			const total = filtersMade * probes
			// The filters differ from one another too: a tenth at the most.
			most := filtertest.Bound(total, want*1.02) + 5*0.1*want*total/63
			least := 2*want*total - most
			if float64(hits) > most || float64(hits) < least {
				t.Errorf("n = %d, k = %d: rate %g, computed %g", n, k, float64(hits)/total, want)
			}
		}
	}
}

func TestUnion(t *testing.T) {
	c := filters.Config{Keys: 2000, FPR: 0.01}
	one, two, both := mustNew(t, c), mustNew(t, c), mustNew(t, c)
	hashes := filtertest.Hashes(1, 0, 2000)
	one.AddBatch(hashes[:1000])
	two.AddBatch(hashes[1000:])
	both.AddBatch(hashes)
	if err := one.Union(two); err != nil || one.Info() != both.Info() || !slices.Equal(one.file.Payload, both.file.Payload) {
		t.Errorf("the union is not the filter of both key sets: %v", err)
	}
	before := one.Info()
	if err := one.Union(one); err != nil || one.Info() != before {
		t.Errorf("union with itself: %v", err)
	}
	for want, g := range map[string]filters.Filter{
		"seed is 7, must be 0":   mustNew(t, filters.Config{Keys: 2000, FPR: 0.01, Seed: 7}),
		"size is 78, must be 39": mustNew(t, filters.Config{Keys: 4000, BitsPerKey: 10}),
		"k is 7, must be 6":      empty(filters.Config{}, 39, 7),
	} {
		if err := one.Union(g); !errors.Is(err, filters.ErrMismatch) || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, does not say %q", err, want)
		}
	}
	if one.Info() != before {
		t.Error("a refused union changed the filter")
	}
}

func TestZeroValue(t *testing.T) {
	var f Filter
	if f.MayContainHash(1) || f.MayContainBatch([]filters.Hash{1, 2}, nil) != 0 {
		t.Error("accepts a key")
	}
	if f.AddHash(1) == nil || f.Info().Keys != 0 {
		t.Error("takes a key")
	}
	file, _ := f.AppendBinary(nil)
	if _, err := Open(file); !errors.Is(err, filters.ErrFormat) {
		t.Errorf("a filter of no lines opens: %v", err)
	}
	f.Clone().Info()
}
