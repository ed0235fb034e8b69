// Whether the key whose hash is in acc may be in the filter in memory, given its size and
// its parameter: see asm/standard.go, asm/blocked.go, asm/split.go and asm/cuckoo.go. What is
// in acc is lost.

import { At, bit, byte, copyLong, putLong, word } from "./memory.js";
import { add, high, scale, shiftTimes, times } from "./wide.js";

export function hasStandard(bits: number, k: number): boolean {
  putLong(At.step, word(At.acc1) | 1, word(At.acc));
  while (bit(At.payload, scale(bits))) {
    if (!--k) return true;
    times(At.step, At.factor1);
    add(At.acc, word(At.step), word(At.step + 4));
  }
  return false;
}

export function hasBlocked(lines: number, k: number): boolean {
  const first = scale(8 * lines), line = At.payload + (first - (first % 8)) * 8;
  copyLong(At.step, At.acc);
  times(At.acc, At.factor1);
  times(At.step, At.factor2);
  for (let i = 0; i < k; i++) {
    const w = (first + i) & 7;
    if (!bit(line + 8 * w, (byte(At.acc + w) + (i > 7 ? byte(At.step + (w ^ 4)) & 63 || 1 : 0)) & 63)) return false;
  }
  return true;
}

export function hasSplit(blocks: number): boolean {
  const block = At.payload + 32 * high(blocks, word(At.acc1));
  for (let i = 0; i < 32; i += 4) {
    if (!bit(block + i, Math.imul(word(At.salts + i), word(At.acc)) >>> 27)) return false;
  }
  return true;
}

/** How many of so many slots of a cuckoo filter hold a fingerprint. Empty ones hold 0. */
export function countSlots(bits: number, slot: number, slots: number, fingerprint: number): number {
  let count = 0;
  for (; slots--; slot++) {
    const at = (slot * bits) / 8;
    // There are 8 bytes behind the last slot.
    if (((word(At.payload + Math.floor(at)) >>> (at % 1 * 8)) << (32 - bits)) >>> (32 - bits) === fingerprint) count++;
  }
  return count;
}

export function hasCuckoo(buckets: number, bits: number): boolean {
  const fingerprint = high(word(At.acc), -1 >>> (32 - bits)) + 1, bucket = scale(buckets);
  putLong(At.acc, fingerprint, 0);
  times(At.acc, At.factor1);
  shiftTimes(32, At.factor2);
  const other = scale(buckets) - bucket;
  return countSlots(bits, 4 * bucket, 4, fingerprint) + countSlots(bits, 4 * (other < 0 ? other + buckets : other), 4, fingerprint) > 0;
}
