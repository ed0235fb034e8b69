// Products of more than 64 bits.

const low32: u64 = 0xffffffff;

/** ⌊a·b / 2^32⌋ for b < 2^32. */
// @ts-ignore: decorator
@inline
export function times(a: u64, b: u64): u64 {
  return (a >> 32) * b + (((a & low32) * b) >> 32);
}

/** ⌊a·b / 2^64⌋ */
// @ts-ignore: decorator
@inline
export function high(a: u64, b: u64): u64 {
  const a0 = a & low32, a1 = a >> 32, b0 = b & low32, b1 = b >> 32;
  const one = a1 * b0;
  const middle = a0 * b1 + (one & low32) + ((a0 * b0) >> 32);
  return a1 * b1 + (one >> 32) + (middle >> 32);
}
