// The ribbon filter: see ribbon/doc.go.

import { Reason } from "./reasons";
import { times } from "./wide";

/** A layer as a check needs it. */
// @ts-ignore: decorator
@unmanaged
class Layer {
  spread: u64; // what its round adds to a hash, 0 for the round that leaves it
  blocks: u32; // that have starts, one less than there are
  narrow: u32; // how many of them have a column less
  columns: u32;
  solution: usize;
  thresholds: usize; // 0 in the last layer, which bumps nothing
  tiled: boolean;
}

const layerBytes = <u32>offsetof<Layer>();
const maxLayers: u32 = 4;
const layers = memory.data(2 * 4 * 40, 8);

const tableBytes: u32 = 64;
const spread: u64 = 0x9e6c63d0676a9a99;
const factor1: u64 = 0xd1342543de82ef95;
const factor2: u64 = 0xaf251af3b0f025b5;

/** Where the layers of a part, 0 or 1, are. */
// @ts-ignore: decorator
@inline
export function layersOf(part: u32): usize {
  return layers + part * maxLayers * layerBytes;
}

/** Reads the ribbon in a payload into layers and returns why not. */
export function openRibbon(at: usize, columns: u32, keys: u64, capacity: u64, size: u64, payload: usize, bytes: u32, whole: boolean): Reason {
  if (bytes < tableBytes) return Reason.payloadLength;
  const narrow = <u64>load<u32>(payload), count = <u32>load<u8>(payload, 4), round = <u32>load<u8>(payload, 5);
  if (columns < 1 || columns > 32 || (columns == 1 && narrow)) return Reason.columns;
  if (count > maxLayers || !count != !keys) return Reason.layers;
  if (count ? round >= 128 || (round & 3) != count - 1 : round) return Reason.lastRound;
  let rows: u64 = 0, solutions = <u64>tableBytes, thresholds: u64 = 0;
  for (let i: u32 = 0; i < count; i++) {
    const blocks = load<u64>(payload + 8 * i, 8);
    if (blocks < 2 || blocks > 1 << 35) return Reason.blocks;
    rows += blocks << 6;
  }
  if (rows != size) return Reason.size;
  if (keys != capacity || keys > rows) return Reason.keys;
  let zero = <u64>load<u16>(payload, 6);
  for (let i: u32 = 8 + 8 * count; i < tableBytes; i += 8) zero |= load<u64>(payload + i);
  if (zero) return Reason.table;
  let layer = changetype<Layer>(at);
  for (let i: u32 = 0; i < count; i++) {
    const blocks = load<u64>(payload + 8 * i, 8) - 1;
    const less = narrow * (blocks >> 32) + ((narrow * (blocks & 0xffffffff)) >> 32);
    const last = i == count - 1;
    layer.spread = <u64>(last ? round : i) * spread;
    layer.blocks = <u32>blocks;
    layer.narrow = <u32>less;
    layer.columns = columns;
    layer.tiled = columns == 8 && !narrow;
    layer.solution = payload + <usize>solutions;
    layer.thresholds = 0;
    solutions += ((blocks + 1) * columns - less) << 3;
    if (!last) {
      layer.thresholds = payload + <usize>thresholds; // and all solutions
      thresholds += ((blocks + 63) >> 6) << 3;
    }
    layer = changetype<Layer>(changetype<usize>(layer) + layerBytes);
  }
  if (solutions + thresholds != bytes) return Reason.payloadLength;
  for (let i: u32 = 1; i < count; i++) {
    layer = changetype<Layer>(at + (i - 1) * layerBytes);
    layer.thresholds += <usize>solutions;
  }
  return whole && narrow ? Reason.columns : Reason.none;
}

export function rehash(h: u64, add: u64): u64 {
  h += add;
  h = (h ^ (h >> 32)) * factor1;
  h = (h ^ (h >> 29)) * factor2;
  return h ^ (h >> 32);
}

/** The hash by which the second part of an exact filter is asked. */
export function secondHash(h: u64): u64 {
  return rehash(h, spread << 10);
}

/** Below which offsets in a bucket keys are bumped, a byte each: 0, 18, 38, 128. */
const limits: u32 = (18 << 8) | (38 << 16) | (128 << 24);

