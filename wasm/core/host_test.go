package core_test

import (
	"bytes"
	"encoding/binary"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/tamis-filter/tamis/filters"
	"github.com/tamis-filter/tamis/filters/all"
)

// walk is what hasHost does, slowly.
func walk(filter filters.Filter, host string, registrable int) int {
	suffix := host
	for {
		if filter.MayContainString(suffix) {
			return len(suffix)
		}
		dot := strings.IndexByte(suffix, '.')
		if dot < 0 {
			return 0
		}
		suffix = suffix[dot+1:]
		if suffix == "" || len(suffix) < registrable {
			return 0
		}
	}
}

func TestHasHost(t *testing.T) {
	forEach(t, func(t *testing.T, c *core) {
		random := rand.New(rand.NewPCG(5, 6))
		label := func() string { return string(rune('a' + random.IntN(12))) }
		host := func() string {
			labels := make([]string, 1+random.IntN(6))
			for i := range labels {
				labels[i] = label()
			}
			return strings.Join(labels, ".")
		}
		hosts := []string{"", ".", "..", "a", "a.", ".a", "a..b", "127.0.0.1", "[2001:db8::1]", "www.evil.com", "com", strings.Repeat("x.", 126) + "x", strings.Repeat(".", 300)}
		for range 3000 {
			hosts = append(hosts, host())
		}
		for _, family := range all.Names() {
			var listed []filters.Hash
			for i := range 500 {
				listed = append(listed, filters.Hasher{Seed: 5}.String(hosts[7+i]))
			}
			filter, err := all.Build(family, slices.Values([][]filters.Hash{listed}), filters.Config{FPR: 0.01, Seed: 5})
			if err != nil {
				t.Fatal(err)
			}
			file, _ := filter.AppendBinary(nil)
			c.mustLoad(file)
			for _, host := range hosts {
				for _, registrable := range []int{0, 1, 3, 7, len(host) - 1, len(host), len(host) + 1, 1<<32 - 1} {
					c.put([]byte(host))
					got := int(c.call(c.hasHost, uint32(len(host)), uint32(max(0, registrable))))
					if want := walk(filter, host, registrable); got != want {
						t.Fatalf("%s, %q from %d: %d, want %d", family, host, registrable, got, want)
					}
				}
			}
		}
	})
}

// Any lengths, whatever is in the room for keys, give an answer: what cannot be
// looked up is not denied.
func TestLengths(t *testing.T) {
	filter, err := all.Build("ribbon", slices.Values([][]filters.Hash{{1, 2, 3}}), filters.Config{FPR: filters.MinFPR})
	if err != nil {
		t.Fatal(err)
	}
	file, _ := filter.AppendBinary(nil)
	lengths := []uint32{0, 1, 3, 4, 99, 100, 101, 1 << 16, 1<<31 - 1, 1 << 31, 1<<32 - 64, 1<<32 - 1}
	forEach(t, func(t *testing.T, c *core) {
		for _, n := range lengths { // before anything is there
			c.call(c.has, n)
			c.call(c.hasHost, n, 0)
			c.call(c.hasMany, n)
			if reason := c.call(c.open, n); fields[reason] != "length" && n != 0 {
				t.Errorf("%d bytes that are not there: %s", n, fields[reason])
			}
		}
		c.mustLoad(file)
		if c.call(c.open, uint32(len(file))+1) == 0 || c.holds(nil) {
			t.Error("opened with a byte more, or held by what did not open")
		}
		c.mustLoad(file)
		c.put(bytes.Repeat([]byte{'a'}, 100))
		for _, n := range lengths {
			if got, beyond := c.call(c.has, n), n > 100; (got != 0) != beyond {
				t.Errorf("has(%d): %d", n, got)
			}
			if got := c.call(c.hasHost, n, 0); (got != 0) != (n > 100) || got != 0 && got != n {
				t.Errorf("hasHost(%d): %d", n, got)
			}
		}
		for _, count := range lengths {
			if got := c.call(c.hasMany, count); count > 25 && got != count {
				t.Errorf("hasMany(%d): %d", count, got)
			}
		}
		// Three keys, of which the second is too long.
		room := make([]byte, 12+6)
		for i, n := range []uint32{3, 1<<32 - 2, 3} {
			binary.LittleEndian.PutUint32(room[4*i:], n)
		}
		c.put(make([]byte, 100))
		c.file.Call(t.Context(), uint64(len(file)))
		c.mustLoad(file)
		c.put(room)
		if got := c.call(c.hasMany, 3); got != 1 {
			t.Errorf("%d of three keys", got)
		}
		if c.call(c.file, 1<<32-1) != 0 {
			t.Error("room for a file of all memory")
		}
		if got := c.load(file); got != "" {
			t.Errorf("after a file that found no room: %s", got)
		}
		if c.call(c.keys, 1<<32-1) != 0 {
			t.Error("room for keys of all memory")
		}
		if at := c.call(c.keys, 1<<20); at%64 != 0 || at < uint32(len(file)) || at+1<<20 > c.memory.Size() {
			t.Errorf("room at %d of %d", at, c.memory.Size())
		}
		// A file that leaves no room for keys.
		for _, n := range lengths {
			c.call(c.file, n)
			for _, m := range []uint32{0, 1, 1 << 16} {
				if at := c.call(c.keys, m); at != 0 && uint64(at)+uint64(m) > uint64(c.memory.Size()) {
					t.Errorf("a file of %d bytes, keys of %d: at %d of %d", n, m, at, c.memory.Size())
				}
			}
			c.call(c.has, 0)
		}
	})
}

func TestBeforeOpen(t *testing.T) {
	forEach(t, func(t *testing.T, c *core) {
		if c.holds([]byte("a")) || slices.Contains(c.many([][]byte{nil, {1}}), true) {
			t.Error("nothing is open, and holds something")
		}
		filter, err := all.Build("standard", slices.Values([][]filters.Hash{hashed(0, [][]byte{[]byte("a")})}), filters.Config{FPR: 0.01})
		if err != nil {
			t.Fatal(err)
		}
		file, _ := filter.AppendBinary(nil)
		c.mustLoad(file)
		if !c.holds([]byte("a")) {
			t.Error("denied")
		}
		c.call(c.file, 100)
		if c.holds([]byte("a")) {
			t.Error("the file is gone, and holds something")
		}
		c.mustLoad(file)
		file[3]++
		if got := c.load(file); got != "magic" || c.holds([]byte("a")) {
			t.Errorf("%s; what was refused holds something", got)
		}
	})
}
