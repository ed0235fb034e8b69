// XXH3-64 with a seed, of every length.

import { high } from "./wide";

const secretBytes = 192;
const secret = memory.data<u64>([
  0xbe4ba423396cfeb8, 0x1cad21f72c81017c, 0xdb979083e96dd4de, 0x1f67b3b7a4a44072, 0x78e5c0cc4ee679cb, 0x2172ffcc7dd05a82,
  0x8e2443f7744608b8, 0x4c263a81e69035e0, 0xcb00c391bb52283c, 0xa32e531b8b65d088, 0x4ef90da297486471, 0xd8acdea946ef1938,
  0x3f349ce33f76faa8, 0x1d4f0bc7c7bbdcf9, 0x3159b4cd4be0518a, 0x647378d9c97e9fc8, 0xc3ebd33483acc5ea, 0xeb6313faffa081c5,
  0x49daf0b751dd0d17, 0x9e68d429265516d3, 0xfca1477d58be162b, 0xce31d07ad1b8f88f, 0x280416958f3acb45, 0x7e404bbbcafbd7af,
]);
const prime32_1: u64 = 0x9e3779b1;
const prime32_2: u64 = 0x85ebca77;
const prime32_3: u64 = 0xc2b2ae3d;
const prime64_1: u64 = 0x9e3779b185ebca87;
const prime64_2: u64 = 0xc2b2ae3d27d4eb4f;
const prime64_3: u64 = 0x165667b19e3779f9;
const prime64_4: u64 = 0x85ebca77c2b2ae63;
const prime64_5: u64 = 0x27d4eb2f165667c5;

let seed: u64 = 0;
/** The secret with the seed added to and subtracted from its words in turn. */
const seeded = memory.data(secretBytes, 16);

/** Chooses the seed of what is hashed from now on. */
export function setSeed(to: u64): void {
  seed = to;
  for (let i = 0; i < secretBytes; i += 16) {
    store<u64>(seeded + i, load<u64>(secret + i) + to);
    store<u64>(seeded + i, load<u64>(secret + i, 8) - to, 8);
  }
}

/** The hash of the bytes at p. */
// @ts-ignore: decorator
@inline
export function hash(p: usize, n: u32): u64 {
  return n - 17 < 112 ? medium(p, n) : other(p, n);
}

function medium(p: usize, n: u32): u64 {
  let sum = <u64>n * prime64_1;
  // Pairs of 16 bytes, from both ends inwards.
  let key = seeded, back = p + n;
  do {
    back -= 16;
    const a = load<u64>(p) ^ load<u64>(key), b = load<u64>(p, 8) ^ load<u64>(key, 8);
    const c = load<u64>(back) ^ load<u64>(key, 16), d = load<u64>(back, 8) ^ load<u64>(key, 24);
    sum += ((a * b) ^ high(a, b)) + ((c * d) ^ high(c, d));
    p += 16;
    key += 32;
  } while (p < back);
  return avalanche(sum);
}

function other(p: usize, n: u32): u64 {
  if (n <= 16) return short(p, n);
  let sum = <u64>n * prime64_1;
  if (n <= 240) {
    for (let i: u32 = 0; i < 128; i += 16) sum += mix(p + i, secret + i, seed);
    sum = avalanche(sum);
    for (let i: u32 = 128; i + 16 <= n; i += 16) sum += mix(p + i, secret + i - 125, seed);
    return avalanche(sum + mix(p + n - 16, secret + 119, seed));
  }
  return long(p, n, sum);
}

