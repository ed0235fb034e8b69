// The cuckoo filter: see asm/cuckoo.go.

import { times } from "./wide";

let table: usize = 0;
let buckets: u64 = 0;
let bucketBytes: u32 = 0;
/** The bits of a word that are of a bucket, and of those the lowest and the highest of each slot. */
let used: u64 = 0;
let lowest: u64 = 0;
let highest: u64 = 0;

/** Sets up a table and returns how many of its slots are taken. */
export function openCuckoo(payload: usize, size: u64, fingerprintBits: u32): u64 {
  table = payload;
  buckets = size;
  bucketBytes = fingerprintBits >> 1;
  used = u64.MAX_VALUE;
  if (fingerprintBits < 16) used >>= 64 - 4 * fingerprintBits;
  lowest = 0;
  for (let at: u64 = 1; at & used; at <<= fingerprintBits) lowest |= at;
  highest = lowest << (fingerprintBits - 1);
  const rest = highest - lowest, step = min(bucketBytes, 8), end = payload + <usize>size * bucketBytes;
  let taken: u64 = 0;
  for (let at = payload; at < end; at += step) {
    const word = load<u64>(at) & used;
    taken += popcnt((((word & rest) + rest) | word) & highest);
  }
  return taken;
}

export function hasCuckoo(h: u64): boolean {
  const bits = bucketBytes << 1;
  const fingerprint = (((h & 0xffffffff) * (((<u64>1) << bits) - 1)) >> 32) + 1;
  const bucket = times(h, buckets) >> 32;
  const pattern = fingerprint * lowest;
  if (bucketHas(bucket, pattern)) return true;
  let mixed = fingerprint * 0xd1342543de82ef95;
  mixed = (mixed ^ (mixed >> 32)) * 0xaf251af3b0f025b5;
  const other = (times(mixed, buckets) >> 32) - bucket;
  return bucketHas(<i64>other < 0 ? other + buckets : other, pattern);
}

function bucketHas(bucket: u64, pattern: u64): boolean {
  const at = table + <usize>bucket * bucketBytes;
  return wordHas(at, pattern) || (bucketBytes == 16 && wordHas(at + 8, pattern));
}

// @ts-ignore: decorator
@inline
function wordHas(at: usize, pattern: u64): boolean {
  const x = (load<u64>(at) & used) ^ pattern;
  return ((x - lowest) & ~x & highest) != 0;
}
