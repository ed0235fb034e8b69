package cuckoo_test

import (
	"testing"

	"github.com/tamis-filter/tamis/filters/cuckoo"
	"github.com/tamis-filter/tamis/filters/filtertest"
)

func TestConformance(t *testing.T) { filtertest.Run(t, cuckoo.Family()) }

func FuzzReaders(f *testing.F) { filtertest.FuzzReaders(f, cuckoo.Family()) }
