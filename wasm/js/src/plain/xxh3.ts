// XXH3-64 with a seed, of every length. The hash is put into acc.

import { At, byte, copyLong, put, putLong, word } from "./memory.js";
import { add, high, multiply, shiftTimes, shiftXor, times } from "./wide.js";

/** Hashes n bytes. */
export function hash(at: number, n: number, seed0: number, seed1: number): void {
  putLong(At.seed, seed0, seed1);
  putLong(At.acc, n, 0);
  const end = at + n;
  if (n > 16) {
    times(At.acc, At.prime1);
    let i = 0;
    if (n > 240) {
      long(at, n);
    } else if (n > 128) {
      for (; i < 128; i += 16) mix(at + i, At.secret + i);
      avalanche();
      for (; i + 16 <= n; i += 16) mix(at + i, At.secret - 125 + i);
      mix(end - 16, At.secret + 119);
    } else {
      // From both ends inwards.
      for (; 2 * i < n; i += 16) {
        mix(at + i, At.secret + 2 * i);
        mix(end - 16 - i, At.secret + 16 + 2 * i);
      }
    }
    avalanche();
  } else if (n > 8) {
    mix(at, At.secret24, end - 8);
    add(At.acc, swap(word(At.factors + 4)), swap(word(At.factors)));
    add(At.acc, word(At.factors + 8), word(At.factors + 12));
    avalanche();
  } else if (n > 3) {
    const low = word(At.secret8) - seed0;
    const l = word(end - 4) ^ low, h = word(at) ^ (word(At.secret12) - (seed1 ^ swap(seed0)) - +(low < 0));
    putLong(At.acc, l ^ (h << 17) ^ (l >>> 15) ^ (l << 24) ^ (h >>> 8), h ^ (l << 17) ^ (h >>> 15) ^ (h << 24) ^ (l >>> 8));
    times(At.acc, At.mixer);
    put(At.acc, word(At.acc) ^ ((word(At.acc1) >>> 3) + n));
    times(At.acc, At.mixer);
    shiftXor(28);
  } else {
    if (n) {
      putLong(At.acc, word(At.secret) ^ word(At.secret + 4), 0);
      add(At.acc, seed0, seed1);
      put(At.acc, word(At.acc) ^ ((byte(at) << 16) | (byte(at + (n >> 1)) << 24) | byte(end - 1) | (n << 8)));
    } else {
      putLong(At.acc, seed0 ^ word(At.secret56), seed1 ^ word(At.secret60));
    }
    shiftTimes(33, At.prime2);
    shiftTimes(29, At.prime3);
    shiftXor(32);
  }
}

/** Adds both halves, exclusive-ored, of the product of two integers, each under its key and the seed. */
function mix(a: number, key: number, b = a + 8): void {
  const plus = word(key) + word(At.seed), minus = word(key + 8) - word(At.seed);
  putLong(At.factors, word(a) ^ plus, word(a + 4) ^ (word(key + 4) + word(At.seed1) + +(plus >= 2 ** 32)));
  putLong(At.factors + 8, word(b) ^ minus, word(b + 4) ^ (word(key + 12) - word(At.seed1) - +(minus < 0)));
  multiply(At.factors, At.factors + 8);
  add(At.acc, word(At.product) ^ word(At.product + 8), word(At.product + 4) ^ word(At.product + 12));
}

function avalanche(): void {
  shiftTimes(37, At.avalanche);
  shiftXor(32);
}

/** The bytes of a word in the other order. */
function swap(x: number): number {
  return (x << 24) | ((x & 0xff00) << 8) | ((x >>> 8) & 0xff00) | (x >>> 24);
}

// A long input is stripes of 64 bytes. The last is its last 64 bytes, whatever of
// them was in the stripe before. After every 16 stripes the sums are scrambled.
function long(at: number, n: number): void {
  for (let i = 0; i < 192; i += 4) {
    if (!(i & 15)) mix(At.zeros, At.secret + i);
    put(At.seeded + i, word(At.factors + (i & 15)));
  }
  for (let i = 0; i < 64; i += 4) put(At.sums + i, word(At.sumsStart + i));
  for (let i = 0; i < n - 64; i += 64) {
    stripe(at + i, At.seeded + ((i >> 3) & 120));
    if ((i & 960) === 960) {
      for (let j = 0; j < 64; j += 8) {
        copyLong(At.acc, At.sums + j);
        shiftXor(47);
        putLong(At.sums + j, word(At.acc) ^ word(At.seeded + 128 + j), word(At.acc1) ^ word(At.seeded + 132 + j));
        times(At.sums + j, At.prime32);
      }
    }
  }
  stripe(at + n - 64, At.seeded + 121);
  putLong(At.seed, 0, 0);
  putLong(At.acc, n, 0);
  times(At.acc, At.prime1);
  for (let i = 0; i < 64; i += 16) mix(At.sums + i, At.seeded + 11 + i);
}

function stripe(at: number, key: number): void {
  for (let i = 0; i < 64; i += 8) {
    const low = word(at + i), upper = word(at + i + 4), l = low ^ word(key + i), h = upper ^ word(key + i + 4);
    add(At.sums + (i ^ 8), low, upper);
    add(At.sums + i, Math.imul(l, h), high(l, h));
  }
}
