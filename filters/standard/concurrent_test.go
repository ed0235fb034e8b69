package standard_test

import (
	"testing"

	"github.com/tamis-filter/tamis/filters"
	"github.com/tamis-filter/tamis/filters/filtertest"
	"github.com/tamis-filter/tamis/filters/standard"
)

func concurrent(c filters.Config) (filters.Adder, error) { return standard.NewConcurrent(c) }

func TestConcurrent(t *testing.T) { filtertest.RunConcurrent(t, standard.Family(), concurrent) }

func TestConcurrentZeroValue(t *testing.T) {
	var c standard.Concurrent
	if c.MayContainHash(1) || c.MayContainString("a") || c.MayContainBatch([]filters.Hash{1, 2}, nil) != 0 {
		t.Error("accepts a key")
	}
	n, err := c.AddBatch([]filters.Hash{1})
	if _, saveErr := c.MarshalBinary(); n != 0 || err == nil || c.AddString("a") == nil || saveErr == nil || c.Info().Keys != 0 {
		t.Errorf("takes a key, or saves: %v", err)
	}
}

func BenchmarkConcurrent(b *testing.B) {
	filtertest.BenchmarkConcurrent(b, standard.Family(), concurrent)
}
