package filters

import "sync/atomic"

// Counter counts from many goroutines, spread over cache lines so that they do
// not wait for one another. The zero value is 0.
type Counter struct {
	parts [64]struct {
		n atomic.Uint64
		_ [lineSize - 8]byte
	}
}

// Add adds n; h chooses where.
func (c *Counter) Add(h Hash, n uint64) { c.parts[h%64].n.Add(n) }

// Sum returns the count.
func (c *Counter) Sum() uint64 {
	sum := uint64(0)
	for i := range c.parts {
		sum += c.parts[i].n.Load()
	}
	return sum
}
