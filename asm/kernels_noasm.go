//go:build purego || !amd64

package asm

var kernels []Kernel
