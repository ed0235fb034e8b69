package split_test

import (
	"testing"

	"github.com/tamis-filter/tamis/blocked/split"
	"github.com/tamis-filter/tamis/filters/filtertest"
)

func TestConformance(t *testing.T) { filtertest.Run(t, split.Family()) }

func FuzzReaders(f *testing.F) { filtertest.FuzzReaders(f, split.Family()) }
