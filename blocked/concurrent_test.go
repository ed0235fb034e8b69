package blocked_test

import (
	"testing"

	"github.com/tamis-filter/tamis/blocked"
	"github.com/tamis-filter/tamis/filters"
	"github.com/tamis-filter/tamis/filters/filtertest"
)

func concurrent(c filters.Config) (filters.Adder, error) { return blocked.NewConcurrent(c) }

func TestConcurrent(t *testing.T) { filtertest.RunConcurrent(t, blocked.Family(), concurrent) }

func BenchmarkConcurrent(b *testing.B) {
	filtertest.BenchmarkConcurrent(b, blocked.Family(), concurrent)
}
