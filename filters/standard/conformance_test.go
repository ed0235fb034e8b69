package standard_test

import (
	"testing"

	"github.com/tamis-filter/tamis/filters/standard"
	"github.com/tamis-filter/tamis/filters/filtertest"
)

func TestConformance(t *testing.T) { filtertest.Run(t, standard.Family()) }
