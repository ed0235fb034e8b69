package standard_test

import (
	"testing"

	"github.com/tamis-filter/tamis/filters/filtertest"
	"github.com/tamis-filter/tamis/filters/standard"
)

func TestConformance(t *testing.T) { filtertest.Run(t, standard.Family()) }

func FuzzReaders(f *testing.F) { filtertest.FuzzReaders(f, standard.Family()) }
