package filters

import (
	"runtime"
	"sync"
	"sync/atomic"
)

// Parallel calls do for task 0 to tasks-1, each once and in no certain order, on
// at most GOMAXPROCS goroutines, the caller's included. Each goroutine has a
// scratch of its own, at first zero, that it hands to its tasks one after the
// other; what a task does must not depend on what it finds there.
func Parallel[S any](tasks int, do func(task int, scratch *S)) {
	var next atomic.Int64
	work := func() {
		var scratch S
		for {
			task := int(next.Add(1)) - 1
			if task >= tasks {
				return
			}
			do(task, &scratch)
		}
	}
	var others sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), tasks) - 1 {
		others.Go(work)
	}
	work()
	others.Wait()
}
