// Arithmetic on the integers of 64 bits in memory.

import { At, copyLong, long, put, putLong, word } from "./memory.js";

const two32 = 2 ** 32;

/** The upper half of the product of two words. */
export function high(a: number, b: number): number {
  // The float is off by less than 2^11, and what is under the upper half is taken from it.
  return (((a >>> 0) * (b >>> 0) - (Math.imul(a, b) >>> 0)) / two32 + 0.5) >>> 0;
}

export function add(at: number, low: number, upper: number): void {
  const sum = word(at) + (low >>> 0);
  putLong(at, sum, word(at + 4) + upper + +(sum >= two32));
}

/** Puts the 128 bits of a product into At.product. */
export function multiply(a: number, b: number): void {
  const a0 = word(a), a1 = word(a + 4), b0 = word(b), b1 = word(b + 4);
  const middle = high(a0, b0) + (Math.imul(a0, b1) >>> 0) + (Math.imul(a1, b0) >>> 0);
  const upper = high(a0, b1) + high(a1, b0) + (Math.imul(a1, b1) >>> 0) + ((middle / two32) | 0);
  putLong(At.product, Math.imul(a0, b0), middle);
  putLong(At.product + 8, upper, high(a1, b1) + ((upper / two32) | 0));
}

/** Multiplies an integer by another. */
export function times(at: number, by: number): void {
  multiply(at, by);
  copyLong(at, At.product);
}

/** multiply by a number of less than 2^64 */
export function multiplyBy(at: number, n: number): void {
  putLong(At.factors, n, n / two32);
  multiply(at, At.factors);
}

/** ⌊acc · n / 2^64⌋, for an integer n < 2^53 */
export function scale(n: number): number {
  multiplyBy(At.acc, n);
  return long(At.product + 8);
}

/** acc ^= acc >> n, for 0 < n < 64 */
export function shiftXor(n: number): void {
  const low = word(At.acc), upper = word(At.acc1);
  if (n > 31) put(At.acc, low ^ (upper >>> n));
  else putLong(At.acc, low ^ (low >>> n) ^ (upper << -n), upper ^ (upper >>> n));
}

/** acc ^= acc >> n, and times an integer, a step of many a mixture */
export function shiftTimes(n: number, by: number): void {
  shiftXor(n);
  times(At.acc, by);
}
