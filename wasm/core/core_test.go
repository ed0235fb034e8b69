// Package core_test drives the committed modules by wazero and compares them with
// the Go library.
package core_test

import (
	"context"
	"encoding/binary"
	"errors"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"

	"github.com/tamis-filter/tamis/filters"
	"github.com/tamis-filter/tamis/filters/all"
)

// core is an instance of one of the modules.
type core struct {
	testing.TB
	memory                                  api.Memory
	file, open, keys, has, hasHost, hasMany api.Function
	stack                                   [2]uint64
}

// forEach runs a test on each module.
func forEach(t *testing.T, test func(*testing.T, *core)) {
	for _, name := range []string{"core", "core-scalar"} {
		t.Run(name, func(t *testing.T) { test(t, start(t, name+".wasm")) })
	}
}

// start makes an instance of a module.
func start(t testing.TB, path string) *core {
	t.Helper()
	binary, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	ctx := context.Background()
	// Room for every test, and less than lengths that lie ask for.
	runtime := wazero.NewRuntimeWithConfig(ctx, wazero.NewRuntimeConfig().WithMemoryLimitPages(4096))
	t.Cleanup(func() { runtime.Close(ctx) })
	module, err := runtime.Instantiate(ctx, binary)
	if err != nil {
		t.Fatal(err)
	}
	return &core{
		TB: t, memory: module.Memory(),
		file: module.ExportedFunction("file"), open: module.ExportedFunction("open"), keys: module.ExportedFunction("keys"),
		has: module.ExportedFunction("has"), hasHost: module.ExportedFunction("hasHost"), hasMany: module.ExportedFunction("hasMany"),
	}
}

// call calls a function, which must not trap.
func (c *core) call(f api.Function, arguments ...uint32) uint32 {
	for i, a := range arguments {
		c.stack[i] = uint64(a)
	}
	if err := f.CallWithStack(context.Background(), c.stack[:]); err != nil {
		c.Fatalf("%s%v: %v", f.Definition().Name(), arguments, err)
	}
	return uint32(c.stack[0])
}

// load gives a file to the core and returns the field that it refuses it for.
func (c *core) load(file []byte) string {
	at := c.call(c.file, uint32(len(file)))
	if at == 0 || at%64 != 0 || !c.memory.Write(at, file) {
		c.Fatalf("room for a file of %d bytes at %d", len(file), at)
	}
	reason := c.call(c.open, uint32(len(file)))
	if reason >= uint32(len(fields)) {
		c.Fatalf("reason %d", reason)
	}
	return fields[reason]
}

// mustLoad is load of a good file.
func (c *core) mustLoad(file []byte) {
	c.Helper()
	if reason := c.load(file); reason != "" {
		c.Fatalf("refused for %s", reason)
	}
}

// put puts bytes into the room for keys.
func (c *core) put(bytes []byte) {
	if at := c.call(c.keys, uint32(len(bytes))); at == 0 || !c.memory.Write(at, bytes) {
		c.Fatalf("room for %d bytes of keys at %d", len(bytes), at)
	}
}

func (c *core) holds(key []byte) bool {
	c.put(key)
	return c.call(c.has, uint32(len(key))) != 0
}

// many asks for many keys at once. The answers live until the next call.
func (c *core) many(keys [][]byte) (answers []bool) {
	room := make([]byte, 4*len(keys))
	for i, key := range keys {
		binary.LittleEndian.PutUint32(room[4*i:], uint32(len(key)))
		room = append(room, key...)
	}
	c.put(room)
	count := c.call(c.hasMany, uint32(len(keys)))
	at := c.call(c.keys, 0)
	words, _ := c.memory.Read(at, uint32(4*len(keys)))
	answers = make([]bool, len(keys))
	for i := range keys {
		word := binary.LittleEndian.Uint32(words[4*i:])
		if word > 1 {
			c.Fatalf("answer %d", word)
		}
		answers[i] = word == 1
		count -= word
	}
	if count != 0 {
		c.Fatal("another count than of the answers")
	}
	return answers
}

// fields are the names of the reasons.
var fields = readFields()

func readFields() (names []string) {
	source, err := os.ReadFile("assembly/reasons.ts")
	if err != nil {
		panic(err)
	}
	_, list, _ := strings.Cut(string(source), "return [")
	for _, quoted := range regexp.MustCompile(`"(.*)"`).FindAllStringSubmatch(list, -1) {
		names = append(names, quoted[1])
	}
	return names
}

// fieldOf returns the field that Go refuses a file for.
func fieldOf(t testing.TB, err error) string {
	if err == nil {
		return ""
	}
	var field *filters.FieldError
	if !errors.As(err, &field) {
		t.Fatalf("%v names no field", err)
	}
	return field.Field
}

// compare opens a file with both, which must agree, and returns Go's filter or nil.
func (c *core) compare(file []byte) filters.Filter {
	c.Helper()
	filter, err := all.Open(file)
	if got, want := c.load(file), fieldOf(c, err); got != want {
		c.Fatalf("%d bytes, header %x: refused for %q, Go: %v", len(file), file[:min(len(file), 128)], got, err)
	}
	if err != nil {
		return nil
	}
	return filter
}
