package all_test

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/tamis-filter/tamis/filters"
	"github.com/tamis-filter/tamis/filters/all"
	"github.com/tamis-filter/tamis/filters/filtertest"
)

func TestNames(t *testing.T) {
	if got := strings.Join(all.Names(), " "); got != "standard blocked split cuckoo ribbon exact" {
		t.Errorf("names %q", got)
	}
	for i, f := range all.Families() {
		if f.Summary == "" || f.Build == nil || f.Open == nil || f.Size == nil || i > 0 && f.Kind <= all.Families()[i-1].Kind {
			t.Errorf("%+v", f)
		}
	}
}

func TestUnknownAndStatic(t *testing.T) {
	if f, err := all.Build("bloom", nil, filters.Config{FPR: 0.1}); f != nil || !errors.Is(err, filters.ErrConfig) || !strings.Contains(err.Error(), `"bloom", must be one of standard, blocked`) {
		t.Errorf("%v, %v", f, err)
	}
	if f, err := all.New("ribbon", filters.Config{Keys: 1, FPR: 0.1}); f != nil || err == nil || !strings.Contains(err.Error(), "use Build") {
		t.Errorf("%v, %v", f, err)
	}
	for _, name := range all.Names() {
		if f, err := all.Build(name, slices.Values([][]filters.Hash{}), filters.Config{FPR: 2}); f != nil || err == nil {
			t.Errorf("%s: a filter comes with %v", name, err)
		}
	}
	if f, err := all.New("cuckoo", filters.Config{Keys: 1, FPR: 2}); f != nil || err == nil {
		t.Errorf("a filter comes with %v", err)
	}
	if f, err := all.Open([]byte("# a list of words, not a filter; it is long enough for a header, though")); f != nil || !errors.Is(err, filters.ErrFormat) || !strings.Contains(err.Error(), "magic") {
		t.Errorf("%v, %v", f, err)
	}
}

// golden is a filter whose file is kept for ever.
type golden struct {
	family string
	keys   int
	config filters.Config
}

func (g golden) path() string {
	return filepath.Join("testdata", fmt.Sprintf("v%d-%s-%d.tamis", filters.Version, g.family, g.keys))
}

var goldens = []golden{
	{"standard", 100, filters.Config{FPR: 0.01, Seed: 1}},
	{"blocked", 100, filters.Config{FPR: 0.001, Seed: 2}},
	{"blocked", 101, filters.Config{FPR: 1e-5}}, // more than a bit in some words
	{"split", 100, filters.Config{FPR: 0.01, Seed: 3}},
	{"cuckoo", 100, filters.Config{FPR: 0.01, Seed: 4}},
	{"cuckoo", 101, filters.Config{FPR: 0.05}}, // fingerprints of 8 bits
	{"cuckoo", 102, filters.Config{FPR: 3e-4}}, // of 16
	{"cuckoo", 103, filters.Config{FPR: 1e-6}}, // of 32
	{"cuckoo", 0, filters.Config{FPR: 1e-5}},
	{"ribbon", 0, filters.Config{FPR: 0.01}},
	{"ribbon", 100, filters.Config{FPR: 1.0 / 256, Seed: 5}},
	{"ribbon", 3000, filters.Config{FPR: 0.01, Seed: 6}},
	{"exact", 0, filters.Config{FPR: 0.01}},
	{"exact", 100, filters.Config{FPR: 0.01, Seed: 7}}, // nothing excluded; package exact has others
}

// Files of every version open on every machine, and building gives the same
// bytes everywhere.
func TestGoldenFiles(t *testing.T) {
	for _, g := range goldens {
		t.Run(g.path(), func(t *testing.T) {
			keys := make([]string, g.keys)
			for i := range keys {
				keys[i] = fmt.Sprint("key-", i)
			}
			hasher := filters.Hasher{Seed: g.config.Seed}
			built, err := all.Build(g.family, hasher.Strings(slices.Values(keys)), g.config)
			if err != nil {
				t.Fatal(err)
			}
			now, _ := built.AppendBinary(nil)
			opened, err := all.Open(filtertest.Golden(t, g.path(), now))
			if err != nil {
				t.Fatal(err)
			}
			for _, key := range keys {
				if !opened.MayContainString(key) {
					t.Fatalf("%s is denied", key)
				}
			}
			if opened.Info().Keys != uint64(g.keys) {
				t.Errorf("%d keys", opened.Info().Keys)
			}
		})
	}
}

