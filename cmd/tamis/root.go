package main

import (
	"errors"
	"fmt"
	"io"
	"runtime/debug"
	"syscall"

	"github.com/spf13/cobra"
	"github.com/tamis-filter/tamis/filters"
)

// Exit codes, as grep has them.
const (
	exitOK    = 0
	exitNone  = 1
	exitError = 2
)

// errNone makes check exit with exitNone; it is no message to anybody.
var errNone = errors.New("no key may be in")

// run is the whole command. It never exits the process, so that tests call it.
func run(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	root := newRoot()
	root.SetArgs(args)
	root.SetIn(stdin)
	root.SetOut(named{stdout, "the standard output"})
	root.SetErr(stderr)
	switch err := root.Execute(); {
	case err == nil:
		return exitOK
	case errors.Is(err, errNone):
		return exitNone
	case errors.Is(err, syscall.EPIPE), errors.Is(err, io.ErrClosedPipe):
		return exitError // the reader of the output has left and wants no message
	default:
		fmt.Fprintln(stderr, "tamis: "+message(err))
		return exitError
	}
}

func newRoot() *cobra.Command {
	root := &cobra.Command{
		Use:   "tamis",
		Short: "Build, query and size approximate-membership filters",
		Long: `Tamis puts a list of keys into a small file that answers whether a key may be
in the list. "no" is certain; "maybe" is wrong for a stranger at the
false-positive rate (fpr) that the filter was built for.`,
		Example:            "  tamis build --fpr 0.001 list.txt -o list.tamis && tamis check list.tamis example.com",
		Version:            version(),
		SilenceErrors:      true,
		SilenceUsage:       true,
		DisableSuggestions: true,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 0 {
				return fmt.Errorf("unknown command %q; run 'tamis --help' for the list", args[0])
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	root.SetFlagErrorFunc(flagError)
	root.AddCommand(newBuild(), newCheck(), newInfo(), newVerify(), newConvert(), newSize())
	return root
}

// version is the module version that the go command stamped into the binary,
// and the file format that it reads and writes.
func version() string {
	v := "(devel)"
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" {
		v = info.Main.Version
	}
	return fmt.Sprintf("%s, file format %d", v, filters.Version)
}

// named gives the errors of a stream without a path the form that those of
// files have.
type named struct {
	io.Writer
	name string
}

func (w named) Write(p []byte) (int, error) {
	n, err := w.Writer.Write(p)
	if err != nil {
		err = fileError("write", w.name, err)
	}
	return n, err
}
