package blocked_test

import (
	"testing"

	"github.com/tamis-filter/tamis/blocked"
	"github.com/tamis-filter/tamis/filters/filtertest"
)

func TestConformance(t *testing.T) { filtertest.Run(t, blocked.Family()) }

func FuzzReaders(f *testing.F) { filtertest.FuzzReaders(f, blocked.Family()) }
