package ribbon_test

import (
	"testing"

	"github.com/tamis-filter/tamis/ribbon"
	"github.com/tamis-filter/tamis/filters/filtertest"
)

func TestConformance(t *testing.T) { filtertest.Run(t, ribbon.Family()) }
