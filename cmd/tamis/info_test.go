package main

import (
	"encoding/json"
	"os"
	"strconv"
	"strings"
	"testing"
)

func TestInfo(t *testing.T) {
	forFamilies(t, func(t *testing.T, family string) {
		path := built(t, family, lines("k", 1000), "--fpr", "0.01", "--seed", "42")
		file, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}

		var got map[string]any
		d := json.NewDecoder(strings.NewReader(tamis("", "info", "--json", path).must(t).stdout))
		d.UseNumber()
		if err := d.Decode(&got); err != nil {
			t.Fatal(err)
		}
		for field, want := range map[string]any{
			"family": family, "keys": json.Number("1000"), "seed": json.Number("42"),
			"file_bytes": json.Number(strconv.FormatInt(file.Size(), 10)),
		} {
			if got[field] != want {
				t.Errorf("%s is %v, want %v", field, got[field], want)
			}
		}
		for _, field := range []string{"layout", "capacity", "bits", "bits_per_key", "design_fpr", "expected_fpr", "fill", "kernel"} {
			if _, ok := got[field]; !ok {
				t.Errorf("%s is missing", field)
			}
		}

		table := tamis("", "info", path).must(t).stdout
		if got, want := strings.Count(table, "\n"), 12; got != want {
			t.Errorf("%d rows, want %d:\n%s", got, want, table)
		}
		for _, want := range []string{family, "1000", "42", strconv.FormatInt(file.Size(), 10)} {
			if !strings.Contains(table, " "+want+"\n") {
				t.Errorf("%q is missing in:\n%s", want, table)
			}
		}
	})
}
