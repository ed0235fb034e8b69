//go:build !purego

package asm

// Levels lists the levels that this machine and build have, Generic first. Every
// arm64 machine that Go runs on has NEON.
func Levels() []Level { return []Level{Generic, NEON} }
