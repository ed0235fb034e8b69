module github.com/tamis-filter/tamis/wasm/core

go 1.26.0

require (
	github.com/bits-and-blooms/bitset v1.29.0
	github.com/tamis-filter/tamis v0.0.0
	github.com/tetratelabs/wazero v1.12.0
	github.com/zeebo/xxh3 v1.1.0
)

require (
	github.com/klauspost/cpuid/v2 v2.4.2 // indirect
	golang.org/x/sys v0.49.0 // indirect
)

replace github.com/tamis-filter/tamis => ../..
