// The standard Bloom filter: see asm/standard.go.

import { high, times } from "./wide";

let array: usize = 0;
let bits: u64 = 0;
let k: u32 = 0;

export function openStandard(payload: usize, size: u64, param: u32): void {
  array = payload;
  bits = size;
  k = param;
}

export function hasStandard(x: u64): boolean {
  let y = rotl(x, 32) | 1;
  let left = k;
  while (true) {
    const i: u64 = bits >> 32 ? high(x, bits) : times(x, bits) >> 32;
    if (!((load<u8>(array + <usize>(i >> 3)) >> <u8>(i & 7)) & 1)) return false;
    if (--left == 0) return true;
    y *= 0xd1342543de82ef95;
    x += y;
  }
}
