// Arithmetic on the integers of 64 bits in memory.

import { At, long, put, putLong, word } from "./memory.js";

const two32 = 2 ** 32;

/** The upper half of the product of two words. */
export function high(a: number, b: number): number {
  // The float is off by less than 2^11, of which half of 2^32 makes nothing.
  return (((a >>> 0) * (b >>> 0) - (Math.imul(a, b) >>> 0)) / two32 + 0.5) >>> 0;
}

export function add(at: number, low: number, upper: number): void {
  const sum = word(at) + (low >>> 0);
  putLong(at, sum, word(at + 4) + upper + (sum >= two32 ? 1 : 0));
}

/** Puts the 128 bits of a product into At.product. */
export function multiply(at: number, b0: number, b1: number): void {
  const a0 = word(at), a1 = word(at + 4);
  const middle = high(a0, b0) + (Math.imul(a0, b1) >>> 0) + (Math.imul(a1, b0) >>> 0);
  const upper = high(a0, b1) + high(a1, b0) + (Math.imul(a1, b1) >>> 0) + ((middle / two32) | 0);
  putLong(At.product, Math.imul(a0, b0), middle);
  putLong(At.product + 8, upper, high(a1, b1) + ((upper / two32) | 0));
}

export function times(at: number, low: number, upper: number): void {
  multiply(at, low, upper);
  putLong(at, word(At.product), word(At.product + 4));
}

/** The first of the factors that all families take. */
export function times1(at: number): void {
  times(at, 0xde82ef95, 0xd1342543);
}

/** The second. */
export function times2(): void {
  times(At.acc, 0xb0f025b5, 0xaf251af3);
}

/** ⌊acc · n / 2^64⌋, for an integer n < 2^53 */
export function scale(n: number): number {
  multiply(At.acc, n, n / two32);
  return long(At.product + 8);
}

/** acc ^= acc >> n, for 0 < n < 64 */
export function shiftXor(n: number): void {
  const low = word(At.acc), upper = word(At.acc1);
  if (n > 31) put(At.acc, low ^ (upper >>> n));
  else putLong(At.acc, low ^ (low >>> n) ^ (upper << -n), upper ^ (upper >>> n));
}
