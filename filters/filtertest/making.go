package filtertest

import (
	"errors"
	"fmt"
	"math"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/tamis-filter/tamis/filters"
)

// testBuild checks that building leaves its input alone, that two builds do not
// share memory, and that the same keys give the same file.
func testBuild(t *testing.T, f filters.Family) {
	first, second := Hashes(7, 0, 5000), Hashes(8, 0, 5000)
	input := slices.Clone(first)
	one := build(t, f, input, filters.Config{FPR: 0.01})
	if !slices.Equal(input, first) {
		t.Error("Build changed its input")
	}
	before := encode(t, one)
	two := build(t, f, second, filters.Config{FPR: 0.01})
	requireMembers(t, one, first)
	requireMembers(t, two, second)
	if !slices.Equal(before, encode(t, one)) {
		t.Error("a second build changed the first filter")
	}
	if !slices.Equal(before, encode(t, build(t, f, first, filters.Config{FPR: 0.01}))) {
		t.Error("the same keys give another file")
	}
	if _, err := f.Build(seq(first), filters.Config{Keys: 4999, FPR: 0.01}); !errors.Is(err, filters.ErrConfig) || !strings.Contains(err.Error(), "4999") {
		t.Errorf("more hashes than Keys: %v", err)
	}
	if _, err := f.Build(nil, filters.Config{FPR: 0.01}); !errors.Is(err, filters.ErrConfig) {
		t.Errorf("no sequence: %v", err)
	}
	if info := one.Info(); info.Family != f.Name() || info.Keys != 5000 || info.Capacity != 5000 || info.Kernel == "" || info.Layout == "" {
		t.Errorf("info %+v", info)
	}
}

// testGrow adds key by key and in batches.
func testGrow(t *testing.T, f filters.Family) {
	if f.New == nil {
		if _, ok := build(t, f, Hashes(9, 0, 10), filters.Config{FPR: 0.01}).(filters.Adder); ok {
			t.Error("a family without New has filters that grow")
		}
		return
	}
	members := Hashes(9, 0, 2000)
	one, err := f.New(filters.Config{Keys: 2000, FPR: 0.01})
	if err != nil {
		t.Fatal(err)
	}
	two, err := f.New(filters.Config{Keys: 2000, FPR: 0.01})
	if err != nil {
		t.Fatal(err)
	}
	for i, h := range members {
		if err := one.AddHash(h); err != nil {
			t.Fatal(err)
		}
		if !one.MayContainHash(h) || one.Info().Keys != uint64(i+1) {
			t.Fatalf("key %d: denied or not counted", i)
		}
	}
	if n, err := two.AddBatch(members); n != len(members) || err != nil {
		t.Fatalf("AddBatch: %d, %v", n, err)
	}
	if !slices.Equal(encode(t, one), encode(t, two)) {
		t.Error("a batch and single adds differ")
	}
	if err := errors.Join(one.Add([]byte("bytes")), one.AddString("text")); err != nil {
		t.Fatal(err)
	}
	if !one.MayContainString("bytes") || !one.MayContain([]byte("text")) {
		t.Error("a key is denied")
	}
}

