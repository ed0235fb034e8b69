package filtertest

import (
	"bytes"
	"encoding"
	"errors"
	"io"
	"reflect"
	"slices"
	"testing"

	"github.com/tamis-filter/tamis/filters"
)

// loader is what the filters of every family are beside a Filter.
type loader interface {
	filters.Filter
	encoding.BinaryAppender
	encoding.BinaryMarshaler
	encoding.BinaryUnmarshaler
	io.ReaderFrom
}

// zero returns the zero value of a family's type.
func zero(t testing.TB, f filters.Family) loader {
	t.Helper()
	filter, err := f.Build(seq(nil), filters.Config{FPR: 0.5})
	if err != nil {
		t.Fatal(err)
	}
	z, ok := reflect.New(reflect.TypeOf(filter).Elem()).Interface().(loader)
	if !ok {
		t.Fatalf("%T does not read itself", filter)
	}
	return z
}

// readers gives files, most of them hostile, to all readers of a family.
type readers struct {
	testing.TB
	family    filters.Family
	before    []byte // a good file, that of both receivers
	receiver  loader // of UnmarshalBinary
	streamed  loader // of ReadFrom
	strangers []filters.Hash

	kind                      string
	inputs, refused, accepted int
	largest                   uint64 // bytes that the readers allocated together for one input
}

func newReaders(t testing.TB, f filters.Family, kind string) *readers {
	filter, err := f.Build(seq(Hashes(17, 0, 20)), filters.Config{FPR: 0.01})
	if err != nil {
		t.Fatal(err)
	}
	before, err := filter.AppendBinary(nil)
	if err != nil {
		t.Fatal(err)
	}
	r := &readers{
		TB: t, family: f, before: before, receiver: zero(t, f), streamed: zero(t, f), kind: kind,
		strangers: append(Hashes(14, 0, 100), 0, ^filters.Hash(0)),
	}
	r.reset(r.receiver)
	r.reset(r.streamed)
	return r
}

func (r *readers) reset(receiver loader) {
	if err := receiver.UnmarshalBinary(r.before); err != nil {
		r.Fatal(err)
	}
}

// report logs what was tried: the rows of the table of hostile inputs.
func (r *readers) report() {
	r.Logf("hostile: %s: %s: %d inputs, %d refused, %d opened and sound, at most %d bytes allocated", r.family.Name(), r.kind, r.inputs, r.refused, r.accepted, r.largest)
}

// try gives data to all readers of a family, which must agree. Each refuses it by
// an ErrFormat and leaves its receiver as it was, or gives a sound filter. None
// allocates more than what is there in proportion, and a constant. It reports
// whether they accept it.
func (r *readers) try(data []byte) bool {
	r.Helper()
	given := slices.Clone(data)
	before := allocated()
	opened, openErr := r.family.Open(data)
	unverified, unverifiedErr := r.family.OpenUnverified(data)
	unmarshalErr := r.receiver.UnmarshalBinary(data)
	n, readErr := r.streamed.ReadFrom(bytes.NewReader(data))
	taken := allocated() - before

	r.inputs++
	r.largest = max(r.largest, taken)
	if most := 5*uint64(len(data)) + 128<<10; taken > most {
		r.Fatalf("%d bytes make the readers allocate %d, more than %d", len(data), taken, most)
	}
	if !bytes.Equal(data, given) {
		r.Fatal("a reader changed what it read")
	}
	for _, err := range []error{openErr, unverifiedErr, unmarshalErr, readErr} {
		var field *filters.FieldError
		if err != nil && (!errors.Is(err, filters.ErrFormat) || !errors.As(err, &field)) {
			r.Fatalf("%v is not an ErrFormat that names the field", err)
		}
	}
	r.settle(r.receiver, unmarshalErr, data)
	r.settle(r.streamed, readErr, data[:min(n, int64(len(data)))])
	if unverifiedErr == nil { // with a damaged payload perhaps
		r.sound(unverified, data)
	}
	if openErr == nil {
		r.accepted++
		r.sound(opened, data)
		if unverifiedErr != nil || unmarshalErr != nil || readErr != nil || n != int64(len(data)) {
			r.Fatalf("Open takes it. OpenUnverified: %v, UnmarshalBinary: %v, ReadFrom: %d, %v", unverifiedErr, unmarshalErr, n, readErr)
		}
		return true
	}
	r.refused++
	if unmarshalErr == nil {
		r.Fatalf("Open: %v, UnmarshalBinary takes it", openErr)
	}
	if readErr == nil { // then there is something behind a good file
		if _, err := r.family.Open(data[:n]); err != nil || n >= int64(len(data)) {
			r.Fatalf("Open: %v, ReadFrom takes %d of %d bytes", openErr, n, len(data))
		}
	}
	return false
}

// settle checks a receiver after a load of data and makes it what it was.
func (r *readers) settle(receiver loader, err error, data []byte) {
	r.Helper()
	if err == nil {
		r.sound(receiver, data)
		r.reset(receiver)
		return
	}
	if after, err := receiver.AppendBinary(nil); err != nil || !bytes.Equal(after, r.before) {
		r.Fatalf("a failed load changed the receiver: %v", err)
	}
}

// sound checks that a filter answers, describes itself and saves to the bytes
// that it came from.
func (r *readers) sound(f filters.Filter, data []byte) {
	r.Helper()
	count := f.MayContainBatch(r.strangers, nil)
	for _, h := range r.strangers {
		if f.MayContainHash(h) {
			count--
		}
	}
	if count != 0 {
		r.Fatalf("a batch has %d hits more than single queries", count)
	}
	f.Info()
	if file, err := f.AppendBinary(nil); err != nil || !bytes.Equal(file, data) {
		r.Fatalf("saves to other bytes than it came from: %v", err)
	}
}
