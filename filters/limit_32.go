//go:build 386 || arm || mips || mipsle || wasm

package filters

// MaxPayload bounds the bytes of one filter: 1 GiB, since addresses have 32 bits
// here.
const MaxPayload = 1 << 30
