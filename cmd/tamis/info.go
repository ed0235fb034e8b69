package main

import (
	"encoding/json"
	"fmt"
	"io"
	"text/tabwriter"

	"github.com/spf13/cobra"
	"github.com/tamis-filter/tamis/filters"
)

func newInfo() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:     "info FILE",
		Short:   "Describe a filter file",
		Long:    "Info checks a filter file in full, checksums included, and describes the filter.",
		Example: "  tamis info list.tamis",
		Args:    oneFile,
		RunE: func(cmd *cobra.Command, args []string) error {
			f, err := openFilter(args[0])
			if err != nil {
				return err
			}
			info := f.Info()
			d := description{info, fileBytes(info)}
			if asJSON {
				return writeJSON(cmd.OutOrStdout(), d)
			}
			return d.writeTable(cmd.OutOrStdout())
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "write JSON")
	return cmd
}

// description is what info tells.
type description struct {
	filters.Info
	FileBytes uint64 `json:"file_bytes"`
}

func (d description) writeTable(w io.Writer) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, row := range []struct {
		name  string
		value any
	}{
		{"family", d.Family},
		{"layout", d.Layout},
		{"keys", d.Keys},
		{"capacity", d.Capacity},
		{"file bytes", d.FileBytes},
		{"bits/key", fmt.Sprintf("%.2f", d.BitsPerKey)},
		{"design fpr", fmt.Sprintf("%.4g", d.DesignFPR)},
		{"expected fpr", fmt.Sprintf("%.4g", d.ExpectedFPR)},
		{"fill", fmt.Sprintf("%.4f", d.Fill)},
		{"hash", d.Hash},
		{"seed", d.Seed},
		{"kernel", d.Kernel},
	} {
		fmt.Fprintf(t, "%s\t%v\n", row.name, row.value) // Flush returns the error
	}
	return t.Flush()
}

func writeJSON(w io.Writer, v any) error {
	b, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		return err
	}
	_, err = w.Write(append(b, '\n'))
	return err
}