export function hasRibbon(at: usize, h: u64): boolean {
  while (true) {
    const layer = changetype<Layer>(at);
    if (layer.spread) h = rehash(h, layer.spread);
    // There are 64 starts in a block.
    const start = times(h, layer.blocks) >> 26, thresholds = layer.thresholds;
    if (thresholds) {
      const code = load<u8>(thresholds + <usize>(start >> 9)) >> <u8>((start >> 6) & 6);
      if ((<u32>start & 127) < ((limits >> ((code & 3) << 3)) & 255)) {
        at += layerBytes;
        continue;
      }
    }
    const coefficients = (h * factor1) | 1, fingerprint = <u32>((h * factor2) >> 32);
    if (layer.tiled) return tilesHave(layer.solution + (<usize>start & ~7), coefficients << (start & 7), fingerprint);
    return columnsHave(layer, start, coefficients, fingerprint);
  }
}

/** Whether what the coefficients pick from each column adds up to the fingerprint. */
// @ts-ignore: decorator
@inline
function columnsHave(layer: Layer, start: u64, coefficients: u64, fingerprint: u32): boolean {
  const block = <u32>(start >> 6), columns = layer.columns, narrow = layer.narrow;
  let low = layer.solution + ((block * columns - min(block, narrow)) << 3);
  const step = (columns - <u32>(block < narrow)) << 3;
  const here = coefficients << start, there = (coefficients >> 1) >> ~start;
  const end = low + step;
  // Most strangers differ in one of the first four columns.
  while (low + 32 <= end) {
    const differs = sum(low, step, here, there) ^ (sum(low + 8, step, here, there) << 1) ^ (sum(low + 16, step, here, there) << 2) ^ (sum(low + 24, step, here, there) << 3);
    if ((differs ^ fingerprint) & 15) return false;
    low += 32;
    fingerprint >>= 4;
  }
  while (low < end) {
    if ((sum(low, step, here, there) ^ fingerprint) & 1) return false;
    low += 8;
    fingerprint >>= 1;
  }
  return true;
}

/** What the coefficients pick from the column of two adjacent blocks: 0 or 1. */
// @ts-ignore: decorator
@inline
function sum(low: usize, step: u32, here: u64, there: u64): u32 {
  return <u32>popcnt((load<u64>(low) & here) ^ (load<u64>(low + step) & there)) & 1;
}

/** The same for eight columns in tiles. */
// @ts-ignore: decorator
@inline
function tilesHave(tiles: usize, coefficients: u64, fingerprint: u32): boolean {
  let sum: u64;
  if (ASC_FEATURE_SIMD) {
    const c = i64x2.splat(coefficients);
    const picked = v128.xor(
      v128.xor(
        v128.and(v128.load(tiles), v128.shuffle<i8>(c, c, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1)),
        v128.and(v128.load(tiles, 16), v128.shuffle<i8>(c, c, 2, 2, 2, 2, 2, 2, 2, 2, 3, 3, 3, 3, 3, 3, 3, 3)),
      ),
      v128.xor(
        v128.and(v128.load(tiles, 32), v128.shuffle<i8>(c, c, 4, 4, 4, 4, 4, 4, 4, 4, 5, 5, 5, 5, 5, 5, 5, 5)),
        v128.and(v128.load(tiles, 48), v128.shuffle<i8>(c, c, 6, 6, 6, 6, 6, 6, 6, 6, 7, 7, 7, 7, 7, 7, 7, 7)),
      ),
    );
    sum = i64x2.extract_lane(picked, 0) ^ i64x2.extract_lane(picked, 1);
  } else {
    sum = 0;
    for (let i: usize = 0; i < 64; i += 8) {
      sum ^= load<u64>(tiles + i) & ((coefficients & 255) * 0x0101010101010101);
      coefficients >>= 8;
    }
  }
  sum ^= sum >> 4;
  sum ^= sum >> 2;
  sum ^= sum >> 1;
  return <u8>(((sum & 0x0101010101010101) * 0x8040201008040201) >> 56) == <u8>fingerprint;
}
