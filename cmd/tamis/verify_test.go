package main

import (
	"encoding/binary"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/tamis-filter/tamis/filters"
	"github.com/tamis-filter/tamis/filters/filtertest"
)

// What is wrong is named with its offset: a field of the header, the checksum
// that fails, the place where the file ends.
func TestVerify(t *testing.T) {
	forFamilies(t, func(t *testing.T, family string) {
		path := built(t, family, lines("k", 1000))
		good, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		want := fmt.Sprintf("%s: ok, %s, 1000 keys, %d bytes\n", path, family, len(good))
		if r := tamis("", "verify", path).must(t); r.stdout != want || r.stderr != "" {
			t.Errorf("says %q, want %q", r.stdout, want)
		}
		dir := t.TempDir()
		refused := func(offset int, field string, damage func(file []byte) []byte) {
			t.Helper()
			bad := write(t, dir, "bad", string(damage(slices.Clone(good))))
			tamis("", "verify", bad).fails(t, bad, fmt.Sprintf(": offset %d: ", offset), field+" is ")
		}
		set := func(at int, x byte, seal bool) func([]byte) []byte {
			return func(file []byte) []byte {
				file[at] = x
				if seal {
					filtertest.Reseal(file)
				}
				return file
			}
		}
		refused(0, "magic", set(0, 'x', true))
		refused(4, "version", set(4, 9, true))
		refused(5, "family", set(5, 99, true))
		refused(6, "hash", set(6, 3, true))
		refused(7, "", set(7, 0, true))
		refused(16, "keys", set(23, 0xff, true))
		refused(24, "capacity", set(31, 0xff, true))
		refused(32, "size", set(39, 0xff, true))
		refused(40, "payload length", set(47, 0xff, true))
		refused(48, "payload checksum", set(len(good)-1, good[len(good)-1]^1, false))
		refused(56, "header checksum", set(20, 1, false))
		refused(0, "length", func([]byte) []byte { return nil })
		refused(63, "length", func(file []byte) []byte { return file[:63] })
		refused(len(good)-1, "length", func(file []byte) []byte { return file[:len(file)-1] })
		refused(len(good), "length", func(file []byte) []byte { return append(file, 1) })
	})
	path := built(t, "exact", lines("k", 1000))
	file, _ := os.ReadFile(path)
	file[filters.HeaderSize+20] ^= 1 // in the first part's header
	filtertest.Reseal(file)
	tamis("", "verify", write(t, t.TempDir(), "part", string(file))).fails(t, "payload, offset 64 on: first part: ", "header checksum")
	path = built(t, "ribbon", lines("k", 1000))
	file, _ = os.ReadFile(path)
	binary.LittleEndian.PutUint64(file[64+24:], 77)
	filtertest.Reseal(file)
	tamis("", "verify", write(t, t.TempDir(), "bad", string(file))).fails(t, "offset 64 on: ")
	tamis("", "verify").fails(t, "0 filter files given, verify takes one")
	tamis("", "verify", path+".absent").fails(t, "check the path")
}

// A filter goes to Parquet's form and back, and its keys are found in both.
func TestConvert(t *testing.T) {
	dir := t.TempDir()
	path := built(t, "split", lines("k", 1000), "--hash", "xxh64")
	page, back := dir+"/page", dir+"/back.tamis"
	tamis("", "convert", path, "-o", page).must(t)
	tamis("", "convert", page, "-o", back).must(t)
	for _, file := range []string{path, back} {
		if r := tamis(lines("k", 1000), "check", file).must(t); strings.Count(r.stdout, "maybe\t") != 1000 {
			t.Errorf("%s: a key is denied", file)
		}
		if r := tamis(lines("stranger", 1000), "check", file); strings.Count(r.stdout, "maybe\t") > 40 {
			t.Errorf("%s: strangers are accepted", file)
		}
		tamis("", "verify", file).must(t)
		if r := tamis("", "info", file).must(t); !strings.Contains(r.stdout, "XXH64") {
			t.Errorf("info says %q", r.stdout)
		}
	}
	want, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	if r := tamis("", "convert", back, "-o", "-").must(t); r.stdout != string(want) {
		t.Error("there and back gives another bitset")
	}

	plain := built(t, "split", lines("k", 10))
	out := dir + "/out"
	tamis("", "convert", plain, "-o", out).fails(t, plain, "XXH3-64", "--hash xxh64")
	tamis("", "convert", built(t, "ribbon", lines("k", 10)), "-o", out).fails(t, "ribbon", "--family split")
	tamis("", "convert", write(t, dir, "list", "a\nb\n"), "-o", out).fails(t, "neither a filter file nor a Parquet filter")
	tamis("", "convert", write(t, dir, "cut", string(want[:100])), "-o", out).fails(t, "numBytes")
	tamis("", "convert", dir, "-o", out).fails(t, dir)
	tamis("", "convert", page).fails(t, "-o OUTPUT")
	tamis("", "convert", page, "-o", dir).fails(t, "regular file")
	tamis("", "build", "--hash", "xxh64", "-o", out).fails(t, "--hash is xxh64", "--family split")
	tamis("", "build", "--hash", "sha1", "-o", out).fails(t, "--hash", "xxh3 or xxh64")
	tamis("", "build", "--hash", "xxh64", "--family", "split", "--seed", "4", "-o", out).fails(t, "--seed is 4")
	if _, err := os.Stat(out); err == nil {
		t.Error("something was written in spite of an error")
	}
}
