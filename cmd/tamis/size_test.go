package main

import (
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/tamis-filter/tamis/filters/all"
)

func sizesOf(t *testing.T, args ...string) []sizing {
	t.Helper()
	var rows []sizing
	r := tamis("", append([]string{"size", "--json"}, args...)...).must(t)
	if err := json.Unmarshal([]byte(r.stdout), &rows); err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, row := range rows {
		names = append(names, row.Family)
		if (row.Size == nil) == (row.Error == "") {
			t.Errorf("%s: want either a size or a reason", row.Family)
		}
	}
	if !slices.Equal(names, all.Names()) {
		t.Errorf("families %q, want %q", names, all.Names())
	}
	return rows
}

func TestSizeListsEveryFamily(t *testing.T) {
	for _, row := range sizesOf(t, "--keys", "1e6", "--fpr", "0.01") {
		if row.Size == nil || row.FPR > 0.0103 || row.FPR <= 0 || row.BitsPerKey < 6.6 || row.Bytes < 830_000 || row.Layout == "" {
			t.Errorf("%s: %+v, %s", row.Family, row.Size, row.Error)
		}
	}
	table := tamis("", "size", "--keys", "1_000_000").must(t).stdout
	if got, want := strings.Count(table, "\n"), len(all.Names())+1; got != want {
		t.Errorf("%d rows, want %d:\n%s", got, want, table)
	}
	if !strings.Contains(table, "k = 7, 9585059 bits") {
		t.Errorf("1e6 keys at 0.01 do not take 9585059 bits:\n%s", table)
	}
}

func TestSizeKeepsTheBudget(t *testing.T) {
	for _, row := range sizesOf(t, "--keys", "1000000", "--bits-per-key", "12") {
		if row.Size != nil && row.BitsPerKey > 12.001 {
			t.Errorf("%s takes %v bits/key", row.Family, row.BitsPerKey)
		}
	}
	for _, row := range sizesOf(t, "--keys", "1000000", "--max-bytes", "2e6") {
		if row.Size != nil && row.Bytes > 2e6 {
			t.Errorf("%s takes %d bytes", row.Family, row.Bytes)
		}
	}
}

func TestSizeSaysWhyNot(t *testing.T) {
	rows := sizesOf(t, "--keys", "1e12", "--fpr", "1e-9")
	table := tamis("", "size", "--keys", "1e12", "--fpr", "1e-9").must(t).stdout
	if strings.Count(table, "\n") != len(rows)+1 {
		t.Errorf("want a row a family, have\n%s", table)
	}
	for _, row := range rows {
		if row.Size == nil && !strings.Contains(table, row.Error) {
			t.Errorf("%s: the table does not say %q", row.Family, row.Error)
		}
		if row.Size == nil && (strings.Contains(row.Error, "\n") || len(row.Error) > 120) {
			t.Errorf("%s: %q is not short", row.Family, row.Error)
		}
	}
}

// What size says is what build writes; for a static family it is an upper
// estimate.
func TestSizeIsWhatBuildWrites(t *testing.T) {
	for _, row := range sizesOf(t, "--keys", "10000", "--fpr", "0.001") {
		file, err := os.Stat(built(t, row.Family, lines("k", 10_000), "--fpr", "0.001"))
		if err != nil {
			t.Fatal(err)
		}
		family, err := all.Find(row.Family)
		if err != nil {
			t.Fatal(err)
		}
		if n := uint64(file.Size()); n > row.Bytes || family.New != nil && n != row.Bytes {
			t.Errorf("%s: %d bytes, size says %d", row.Family, n, row.Bytes)
		}
	}
}
