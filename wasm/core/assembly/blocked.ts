// The blocked Bloom filter, one line of 64 bytes a key: see asm/blocked.go.

import { times } from "./wide";

let lines: usize = 0;
let words: u64 = 0;
let k: i32 = 0;

export function openBlocked(payload: usize, size: u64, param: u32): void {
  lines = payload;
  words = 8 * size;
  k = param;
}

export function hasBlocked(h: u64): boolean {
  const word = <usize>(times(h, words) >> 32);
  const line = lines + ((word << 3) & ~63);
  const p = h * 0xd1342543de82ef95;
  let first = <u32>word;
  let all: u64 = 1;
  for (let i = min(k, 8); i > 0; i--) {
    first &= 7;
    all &= load<u64>(line + (first << 3)) >> (p >> (first << 3));
    first++;
  }
  if (k > 8) {
    first = <u32>word;
    const distances = rotl(h * 0xaf251af3b0f025b5, 32);
    for (let i = k - 8; i > 0; i--) {
      first &= 7;
      const distance = max<u64>((distances >> (first << 3)) & 63, 1);
      all &= load<u64>(line + (first << 3)) >> ((p >> (first << 3)) + distance);
      first++;
    }
  }
  return <boolean>all;
}
