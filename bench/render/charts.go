package render

import (
	"slices"

	"github.com/tamis-filter/tamis/bench/record"
)

// charts returns the charts of a run. One without filters has none.
func (d *data) charts() []*chart {
	if len(d.contestants()) == 0 {
		return nil
	}
	n, rate := d.reference()
	list := []*chart{d.rateChart(n)}
	sizes := d.sizes(rate)
	for _, n := range slices.Compact([]uint64{n, sizes[len(sizes)-1]}) {
		list = append(list, d.costChart(n, rate))
	}
	if len(sizes) > 1 {
		list = append(list, d.scaleChart(rate, record.Batch), d.scaleChart(rate, record.Single))
	}
	return list
}

// contestant is one of the filters, with its look.
type contestant struct {
	name string
	look look
}

func (d *data) contestants() []contestant {
	var list []contestant
	for _, c := range d.run.Contestants {
		if c.Class == record.Filter {
			list = append(list, contestant{c.Name, lookOf(len(list))})
		}
	}
	return list
}

// ofClass returns the name of the first contestant of a class.
func (d *data) ofClass(class string) (string, bool) {
	for _, c := range d.run.Contestants {
		if c.Class == class {
			return c.Name, true
		}
	}
	return "", false
}