// testConfig checks that whatever is out of range is refused, by an error that
// names the field, before anything is allocated.
func testConfig(t *testing.T, f filters.Family) {
	nan, inf := math.NaN(), math.Inf(1)
	for _, test := range []struct {
		config filters.Config
		field  string
		err    error
	}{
		{filters.Config{}, "Keys", filters.ErrConfig},
		{filters.Config{FPR: 0.01}, "Keys", filters.ErrConfig},
		{filters.Config{Keys: 100}, "goals set (of FPR, BitsPerKey, MaxBytes)", filters.ErrConfig},
		{filters.Config{Keys: 100, FPR: 0.01, BitsPerKey: 10}, "goals set (of FPR, BitsPerKey, MaxBytes)", filters.ErrConfig},
		{filters.Config{Keys: 100, FPR: 0.01, MaxBytes: 1000}, "goals set (of FPR, BitsPerKey, MaxBytes)", filters.ErrConfig},
		{filters.Config{Keys: 100, FPR: -1}, "FPR", filters.ErrConfig},
		{filters.Config{Keys: 100, FPR: 1}, "FPR", filters.ErrConfig},
		{filters.Config{Keys: 100, FPR: 2}, "FPR", filters.ErrConfig},
		{filters.Config{Keys: 100, FPR: 1e-300}, "FPR", filters.ErrConfig},
		{filters.Config{Keys: 100, FPR: nan}, "FPR", filters.ErrConfig},
		{filters.Config{Keys: 100, FPR: inf}, "FPR", filters.ErrConfig},
		{filters.Config{Keys: 100, FPR: -inf}, "FPR", filters.ErrConfig},
		{filters.Config{Keys: 100, BitsPerKey: -8}, "BitsPerKey", filters.ErrConfig},
		{filters.Config{Keys: 100, BitsPerKey: 0.5}, "BitsPerKey", filters.ErrConfig},
		{filters.Config{Keys: 100_000, MaxBytes: 200}, "MaxBytes", filters.ErrUnreachable},
		{filters.Config{Keys: 100, BitsPerKey: nan}, "BitsPerKey", filters.ErrConfig},
		{filters.Config{Keys: 100, BitsPerKey: inf}, "BitsPerKey", filters.ErrConfig},
		{filters.Config{Keys: 100, MaxBytes: 1}, "MaxBytes", filters.ErrConfig},
		{filters.Config{Keys: 100, MaxBytes: filters.HeaderSize}, "MaxBytes", filters.ErrConfig},
		{filters.Config{Keys: 1 << 62, FPR: 0.01}, "Keys", filters.ErrConfig},
		{filters.Config{Keys: math.MaxUint64, BitsPerKey: 1e9}, "Keys", filters.ErrConfig},
		{filters.Config{Keys: filters.MaxKeys, FPR: 1e-9}, "", filters.ErrTooLarge},
		{filters.Config{Keys: filters.MaxKeys, BitsPerKey: 20}, "", filters.ErrTooLarge},
	} {
		check := func(call string, err error) {
			t.Helper()
			var field *filters.FieldError
			switch {
			case errors.Is(err, filters.ErrUnreachable) && test.err == filters.ErrTooLarge:
			case !errors.Is(err, test.err) || !errors.As(err, &field):
				t.Errorf("%s(%+v): %v, want %v", call, test.config, err, test.err)
			case test.field != "" && field.Field != test.field:
				t.Errorf("%s(%+v): %v, does not name %s", call, test.config, err, test.field)
			case strings.Contains(err.Error(), "\n"):
				t.Errorf("%s(%+v): more than one line: %q", call, test.config, err)
			}
		}
		_, err := f.Size(test.config)
		check("Size", err)
		if f.New != nil {
			_, err = f.New(test.config)
			check("New", err)
		}
		before := allocated()
		f.Build(seq(Hashes(1, 0, 10)), test.config)
		if n := allocated() - before; n > 1<<20 && test.err == filters.ErrConfig {
			t.Errorf("Build(%+v) allocates %d bytes before it refuses", test.config, n)
		}
		if test.config.Keys != 0 {
			if f.New != nil || test.err == filters.ErrConfig { // a static family sizes for what comes
				_, err = f.Build(seq(Hashes(1, 0, 10)), test.config)
				check("Build", err)
			}
		} else if test.config.FPR == 0 {
			_, err = f.Build(seq(Hashes(1, 0, 10)), test.config)
			if !errors.Is(err, filters.ErrConfig) {
				t.Errorf("Build(%+v): %v", test.config, err)
			}
		}
	}
}

