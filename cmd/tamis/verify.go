package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"

	"github.com/spf13/cobra"
	"github.com/tamis-filter/tamis/filters"
)

func newVerify() *cobra.Command {
	return &cobra.Command{
		Use:   "verify FILE",
		Short: "Check a filter file in full",
		Long: `Verify reads all of a filter file and checks its structure and its checksums. If
something is wrong, the error says what, and at which offset.`,
		Example: "  tamis verify list.tamis",
		Args:    oneFile,
		RunE: func(cmd *cobra.Command, args []string) error {
			f, err := open(args[0])
			if field, ok := errors.AsType[*filters.FieldError](err); ok {
				if inner := withoutPath(err); inner != error(field) { // of a part's own header
					return fmt.Errorf("%s: %s: %v", args[0], inPayload, inner)
				}
				return fmt.Errorf("%s: %s: %s", args[0], place(args[0], field), message(err))
			}
			if err != nil {
				return fileError("read", args[0], err)
			}
			info := f.Info()
			_, err = fmt.Fprintf(cmd.OutOrStdout(), "%s: ok, %s, %d keys, %d bytes\n", args[0], info.Family, info.Keys, fileBytes(info))
			return err
		},
	}
}

// fileBytes is the length of a filter's file.
func fileBytes(info filters.Info) uint64 { return filters.HeaderSize + info.Bits/8 }

// oneFile is the rule for a command's arguments.
func oneFile(cmd *cobra.Command, args []string) error {
	if len(args) != 1 {
		return fmt.Errorf("%d filter files given, %s takes one; run '%s FILE'", len(args), cmd.Name(), cmd.CommandPath())
	}
	return nil
}

// withoutPath is what went wrong with a file, without its name.
func withoutPath(err error) error {
	if path, ok := errors.AsType[*fs.PathError](err); ok {
		return path.Err
	}
	return err
}

// inPayload is the place of what is wrong behind the header.
var inPayload = fmt.Sprintf("payload, offset %d on", filters.HeaderSize)

// place says where in a file a reader met what it refuses: at a field of the
// header, where the file ends too early or goes on too long, or in the payload.
func place(name string, e *filters.FieldError) string {
	if offset, ok := e.Offset(); ok {
		return fmt.Sprintf("offset %d", offset)
	}
	if e.Field != "length" {
		return inPayload
	}
	file, err := os.Open(name)
	if err != nil {
		return "end"
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil || !info.Mode().IsRegular() {
		return "end"
	}
	end := uint64(info.Size())
	header := make([]byte, filters.HeaderSize)
	if n, _ := file.ReadAt(header, 0); n == len(header) {
		if _, promised, err := filters.ReadHeader(header); err == nil {
			end = min(end, promised)
		}
	}
	return fmt.Sprintf("offset %d", end)
}
