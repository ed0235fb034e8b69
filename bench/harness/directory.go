package harness

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/tamis-filter/tamis/bench/record"
)

// directoryName returns the name of a run's directory: date and processor.
func directoryName(r record.Run) string {
	cpu := r.Machine.CPU
	if cpu == record.NotAvailable {
		cpu = r.Build.GOARCH
	}
	return r.Start.Format("2006-01-02") + "-" + slug(cpu)
}

var (
	trademarks = regexp.MustCompile(`(?i)\((r|tm)\)|@.*|\b(cpu|processor|[0-9]+-core)\b`)
	separators = regexp.MustCompile(`[^a-z0-9]+`)
)

// slug turns "Intel(R) Core(TM) i7-9700 CPU @ 3.00GHz" into "intel-core-i7-9700".
func slug(cpu string) string {
	s := trademarks.ReplaceAllString(cpu, " ")
	return strings.Trim(separators.ReplaceAllString(strings.ToLower(s), "-"), "-")
}

// Keep moves a finished run from directory work to its place below reports,
// which it returns. A second run of a day gets a number; none is overwritten.
func Keep(work, reports string, r record.Run) (string, error) {
	for i := 1; ; i++ {
		dir := filepath.Join(reports, directoryName(r))
		if i > 1 {
			dir += fmt.Sprintf("-%d", i)
		}
		_, err := os.Stat(dir)
		if errors.Is(err, fs.ErrNotExist) {
			return dir, os.Rename(work, dir)
		}
		if err != nil {
			return "", err
		}
	}
}