// testBound checks that what the error for a budget too small says would do
// does, and gives a filter.
func testBound(t *testing.T, f filters.Family, members []filters.Hash, c filters.Config, err error) {
	t.Helper()
	var least float64
	var field *filters.FieldError
	if !errors.As(err, &field) {
		t.Fatal(err)
	}
	words := strings.Fields(field.Bound)
	if _, scanErr := fmt.Sscan(words[len(words)-1], &least); scanErr != nil {
		t.Fatalf("no bound at the end of %v", err)
	}
	if c.BitsPerKey != 0 {
		c.BitsPerKey = least
	} else {
		c.MaxBytes = uint64(least)
	}
	filter, err := f.Build(seq(members), c)
	if err != nil {
		t.Fatalf("with the bound that the error says: %v", err)
	}
	requireMembers(t, filter, members)
	file := encode(t, filter)
	if _, err := f.Open(file); err != nil || c.MaxBytes != 0 && uint64(len(file)) > c.MaxBytes {
		t.Errorf("with the bound that the error says: %d bytes, %v", len(file), err)
	}
}

// allocated returns the bytes that were ever allocated.
func allocated() uint64 {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.TotalAlloc
}

// testSize compares what Size says with what comes out, for every kind of goal.
func testSize(t *testing.T, f filters.Family) {
	for _, n := range []int{1, 10, 1000, 20000} {
		members := Hashes(10, 0, n)
		keys := uint64(n)
		for _, c := range []filters.Config{
			{Keys: keys, FPR: 0.5},
			{Keys: keys, FPR: 0.01},
			{Keys: keys, FPR: 1e-5},
			{Keys: keys, BitsPerKey: 9.5},
			{Keys: keys, BitsPerKey: 1},
			{Keys: keys, BitsPerKey: 1.02},
			{Keys: keys, MaxBytes: keys + 64},
			{Keys: keys, BitsPerKey: 20},
			{Keys: keys, BitsPerKey: 1000},
			{Keys: keys, MaxBytes: 2*keys + 500},
			{Keys: keys, MaxBytes: 1000 * keys},
		} {
			t.Run(fmt.Sprintf("%+v", c), func(t *testing.T) {
				size, err := f.Size(c)
				if err != nil {
					if !errors.Is(err, filters.ErrUnreachable) || c.FPR != 0 || c.BitsPerKey > 9 {
						t.Fatal(err)
					}
					testBound(t, f, members, c, err)
					return
				}
				filter := build(t, f, members, c)
				requireMembers(t, filter, members)
				file := uint64(len(encode(t, filter)))
				info := filter.Info()
				slack := uint64(0)
				if f.New == nil {
					slack = file/50 + 1024 // an estimate
				}
				if file > size.Bytes+slack || size.Bytes > file+slack {
					t.Errorf("file takes %d bytes, Size says %d", file, size.Bytes)
				}
				if c.MaxBytes != 0 && file > c.MaxBytes {
					t.Errorf("file takes %d bytes, at most %d are allowed", file, c.MaxBytes)
				}
				if view, err := f.Open(encode(t, filter)); err != nil {
					t.Errorf("what was built does not open: %v", err)
				} else {
					requireMembers(t, view, members)
				}
				if c.BitsPerKey != 0 && n >= 20000 && float64(info.Bits) > c.BitsPerKey*float64(n)+64 { // a word is not split
					t.Errorf("%.2f bits per key", info.BitsPerKey)
				}
				if c.FPR != 0 && (size.FPR > 1.03*c.FPR || info.DesignFPR > 1.03*c.FPR) {
					t.Errorf("expects a rate of %g and %g", size.FPR, info.DesignFPR)
				}
				if math.Abs(size.FPR/info.DesignFPR-1) > 0.01 && f.New != nil {
					t.Errorf("Size expects a rate of %g, the filter %g", size.FPR, info.DesignFPR)
				}
				if info.Fill <= 0 || info.Fill > 1 || info.ExpectedFPR < 0 || info.ExpectedFPR > 1 {
					t.Errorf("info %+v", info)
				}
			})
		}
	}
}
