//go:build !linux

package filters

func hugePages([]byte) {}
