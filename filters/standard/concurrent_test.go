package standard_test

import (
	"testing"

	"github.com/tamis-filter/tamis/filters"
	"github.com/tamis-filter/tamis/filters/filtertest"
	"github.com/tamis-filter/tamis/filters/standard"
)

func concurrent(c filters.Config) (filters.Adder, error) { return standard.NewConcurrent(c) }

func TestConcurrent(t *testing.T) { filtertest.RunConcurrent(t, standard.Family(), concurrent) }

func BenchmarkConcurrent(b *testing.B) {
	filtertest.BenchmarkConcurrent(b, standard.Family(), concurrent)
}
