package filtertest

import (
	"bytes"
	"encoding/gob"
	"errors"
	"io"
	"slices"
	"testing"
	"testing/iotest"

	"github.com/tamis-filter/tamis/filters"
)

// testLoad checks that every way to load a file gives the filter that was saved,
// with memory of its own.
func testLoad(t *testing.T, f filters.Family) {
	members := Hashes(18, 0, 100_000) // more than what is read at once
	c := filters.Config{FPR: 0.01, Seed: 3}
	file := encode(t, build(t, f, members, c))
	small := encode(t, build(t, f, Hashes(19, 0, 10), c))
	both := slices.Concat(file, small)
	for name, load := range map[string]func(into loader) error{
		"UnmarshalBinary": func(into loader) error {
			data := slices.Clone(file)
			err := into.UnmarshalBinary(data)
			clear(data) // its memory is not kept
			return err
		},
		"gob": func(into loader) error {
			saved := zero(t, f)
			if err := saved.UnmarshalBinary(file); err != nil {
				return err
			}
			var stream bytes.Buffer
			if err := gob.NewEncoder(&stream).Encode(saved); err != nil {
				return err
			}
			return gob.NewDecoder(&stream).Decode(into)
		},
		"ReadFrom":           func(into loader) error { return readFrom(into, bytes.NewReader(both), file) },
		"ReadFrom one byte":  func(into loader) error { return readFrom(into, iotest.OneByteReader(bytes.NewReader(both)), file) },
		"ReadFrom half":      func(into loader) error { return readFrom(into, iotest.HalfReader(bytes.NewReader(both)), file) },
		"ReadFrom data, EOF": func(into loader) error { return readFrom(into, iotest.DataErrReader(bytes.NewReader(file)), file) },
	} {
		used := zero(t, f)
		if err := used.UnmarshalBinary(small); err != nil {
			t.Fatal(err)
		}
		for what, into := range map[string]loader{"the zero value": zero(t, f), "another filter": used} {
			if err := load(into); err != nil {
				t.Fatalf("%s into %s: %v", name, what, err)
			}
			requireMembers(t, into, members)
			if data, err := into.MarshalBinary(); err != nil || !bytes.Equal(data, file) {
				t.Fatalf("%s into %s: saves to other bytes: %v", name, what, err)
			}
			grower, ok := into.(filters.Adder)
			if !ok {
				continue
			}
			if err := grower.AddHash(1); err != nil || !into.MayContainHash(1) {
				t.Errorf("%s into %s: cannot be added to: %v", name, what, err)
			}
		}
	}

	// The zero value saves to nothing, and is one still after a load that failed.
	var none bytes.Buffer
	into := zero(t, f)
	_, readErr := into.ReadFrom(bytes.NewReader(file[:1000]))
	err := into.UnmarshalBinary(file[1:])
	_, marshalErr := into.MarshalBinary()
	if n, writeErr := into.WriteTo(&none); err == nil || readErr == nil || marshalErr == nil || n != 0 || writeErr == nil || none.Len() != 0 {
		t.Errorf("the zero value: %v, %v, %v, %v", err, readErr, marshalErr, writeErr)
	}
	if into.MayContainHash(members[0]) || into.MayContainBatch(members, nil) != 0 || into.Info().Keys != 0 {
		t.Error("the zero value has a key")
	}

	// Files that follow one another, and the end.
	stream := bytes.NewReader(both)
	for _, want := range [][]byte{file, small} {
		if err := readFrom(into, stream, want); err != nil || !bytes.Equal(encode(t, into), want) {
			t.Fatalf("a file in a row: %v", err)
		}
	}
	if n, err := into.ReadFrom(stream); n != 0 || !errors.Is(err, io.EOF) || !bytes.Equal(encode(t, into), small) {
		t.Errorf("at the end: %d, %v", n, err)
	}
	before := allocated()
	if err := readFrom(into, iotest.HalfReader(bytes.NewReader(file)), file); err != nil {
		t.Fatal(err)
	}
	if n := allocated() - before; n > 4*uint64(len(file))+128<<10 {
		t.Errorf("reading %d bytes allocates %d", len(file), n)
	}
}

// readFrom loads the file that r starts with.
func readFrom(into loader, r io.Reader, file []byte) error {
	n, err := into.ReadFrom(r)
	if err == nil && n != int64(len(file)) {
		err = errors.New("another number of bytes than the file has")
	}
	return err
}

// testBrokenStreams has readers fail, and end, at every byte of small files. The
// error comes through, and the receiver is as it was.
func testBrokenStreams(t *testing.T, f filters.Family) {
	dead := errors.New("the line is dead")
	r := newReaders(t, f, "broken stream")
	check := func(at int, stream io.Reader, want ...error) {
		t.Helper()
		n, err := r.streamed.ReadFrom(stream)
		for _, want := range want {
			if !errors.Is(err, want) || n != int64(at) {
				t.Fatalf("at byte %d: %d, %v, want %v", at, n, err, want)
			}
		}
		r.inputs++
		r.refused++
		r.settle(r.streamed, err, nil)
	}
	for _, file := range smallFiles(t, f) {
		for at := 0; at < len(file); at += stride(at) {
			part := file[:at]
			end := io.ErrUnexpectedEOF
			if at == 0 {
				end = io.EOF
			}
			before := allocated()
			check(at, bytes.NewReader(part), filters.ErrFormat, end)
			check(at, iotest.OneByteReader(bytes.NewReader(part)), filters.ErrFormat, end)
			check(at, io.MultiReader(bytes.NewReader(part), iotest.ErrReader(dead)), dead)
			check(at, iotest.OneByteReader(io.MultiReader(bytes.NewReader(part), iotest.ErrReader(dead))), dead)
			r.largest = max(r.largest, (allocated()-before)/4)
		}
	}
	r.report()
}

// testStates checks that whatever state a filter can be brought to, it saves to
// what loads.
func testStates(t *testing.T, f filters.Family) {
	if f.New == nil {
		return
	}
	r := newReaders(t, f, "reachable state")
	for _, keys := range []uint64{1, 3, 100, 5000} {
		filter, err := f.New(filters.Config{Keys: keys, FPR: 0.01, Seed: 1<<64 - 1})
		if err != nil {
			t.Fatal(err)
		}
		saves := func() {
			t.Helper()
			if !r.try(encode(t, filter)) {
				t.Fatalf("%d keys of %d: what is saved does not open", filter.Info().Keys, keys)
			}
		}
		saves()
		var in []filters.Hash
		for _, h := range Hashes(20, 0, 3*int(keys)) {
			if filter.AddHash(h) == nil {
				in = append(in, h)
			}
		}
		saves()
		for range 20 { // copies, until it is full of them
			filter.AddHash(1)
		}
		saves()
		if merger, ok := filter.(filters.Merger); ok {
			if err := merger.Union(filter); err != nil {
				t.Fatal(err)
			}
			saves()
		}
		deleter, ok := filter.(filters.Deleter)
		if !ok {
			continue
		}
		for _, h := range in {
			if !deleter.DeleteHash(h) {
				t.Fatal("a member cannot be deleted")
			}
		}
		saves()
		for filter.MayContainHash(1) {
			deleter.DeleteHash(1)
		}
		saves()
		if filter.Info().Keys != 0 {
			t.Errorf("%d keys are left", filter.Info().Keys)
		}
	}
}
