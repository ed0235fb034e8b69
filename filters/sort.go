package filters

import "slices"

// Sort sorts hashes in ascending order. One pass by the top bits puts
// each into a run of a few hundred, which fits into the first-level cache and
// is sorted there; hashes are uniform, so the runs are even. O(n) extra bytes.
func Sort[H ~uint64](hashes []H) {
	const runLen = 256
	shift := 64
	for runs := 1; runs*runLen < len(hashes) && shift > 64-16; runs *= 2 {
		shift--
	}
	if shift == 64 {
		slices.Sort(hashes)
		return
	}
	ends := make([]int, 1<<(64-shift))
	for _, h := range hashes {
		ends[h>>shift]++
	}
	at := 0
	for run, n := range ends {
		ends[run] = at
		at += n
	}
	sorted := make([]H, len(hashes))
	for _, h := range hashes {
		run := h >> shift
		sorted[ends[run]] = h
		ends[run]++
	}
	start := 0
	for _, end := range ends {
		slices.Sort(sorted[start:end])
		start = end
	}
	copy(hashes, sorted)
}
