package filtertest

import (
	"testing"

	"github.com/tamis-filter/tamis/filters"
)

// Run runs the whole suite against a family. With -short it leaves out the
// cells of more than a thousand keys.
func Run(t *testing.T, f filters.Family) {
	for _, test := range []struct {
		name string
		run  func(*testing.T, filters.Family)
	}{
		{"rate", testRates},
		{"batch", testBatch},
		{"keys", testKeys},
		{"empty", testEmpty},
		{"repeats", testRepeats},
		{"build", testBuild},
		{"memory", testMemory},
		{"progress", testProgress},
		{"grow", testGrow},
		{"readers", testReaders},
		{"allocations", testAllocations},
		{"config", testConfig},
		{"size", testSize},
		{"file", testFile},
		{"damage", testDamage},
		{"fields", testFields},
		{"lies", testLies},
		{"mutants", testMutants},
		{"load", testLoad},
		{"broken streams", testBrokenStreams},
		{"states", testStates},
		{"view", testView},
	} {
		t.Run(test.name, func(t *testing.T) { test.run(t, f) })
	}
}

// build builds a filter that must succeed.
func build(t *testing.T, f filters.Family, hashes []filters.Hash, c filters.Config) filters.Filter {
	t.Helper()
	filter, err := f.Build(seq(hashes), c)
	if err != nil {
		t.Fatal(err)
	}
	return filter
}

// encode returns a filter's file.
func encode(t *testing.T, f filters.Filter) []byte {
	t.Helper()
	data, err := f.AppendBinary(nil)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// requireMembers fails if a member is denied, alone or in a batch.
func requireMembers(t *testing.T, f filters.Filter, members []filters.Hash) {
	t.Helper()
	if got := f.MayContainBatch(members, nil); got != len(members) {
		t.Fatalf("%d of %d members are denied in a batch", len(members)-got, len(members))
	}
	for i, h := range members {
		if !f.MayContainHash(h) {
			t.Fatalf("member %d is denied", i)
		}
	}
}

// Hostile is the part of Run that gives files that are no valid ones to the readers
// of a family, for a test that compares another reader with f.Open.
func Hostile(t *testing.T, f filters.Family) {
	t.Run("damage", func(t *testing.T) { testDamage(t, f) })
	t.Run("fields", func(t *testing.T) { testFields(t, f) })
	t.Run("lies", func(t *testing.T) { testLies(t, f) })
	t.Run("mutants", func(t *testing.T) { testMutants(t, f) })
}
