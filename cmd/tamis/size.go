package main

import (
	"errors"
	"fmt"
	"io"
	"text/tabwriter"

	"github.com/spf13/cobra"
	"github.com/tamis-filter/tamis/filters"
	"github.com/tamis-filter/tamis/filters/all"
)

func newSize() *cobra.Command {
	var g goal
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "size --keys N [--fpr P]",
		Short: "Compare what a filter would take in every family",
		Long: `Size computes, without building anything, what every family takes for a number
of keys. A family that cannot do it says why.`,
		Example: "  tamis size --keys 1e6 --fpr 0.001",
		Args:    noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if !cmd.Flags().Changed("keys") {
				return errors.New("--keys is not set, and a size depends on it; run 'tamis size --keys 1e6'")
			}
			c, err := g.config(cmd)
			if err != nil {
				return err
			}
			if asJSON {
				return writeJSON(cmd.OutOrStdout(), sizes(c))
			}
			return writeSizes(cmd.OutOrStdout(), sizes(c))
		},
	}
	g.addFlags(cmd, "number of distinct keys, as 1000000 or 1e6")
	cmd.Flags().BoolVar(&asJSON, "json", false, "write JSON")
	return cmd
}

func noArgs(cmd *cobra.Command, args []string) error {
	if len(args) > 0 {
		return fmt.Errorf("unexpected argument %q; run '%s --help' for the flags", args[0], cmd.CommandPath())
	}
	return nil
}

// sizing is one family's row: a size, or why there is none.
type sizing struct {
	Family string `json:"family"`
	*filters.Size
	Error string `json:"error,omitempty"`
}

func sizes(c filters.Config) []sizing {
	var rows []sizing
	for _, family := range all.Families() {
		row := sizing{Family: family.Name()}
		if size, err := family.Size(c); err != nil {
			row.Error = reason(err)
		} else {
			row.Size = &size
		}
		rows = append(rows, row)
	}
	return rows
}

// reason is an error in the few words that fit into a row whose table already
// says what was asked for.
func reason(err error) string {
	var field *filters.FieldError
	if errors.As(err, &field) {
		return fmt.Sprintf("%v: %s", field.Err, field.Bound)
	}
	return message(err)
}

func writeSizes(w io.Writer, rows []sizing) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprint(t, "family\tbits/key\tbytes\tto build\texpected fpr\tlayout\n")
	for _, r := range rows {
		if r.Size == nil {
			fmt.Fprintf(t, "%s\t-\t-\t-\t-\t%s\n", r.Family, r.Error)
			continue
		}
		fmt.Fprintf(t, "%s\t%.2f\t%d\t%d\t%.4g\t%s\n", r.Family, r.BitsPerKey, r.Bytes, r.BuildBytes, r.FPR, r.Layout)
	}
	return t.Flush()
}