// Uniting filters of two families is refused, whichever they are.
func TestUnionAcrossFamilies(t *testing.T) {
	for _, a := range all.Families() {
		for _, b := range all.Families() {
			one, err := a.Build(slices.Values([][]filters.Hash{{1, 2}}), filters.Config{FPR: 0.01})
			if err != nil {
				t.Fatal(err)
			}
			two, err := b.Build(slices.Values([][]filters.Hash{{3}}), filters.Config{FPR: 0.01})
			if err != nil {
				t.Fatal(err)
			}
			merger, ok := one.(filters.Merger)
			if !ok || a.Kind == b.Kind {
				continue
			}
			before := one.Info()
			if err := merger.Union(two); !errors.Is(err, filters.ErrMismatch) || one.Info() != before {
				t.Errorf("%s with %s: %v", a.Name(), b.Name(), err)
			}
		}
	}
}

// Ten million sequential keys, the worst that a weak hash can be given.
func TestSequentialKeys(t *testing.T) {
	if testing.Short() {
		t.Skip("the full run has it")
	}
	const n, probes = 10_000_000, 1_000_000
	hashes := make([]filters.Hash, 0, n+probes)
	for i := range uint32(n + probes) {
		key := [4]byte{byte(i), byte(i >> 8), byte(i >> 16), byte(i >> 24)}
		hashes = append(hashes, filters.Hasher{}.Bytes(key[:]))
	}
	for _, name := range all.Names() {
		f, err := all.Build(name, slices.Values([][]filters.Hash{hashes[:n]}), filters.Config{Keys: n, FPR: 1e-3})
		if err != nil {
			t.Fatal(err)
		}
		if got := f.MayContainBatch(hashes[:n], nil); got != n {
			t.Errorf("%s: %d members are denied", name, n-got)
		}
		if hits := f.MayContainBatch(hashes[n:], nil); float64(hits) > 1.1e-3*probes {
			t.Errorf("%s: rate %g", name, float64(hits)/probes)
		}
	}
}

// Imports point down: asm and filters are leaves, and no family imports another.
func TestImportsPointDown(t *testing.T) {
	goTool, err := exec.LookPath("go")
	if err != nil {
		t.Skip("no go command here; the run on a developer's machine has it")
	}
	const module = "github.com/tamis-filter/tamis/"
	out, err := exec.Command(goTool, "list", "-f", "{{.ImportPath}} {{join .Deps \" \"}}", "../../...").Output()
	if err != nil {
		t.Fatal(err)
	}
	families := []string{"filters/standard", "filters/cuckoo", "blocked", "blocked/split", "ribbon"}
	for line := range strings.Lines(string(out)) {
		deps := strings.Fields(line)
		from := strings.TrimPrefix(deps[0], module)
		for _, dep := range deps[1:] {
			to, own := strings.CutPrefix(dep, module)
			leaf := from == "asm" || from == "filters"
			between := slices.Contains(families, from) && to != "asm" && to != "filters"
			if own && (leaf || between) {
				t.Errorf("%s imports %s", from, to)
			}
		}
	}
	if !strings.Contains(string(out), module+"ribbon ") {
		t.Errorf("go list says %q", out)
	}
}

// The example of the README compiles, runs and prints what it says.
func TestReadmeExample(t *testing.T) {
	goTool, err := exec.LookPath("go")
	if err != nil {
		t.Skip("no go command here; the run on a developer's machine has it")
	}
	readme, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	_, code, _ := strings.Cut(string(readme), "```go\n")
	code, _, found := strings.Cut(code, "```")
	if !found {
		t.Fatal("the README has no Go example")
	}
	file := filepath.Join(t.TempDir(), "main.go")
	if err := os.WriteFile(file, []byte(code), 0o644); err != nil {
		t.Fatal(err)
	}
	run := exec.Command(goTool, "run", file)
	run.Dir = "../.."
	if out, err := run.CombinedOutput(); err != nil || string(out) != "true\nfalse\n" {
		t.Errorf("%v, prints %q", err, out)
	}
}

func ExampleOpen() {
	hashes := filters.Hasher{}.Strings(slices.Values([]string{"alice", "bob"}))
	f, err := all.Build("ribbon", hashes, filters.Config{FPR: 0.001})
	if err != nil {
		panic(err)
	}
	file, err := f.AppendBinary(nil) // to a file, and back
	if err != nil {
		panic(err)
	}
	g, err := all.Open(file)
	if err != nil {
		panic(err)
	}
	fmt.Println(g.Info().Family, g.MayContainString("alice"), g.MayContainString("mallory"))
	// Output: ribbon true false
}
