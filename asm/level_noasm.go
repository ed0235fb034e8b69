//go:build purego || !(amd64 || arm64)

package asm

// Levels lists the levels that this machine and build have.
func Levels() []Level { return []Level{Generic} }
