package harness

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strconv"
	"strings"

	"github.com/tamis-filter/tamis/bench/record"
)

// describeMachine reads what Linux tells of the machine. Elsewhere most of it
// is not available.
func describeMachine() record.Machine {
	cpuinfo := readText("/proc/cpuinfo")
	return record.Machine{
		CPU:         orNotAvailable(field(cpuinfo, "model name")),
		LogicalCPUs: runtime.NumCPU(),
		Caches:      caches("/sys/devices/system/cpu/cpu0/cache"),
		MemoryBytes: kibibytes(field(readText("/proc/meminfo"), "MemTotal")),
		PageBytes:   os.Getpagesize(),
		HugePages:   orNotAvailable(chosen(readText("/sys/kernel/mm/transparent_hugepage/enabled"))),
		Governor:    orNotAvailable(readText("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor")),
		Hypervisor:  hypervisor(cpuinfo),
		Kernel:      orNotAvailable(readText("/proc/sys/kernel/osrelease")),
		OS:          orNotAvailable(strings.Trim(assignment(readText("/etc/os-release"), "PRETTY_NAME"), `"`)),
	}
}

// readText returns a small file's text, or nothing.
func readText(name string) string {
	data, err := os.ReadFile(name)
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(data))
}

func orNotAvailable(s string) string {
	if s == "" {
		return record.NotAvailable
	}
	return s
}

// field returns the value of the first "key : value" line.
func field(text, key string) string {
	for line := range strings.Lines(text) {
		if k, v, ok := strings.Cut(line, ":"); ok && strings.TrimSpace(k) == key {
			return strings.TrimSpace(v)
		}
	}
	return ""
}

// assignment returns the value of a "key=value" line.
func assignment(text, key string) string {
	for line := range strings.Lines(text) {
		if v, ok := strings.CutPrefix(line, key+"="); ok {
			return strings.TrimSpace(v)
		}
	}
	return ""
}

// chosen returns the word in brackets: "always [madvise] never" is madvise.
func chosen(text string) string {
	_, rest, _ := strings.Cut(text, "[")
	word, _, _ := strings.Cut(rest, "]")
	return word
}

// kibibytes reads "24 kB" and "32K", in which Linux means 1024 bytes, and
// returns bytes; 0 for anything else.
func kibibytes(text string) uint64 {
	digits := strings.TrimRight(text, " kKB")
	n, err := strconv.ParseUint(digits, 10, 64)
	if err != nil || digits == text {
		return 0
	}
	return n << 10
}

func caches(dir string) []record.Cache {
	list := []record.Cache{}
	for i := 0; ; i++ {
		index := filepath.Join(dir, fmt.Sprintf("index%d", i))
		level, err := strconv.Atoi(readText(filepath.Join(index, "level")))
		if err != nil {
			return list
		}
		list = append(list, record.Cache{
			Level: level,
			Type:  readText(filepath.Join(index, "type")),
			Bytes: kibibytes(readText(filepath.Join(index, "size"))),
		})
	}
}

// hypervisor tells whether the processor says that it is a virtual one.
func hypervisor(cpuinfo string) string {
	flags := strings.Fields(field(cpuinfo, "flags"))
	if len(flags) == 0 {
		return record.NotAvailable
	}
	for _, flag := range flags {
		if flag == "hypervisor" {
			return "yes"
		}
	}
	return "no"
}

// describeBuild returns how this program was compiled. Settings that depend on
// the place of the source are left out.
func describeBuild() record.GoBuild {
	b := record.GoBuild{Go: runtime.Version(), GOOS: runtime.GOOS, GOARCH: runtime.GOARCH, Settings: map[string]string{}}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return b
	}
	for _, s := range info.Settings {
		flag := strings.HasPrefix(s.Key, "-") && s.Key != "-trimpath"
		level := strings.HasPrefix(s.Key, "GO"+strings.ToUpper(runtime.GOARCH)) || s.Key == "CGO_ENABLED" || s.Key == "GOEXPERIMENT"
		if flag || level {
			b.Settings[s.Key] = s.Value
		}
	}
	return b
}

// describeSource asks git for the state of the source that this runs from.
func describeSource() record.Source {
	s := record.Source{Commit: record.NotAvailable, Dirty: record.NotAvailable}
	commit, err := exec.Command("git", "rev-parse", "HEAD").Output()
	if err != nil {
		return s
	}
	s.Commit = strings.TrimSpace(string(commit))
	changed, err := exec.Command("git", "status", "--porcelain", "--", ":/", ":(top,exclude)reports").Output()
	if err == nil {
		s.Dirty = "no"
		if len(changed) > 0 {
			s.Dirty = "yes"
		}
	}
	return s
}
