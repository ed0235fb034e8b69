//go:build !(386 || arm || mips || mipsle || wasm)

package filters

// MaxPayload bounds the bytes of one filter: 256 GiB, and 1 GiB where addresses
// have 32 bits.
const MaxPayload = 1 << 38
