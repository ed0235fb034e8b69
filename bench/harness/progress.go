package harness

import (
	"fmt"
	"io"
	"os"
	"time"

	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"
)

// Progress tells how far a run is and how long it may take. Steps are weighed
// by the time they are expected to take; what is left is scaled by how right
// the expectation has been so far.
type Progress struct {
	out         io.Writer
	bar         *progressbar.ProgressBar // nil where out is no terminal
	start, last time.Time
	done, total time.Duration // expected
}

// lineEvery is the time between lines where there is no terminal.
const lineEvery = 10 * time.Second

// barSteps is the resolution of the bar.
const barSteps = 1000

// NewProgress writes to w: a bar on a terminal, a line now and then elsewhere.
func NewProgress(w io.Writer) *Progress {
	p := &Progress{out: w, start: time.Now(), last: time.Now()}
	if f, ok := w.(*os.File); ok && term.IsTerminal(int(f.Fd())) {
		p.bar = progressbar.NewOptions(barSteps,
			progressbar.OptionSetWriter(f),
			progressbar.OptionSetWidth(24),
			progressbar.OptionSetPredictTime(false),
			progressbar.OptionClearOnFinish(),
		)
	}
	return p
}

// expect sets the time that the rest of the run is expected to take.
func (p *Progress) expect(left time.Duration) { p.total = p.done + left }

// step tells that a part is done which was expected to take that long.
func (p *Progress) step(expected time.Duration, what string) {
	p.done += expected
	share := min(1, float64(p.done)/float64(max(p.total, 1)))
	if p.bar == nil && time.Since(p.last) < lineEvery {
		return
	}
	elapsed := time.Since(p.start)
	left := time.Duration(float64(elapsed) * (1 - share) / share)
	text := fmt.Sprintf("%s; %s left", what, about(left))
	p.last = time.Now()
	if p.bar == nil {
		fmt.Fprintf(p.out, "%3.0f %%  %s\n", 100*share, text)
		return
	}
	p.bar.Describe(text)
	_ = p.bar.Set(int(share * (barSteps - 1)))
}

// note writes a line of its own.
func (p *Progress) note(format string, args ...any) {
	if p.bar != nil {
		_ = p.bar.Clear()
	}
	fmt.Fprintf(p.out, format+"\n", args...)
}

// finish removes the bar.
func (p *Progress) finish() {
	if p.bar != nil {
		_ = p.bar.Finish()
	}
}

// about rounds a time for people who wait.
func about(d time.Duration) string {
	switch {
	case d < 90*time.Second:
		return fmt.Sprintf("about %.0f s", d.Seconds())
	case d < 90*time.Minute:
		return fmt.Sprintf("about %.0f min", d.Minutes())
	}
	return fmt.Sprintf("about %.1f h", d.Hours())
}
