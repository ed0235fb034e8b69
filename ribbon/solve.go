package ribbon

import (
	"github.com/tamis-filter/tamis/asm"
	"github.com/tamis-filter/tamis/filters"
)

// solve writes the solution of a band into l.Solution, whose geometry is set
// and whose bytes are 0: the blocks between two walls, that of the first left out
// and that of the second included, depend on no others.
func solve(b *band, l *asm.RibbonLayer, progress *filters.Progress) {
	ends := []uint64{0} // of the blocks up to each wall's
	for _, bucket := range b.walls {
		ends = append(ends, bucket*asm.RibbonBucket/64+1)
	}
	ends = append(ends, b.blocks())
	filters.Parallel(len(ends)-1, func(i int, _ *struct{}) {
		asm.SolveRibbon(l, b.coefficients, b.fingerprints, ends[i], ends[i+1])
		progress.Add(64 * (ends[i+1] - ends[i]))
	})
}
