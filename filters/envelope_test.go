package filters

import (
	"bytes"
	"errors"
	"strings"
	"testing"
)

// The header, byte by byte, as the format has it.
func TestEnvelopeBytes(t *testing.T) {
	e := Envelope{Kind: Cuckoo, Param: 12, Seed: 0x0102030405060708, Keys: 3, Capacity: 0x2233445566, Size: 9, Payload: []byte("payload!")}
	file, err := e.AppendBinary(nil)
	if err != nil {
		t.Fatal(err)
	}
	want := []byte("\x9ftms\x01\x04\x01\x0c" +
		"\x08\x07\x06\x05\x04\x03\x02\x01" +
		"\x03\x00\x00\x00\x00\x00\x00\x00" +
		"\x66\x55\x44\x33\x22\x00\x00\x00" +
		"\x09\x00\x00\x00\x00\x00\x00\x00" +
		"\x08\x00\x00\x00\x00\x00\x00\x00")
	if !bytes.Equal(file[:48], want) || string(file[64:]) != "payload!" || len(file) != 72 {
		t.Errorf("header\n%x, want\n%x", file[:48], want)
	}
	got, err := Decode(file, Cuckoo)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got.Payload, e.Payload) {
		t.Errorf("payload %q", got.Payload)
	}
	got.Payload = nil
	e.Payload = nil
	if got.Kind != e.Kind || got.Param != e.Param || got.Seed != e.Seed || got.Keys != e.Keys || got.Capacity != e.Capacity || got.Size != e.Size {
		t.Errorf("decoded %+v, want %+v", got, e)
	}
	if _, err := Decode(file, Ribbon); !errors.Is(err, ErrFormat) || !strings.Contains(err.Error(), "cuckoo") || !strings.Contains(err.Error(), "ribbon") {
		t.Errorf("another family: %v", err)
	}
}

func TestKindNames(t *testing.T) {
	for kind, want := range map[Kind]string{0: "kind 0", Standard: "standard", Blocked: "blocked", Split: "split", Cuckoo: "cuckoo", Ribbon: "ribbon", Retrieval: "retrieval", Exact: "exact", 8: "kind 8", 255: "kind 255"} {
		if got := kind.String(); got != want {
			t.Errorf("kind %d is %q, want %q", uint8(kind), got, want)
		}
	}
}

// What is wrong is named, with its value.
func TestErrorsNameTheField(t *testing.T) {
	for _, c := range []struct {
		err  error
		want string
	}{
		{Config{Keys: 1, FPR: 1.5}.Check(), "FPR is 1.5"},
		{Config{Keys: 1 << 50, FPR: 0.5}.Check(), "Keys is 1125899906842624"},
		{Config{Keys: 1, FPR: 0.5, MaxBytes: 100}.Check(), "is 2, must be exactly 1"},
		{Mismatch("seed", 1, 2), "seed is 2, must be 1"},
	} {
		if c.err == nil || !strings.Contains(c.err.Error(), c.want) {
			t.Errorf("%v: does not say %q", c.err, c.want)
		}
	}
}
