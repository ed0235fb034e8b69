package core_test

import (
	"testing"

	"github.com/tamis-filter/tamis/filters"
	"github.com/tamis-filter/tamis/filters/all"
	"github.com/tamis-filter/tamis/filters/filtertest"
)

// Files that are no valid ones, of every kind that the conformance suite has: each
// is refused for the reason that Go refuses it for, and what opens all the same
// gives Go's answers.
func TestHostile(t *testing.T) {
	strangers := make([][]byte, 64)
	for i := range strangers {
		strangers[i] = key(i)
	}
	forEach(t, func(t *testing.T, c *core) {
		for _, family := range all.Families() {
			t.Run(family.Name(), func(t *testing.T) {
				c := *c
				open := family.Open
				family.Open = func(data []byte) (filters.Filter, error) {
					c.TB = t
					if filter := c.compare(data); filter != nil {
						for _, key := range strangers[:8] {
							if got, want := c.holds(key), filter.MayContain(key); got != want {
								t.Fatalf("header %x: %q is %v, Go: %v", data[:128], key, got, want)
							}
						}
					}
					return open(data)
				}
				filtertest.Hostile(t, family)
			})
		}
	})
}
