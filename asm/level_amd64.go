//go:build !purego

package asm

import "github.com/klauspost/cpuid/v2"

// Levels lists the levels that this machine and build have, Generic first.
func Levels() []Level {
	levels := []Level{Generic}
	if cpuid.CPU.Supports(cpuid.AVX2, cpuid.BMI2) {
		levels = append(levels, AVX2)
	}
	if cpuid.CPU.Supports(cpuid.AVX512F, cpuid.AVX512DQ, cpuid.AVX512BW, cpuid.AVX512VL, cpuid.AVX512VBMI2, cpuid.AVX512VPOPCNTDQ, cpuid.AVX512VBMI, cpuid.GFNI) {
		levels = append(levels, AVX512)
	}
	return levels
}
