package ribbon_test

import (
	"testing"

	"github.com/tamis-filter/tamis/filters/filtertest"
	"github.com/tamis-filter/tamis/ribbon"
)

func TestConformance(t *testing.T) { filtertest.Run(t, ribbon.Family()) }

func FuzzReaders(f *testing.F) { filtertest.FuzzReaders(f, ribbon.Family()) }
