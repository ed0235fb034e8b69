// The rate of mistakes to expect of a filter, as the Go library computes it (Info's
// ExpectedFPR): filters/bloomrate.go, filters/blockedrate.go and the size.go or rate.go of the
// families. A test compares the two.

/** The rate of a standard filter: the share of its bits that are set, to the k-th. */
export function standardRate(payload: Uint8Array, bits: number, k: number): number {
  return (ones(payload) / bits) ** k;
}

function ones(bytes: Uint8Array): number {
  const words = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  let count = 0;
  for (let at = 0; at + 4 <= bytes.length; at += 4) {
    let v = words.getUint32(at, true);
    v -= (v >>> 1) & 0x55555555;
    v = (v & 0x33333333) + ((v >>> 2) & 0x33333333);
    count += Math.imul((v + (v >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
  }
  return count;
}

/** The rate of a filter whose keys fall into blocks, given that of a block by its keys. */
function blockedRate(blocks: number, keys: number, rateAt: (keys: number) => number): number {
  if (keys === 0) return 0;
  const mean = keys / blocks;
  if (blocks === 1 || mean > 1e6) return rateAt(mean);
  // The number of keys of a block is binomial: from its mode both ways.
  const odds = 1 / (blocks - 1);
  const mode = Math.floor((keys + 1) / blocks);
  let weight = 1, sum = rateAt(mode);
  for (let j = mode, w = 1; j >= 1 && w > 1e-12; j--) {
    w *= j / ((keys - j + 1) * odds);
    weight += w;
    sum += w * rateAt(j - 1);
  }
  for (let j = mode, w = 1; j < keys; j++) {
    w *= ((keys - j) / (j + 1)) * odds;
    const term = w * rateAt(j + 1);
    weight += w;
    sum += term;
    if (w < 1e-12 && term < 1e-9 * sum) break;
  }
  return sum / weight;
}

function blockRate(k: number, bits: number): (keys: number) => number {
  const logMiss = Math.log1p(-k / bits);
  return (keys) => (-Math.expm1(keys * logMiss)) ** k;
}

export function splitRate(blocks: number, keys: number): number {
  return blockedRate(blocks, keys, blockRate(8, 256));
}

export function lineRate(lines: number, keys: number, k: number): number {
  const independent = blockRate(k, 512);
  if (k <= 1 || k >= 8) return blockedRate(lines, keys, independent);
  const few = windowRates(k);
  return blockedRate(lines, keys, (n) => (n < few.length ? few[Math.floor(n)]! : independent(n)));
}

/** The rate of a line with k of its words used by a key, for 0 to 64 keys. */
function windowRates(k: number): number[] {
  const rates = new Array<number>(65).fill(0);
  for (let subset = 0; subset < 1 << k; subset++) {
    let sign = 1, miss = 0;
    for (let i = 0; i < k; i++) if ((subset >> i) & 1) sign = -sign;
    for (let first = 0; first < 8; first++) {
      let shared = 0;
      for (let i = 0; i < k; i++) shared += (subset >> ((first + i) % 8)) & 1;
      miss += (63 / 64) ** shared / 8;
    }
    for (let j = 0; j < rates.length; j++) rates[j]! += sign * miss ** j;
  }
  return rates.map((rate) => Math.max(rate, 0));
}

export function cuckooRate(buckets: number, keys: number, fingerprintBits: number): number {
  return -Math.expm1(((2 * keys) / buckets) * Math.log1p(-1 / (2 ** fingerprintBits - 1)));
}

/** The rate of a ribbon filter whose blocks have so many columns, a share of them, over 2^32, one less. */
export function ribbonRate(columns: number, narrow: number): number {
  return (1 + narrow / 2 ** 32) * 2 ** -columns;
}

/** The rate at which a name is held by mistake that is asked for as so many names. */
export function walkRate(rate: number, names: number): number {
  return -Math.expm1(names * Math.log1p(-rate));
}

/**
 * The fewest bits in which names can be held, so that others are held at a rate and of so many
 * that are known none is: each name is as likely as the rate to be among those held by chance.
 */
export function leastBits(rate: number, keys: number, excluded: number): number {
  const bits = (n: number, p: number) => (n === 0 || p >= 1 ? 0 : -n * Math.log2(p));
  return bits(keys, rate) + bits(excluded, 1 - rate);
}
