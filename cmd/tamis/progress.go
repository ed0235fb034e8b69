package main

import (
	"io"
	"os"
	"time"

	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"
)

// isTerminal reports whether somebody watches w.
func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// newBar is a progress bar over total bytes, or -1 where the total is not
// known. An invisible one writes nothing.
func newBar(w io.Writer, visible bool, what string, total int64) *progressbar.ProgressBar {
	return bar(w, visible, what, total, true)
}

// shareBarSteps is what a bar of newShareBar is set to when all is done.
const shareBarSteps = 1000

// newShareBar is a progress bar over work in shares of the whole.
func newShareBar(w io.Writer, visible bool, what string) *progressbar.ProgressBar {
	b := bar(w, visible, what, shareBarSteps, false)
	b.RenderBlank()
	return b
}

func bar(w io.Writer, visible bool, what string, total int64, bytes bool) *progressbar.ProgressBar {
	return progressbar.NewOptions64(total,
		progressbar.OptionSetWriter(w),
		progressbar.OptionSetVisibility(visible),
		progressbar.OptionSetDescription(what),
		progressbar.OptionShowBytes(bytes),
		progressbar.OptionSetElapsedTime(false),
		progressbar.OptionThrottle(100*time.Millisecond),
		progressbar.OptionSetSpinnerChangeInterval(0), // no goroutine: draw on Add only
		progressbar.OptionClearOnFinish(),
	)
}