function short(p: usize, n: u32): u64 {
  if (n > 8) {
    const a = load<u64>(p) ^ ((load<u64>(secret, 24) ^ load<u64>(secret, 32)) + seed);
    const b = load<u64>(p + n - 8) ^ ((load<u64>(secret, 40) ^ load<u64>(secret, 48)) - seed);
    return avalanche(n + bswap(a) + b + fold(a, b));
  }
  if (n > 3) {
    const both = load<u32>(p + n - 4) + (<u64>load<u32>(p) << 32);
    const mixed = seed ^ (<u64>bswap(<u32>seed) << 32);
    let h = both ^ ((load<u64>(secret, 8) ^ load<u64>(secret, 16)) - mixed);
    h = (h ^ rotl(h, 49) ^ rotl(h, 24)) * 0x9fb21c651e98df25;
    h = (h ^ ((h >> 35) + n)) * 0x9fb21c651e98df25;
    return h ^ (h >> 28);
  }
  let h = seed;
  if (n > 0) {
    const bytes = (<u32>load<u8>(p) << 16) | (<u32>load<u8>(p + (n >> 1)) << 24) | <u32>load<u8>(p + n - 1) | (n << 8);
    h = bytes ^ (h + (load<u32>(secret) ^ load<u32>(secret, 4)));
  } else {
    h ^= load<u64>(secret, 56) ^ load<u64>(secret, 64);
  }
  h = (h ^ (h >> 33)) * prime64_2;
  h = (h ^ (h >> 29)) * prime64_3;
  return h ^ (h >> 32);
}

function mix(p: usize, key: usize, add: u64): u64 {
  return fold(load<u64>(p) ^ (load<u64>(key) + add), load<u64>(p, 8) ^ (load<u64>(key, 8) - add));
}

// @ts-ignore: decorator
@inline
function avalanche(h: u64): u64 {
  h = (h ^ (h >> 37)) * 0x165667919e3779f9;
  return h ^ (h >> 32);
}

/** Both halves of a·b, exclusive-ored. */
function fold(a: u64, b: u64): u64 {
  return (a * b) ^ high(a, b);
}

/** What eight sums start from, and end as. */
const sums = memory.data<u64>([prime32_3, prime64_1, prime64_2, prime64_3, prime64_4, prime32_2, prime64_5, prime32_1]);
const ends = memory.data(64, 16);

function merge(sum: u64): u64 {
  for (let i = 0; i < 64; i += 16) sum += mix(ends + i, seeded + 11 + i, 0);
  return avalanche(sum);
}

// A long input is stripes of 64 bytes. The last is its last 64 bytes, whatever of
// them was in the stripe before. After every 16 stripes the sums are scrambled.

/** How much of a stripe is added at a time. */
// @ts-ignore: decorator
@inline
const width: usize = ASC_FEATURE_SIMD ? 16 : 8;

function long(p: usize, n: u32, sum: u64): u64 {
  for (let j: usize = 0; j < 64; j += 8) store<u64>(ends + j, load<u64>(sums + j));
  const stripes = (n - 1) >> 6, last = p + n - 64;
  let key = seeded;
  let i: u32 = 0;
  while (true) {
    if (i == stripes) {
      p = last;
      key = seeded + 121;
    }
    for (let at = ends; at < ends + 64; ) {
      at = stripe(at, p, key);
      p += width;
      key += width;
    }
    if (i == stripes) return merge(sum);
    key -= 56;
    if ((++i & 15) == 0) {
      key = seeded;
      for (let j: usize = 0; j < 64; j += 8) {
        const s = load<u64>(ends + j);
        store<u64>(ends + j, (s ^ (s >> 47) ^ load<u64>(seeded + 128 + j)) * prime32_1);
      }
    }
  }
}

/** Adds a part of a stripe to its sums and returns where the next ones are. */
// @ts-ignore: decorator
@inline
function stripe(at: usize, p: usize, key: usize): usize {
  if (ASC_FEATURE_SIMD) {
    const data = v128.load(p);
    const keyed = v128.xor(data, v128.load(key));
    const product = i64x2.extmul_low_i32x4_u(v128.shuffle<i32>(keyed, keyed, 0, 2, 0, 2), v128.shuffle<i32>(keyed, keyed, 1, 3, 1, 3));
    v128.store(at, i64x2.add(v128.load(at), i64x2.add(product, v128.shuffle<i64>(data, data, 1, 0))));
  } else {
    const data = load<u64>(p), keyed = data ^ load<u64>(key);
    const other = ((at - ends) ^ 8) + ends;
    store<u64>(other, load<u64>(other) + data);
    store<u64>(at, load<u64>(at) + (keyed & 0xffffffff) * (keyed >> 32));
  }
  return at + width;
}
