//go:build !purego

package asm

var kernels = []Kernel{
	{Name: "ProbeBlocked", Level: NEON},
	{Name: "InsertBlocked", Level: NEON},
	{Name: "ProbeSplit", Level: NEON},
	{Name: "InsertSplit", Level: NEON},
	{Name: "ProbeRibbon", Level: NEON, Limits: "1 column, 2^32 starts"},
}
