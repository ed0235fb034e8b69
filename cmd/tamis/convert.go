package main

import (
	"bytes"
	"fmt"
	"io"
	"math"
	"os"

	"github.com/spf13/cobra"
	"github.com/tamis-filter/tamis/blocked/split"
	"github.com/tamis-filter/tamis/filters"
)

func newConvert() *cobra.Command {
	var output string
	cmd := &cobra.Command{
		Use:   "convert FILE -o OUTPUT",
		Short: "Turn a filter file into a Parquet filter, or back",
		Long: `Convert reads a filter file of 'tamis build --family split --hash xxh64' and writes
the filter as it stands in a Parquet file, header and bitset; or it reads such a
filter, cut out of a Parquet file, and writes a filter file. That has an estimate
of the number of keys: a Parquet filter does not tell.

A Parquet filter holds values in their plain encoding: a string is its bytes, a
number its 4 or 8 bytes, little-endian.`,
		Example: "  tamis convert list.tamis -o list.bloom && tamis convert list.bloom -o again.tamis",
		Args:    oneFile,
		RunE: func(cmd *cobra.Command, args []string) error {
			if output == "" {
				return fmt.Errorf(`no output is set; say -o OUTPUT, or "-o -" for the standard output`)
			}
			src, err := converted(args[0])
			if err != nil {
				return err
			}
			if output == stdio {
				_, err = src.WriteTo(cmd.OutOrStdout())
				return err
			}
			out, err := newOutput(output)
			if err != nil {
				return err
			}
			_, err = out.write(src)
			return err
		},
	}
	cmd.Flags().StringVarP(&output, "output", "o", "", `file to write, "-" for the standard output`)
	return cmd
}

// converted returns the other form of what a file holds.
func converted(name string) (io.WriterTo, error) {
	isFile, err := beginsAsFile(name)
	if err != nil {
		return nil, fileError("read", name, err)
	}
	if !isFile {
		f, err := readParquet(name)
		if err != nil {
			return nil, err
		}
		return f, nil
	}
	f, err := openFilter(name)
	if err != nil {
		return nil, err
	}
	if info := f.Info(); info.Hash != "XXH64" {
		return nil, fmt.Errorf("%s is a filter, family %s, of keys hashed by %s, for which no reader of Parquet asks; build it with '--family split --hash xxh64'", name, info.Family, info.Hash)
	}
	page, err := f.(*split.Filter).AppendParquet(nil)
	if err != nil {
		return nil, err
	}
	return bytes.NewReader(page), nil
}

func beginsAsFile(name string) (bool, error) {
	file, err := os.Open(name)
	if err != nil {
		return false, err
	}
	defer file.Close()
	begin := make([]byte, 4)
	n, err := io.ReadFull(file, begin)
	if err == io.EOF || err == io.ErrUnexpectedEOF {
		err = nil
	}
	return filters.IsFile(begin[:n]), err
}

// readParquet opens a filter that was cut out of a Parquet file.
func readParquet(name string) (*split.Filter, error) {
	info, err := os.Stat(name)
	if err != nil {
		return nil, fileError("read", name, err)
	}
	if !info.Mode().IsRegular() || info.Size() > math.MaxInt32+1024 {
		return nil, fmt.Errorf("%s is neither a filter file nor a Parquet filter: it must be a regular file of less than 2 GiB", name)
	}
	data, err := os.ReadFile(name)
	if err != nil {
		return nil, fileError("read", name, err)
	}
	f, err := split.OpenParquet(data)
	if err != nil {
		return nil, fmt.Errorf("%s is neither a filter file nor a Parquet filter: %s", name, message(err))
	}
	return f, nil
}
