package filters

import "sync"

// Progress counts the work of a Build function, on any number of goroutines, and
// tells Config.Progress of it. A nil one tells nobody.
type Progress struct {
	tell        func(done float64)
	mu          sync.Mutex
	done, total uint64
	told        uint64
}

// progressSteps is about how often Config.Progress is called.
const progressSteps = 256

// Work starts to count work of about that total, in a unit of the caller's choice.
func (c Config) Work(total uint64) *Progress {
	if c.Progress == nil {
		return nil
	}
	return &Progress{tell: c.Progress, total: max(total, 1)}
}

// Add counts work that is done.
func (p *Progress) Add(work uint64) {
	if p == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.done += work
	if p.done >= p.told+p.total/progressSteps && p.done < p.total {
		p.told = p.done
		p.tell(float64(p.done) / float64(p.total))
	}
}

// End tells that all is done.
func (p *Progress) End() {
	if p != nil {
		p.tell(1)
	}
}
