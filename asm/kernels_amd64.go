//go:build !purego

package asm

var kernels = []Kernel{
	{Name: "HashUint64s", Level: AVX512},
	{Name: "ProbeStandard", Level: AVX2},
	{Name: "ProbeBlocked", Level: AVX2},
	{Name: "ProbeBlocked", Level: AVX512, Limits: "2^32 lines"},
	{Name: "HasBlocked", Level: AVX2},
	{Name: "HasBlocked", Level: AVX512},
	{Name: "InsertBlocked", Level: AVX2},
	{Name: "InsertBlocked", Level: AVX512},
	{Name: "ProbeSplit", Level: AVX2},
	{Name: "ProbeSplit", Level: AVX512},
	{Name: "HasSplit", Level: AVX2},
	{Name: "InsertSplit", Level: AVX2},
	{Name: "ProbeCuckoo", Level: AVX2, Limits: "32-bit fingerprints, 2^32 buckets"},
	{Name: "ProbeCuckoo", Level: AVX512, Limits: "32-bit fingerprints, 2^32 buckets"},
	{Name: "ProbeRibbon", Level: AVX2, Limits: "2^32 starts"},
	{Name: "ProbeRibbon", Level: AVX512, Limits: "2^32 starts"},
	{Name: "HasRibbon", Level: AVX512},
	{Name: "InsertRibbon", Level: AVX512},
	{Name: "SolveRibbon", Level: AVX512},
}
