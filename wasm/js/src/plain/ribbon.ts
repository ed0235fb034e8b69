// The ribbon filter: see ribbon/doc.go.

import { Reason } from "../../../core/assembly/reasons";
import { check } from "../check.js";
import { At, byte, long, put, putLong, word } from "./memory.js";
import { add, high, scale, shiftXor, times, times1, times2 } from "./wide.js";

export interface Layer {
  round: number;
  starts: number;
  columns: number;
  /** How many blocks have a column less. */
  narrow: number;
  tiled: boolean;
  solution: number;
  /** 0 in the last layer, which bumps nothing. */
  thresholds: number;
}

/** Reads the layers of a file of so many bytes. */
export function openRibbon(file: number, bytes: number): Layer[] {
  check(bytes < 128, Reason.payloadLength);
  const columns = byte(file + 7), keys = long(file + 16), share = word(file + 64), count = byte(file + 68), round = byte(file + 69);
  check(columns < 1 || columns > 32 || (columns < 2 && share > 0), Reason.columns);
  check(count > 4 || !count !== !keys, Reason.layers);
  check(count ? round > 127 || (round & 3) !== count - 1 : round > 0, Reason.lastRound);
  const layers: Layer[] = [];
  let rows = 0, solution = file + 128;
  for (let i = 0; i < count; i++) {
    const blocks = long(file + 72 + 8 * i), starts = 64 * blocks - 64;
    check(blocks < 2 || blocks > 2 ** 35, Reason.blocks);
    rows += 64 * blocks;
    const narrow = share * Math.floor((blocks - 1) / 2 ** 32) + high(share, blocks - 1);
    layers.push({ round: i < count - 1 ? i : round, starts, columns, narrow, tiled: columns === 8 && !share, solution, thresholds: 0 });
    solution += 8 * (blocks * columns - narrow);
  }
  check(rows !== long(file + 32), Reason.size);
  check(keys !== long(file + 24) || keys > rows, Reason.keys);
  let rest = byte(file + 70) | byte(file + 71);
  for (let i = 72 + 8 * count; i < 128; i++) rest |= byte(file + i);
  check(rest > 0, Reason.table);
  for (const layer of layers.slice(0, -1)) {
    layer.thresholds = solution;
    solution += 8 * Math.ceil(layer.starts / 4096);
  }
  check(solution !== file + bytes, Reason.payloadLength);
  return layers;
}

/** Makes the hash of a round of that in acc. */
export function rehash(round: number): void {
  if (!round) return;
  putLong(At.step, 0x676a9a99, 0x9e6c63d0);
  times(At.step, round, 0);
  add(At.acc, word(At.step), word(At.step + 4));
  shiftXor(32);
  times1(At.acc);
  shiftXor(29);
  times2();
  shiftXor(32);
}

export function hasRibbon(layers: Layer[]): boolean {
  for (const { round, starts, columns, narrow, tiled, solution, thresholds } of layers) {
    rehash(round);
    const start = scale(starts);
    if (thresholds && (start & 127) < [0, 18, 38, 128][(byte(thresholds + Math.floor(start / 512)) >> ((start >> 6) & 6)) & 3]!) continue;
    const low = word(At.acc), upper = word(At.acc1), block = Math.floor(start / 64);
    times1(At.acc);
    // The coefficients, where they belong in two blocks of a column, or in eight tiles.
    const shift = start & (tiled ? 7 : 63), c0 = word(At.acc) | 1, c1 = word(At.acc1), to = At.picks + ((shift >> 3) & 4);
    putLong(At.picks, 0, 0);
    putLong(At.picks + 8, 0, 0);
    putLong(to, c0 << shift, (c1 << shift) | (c0 >>> 1 >>> ~shift));
    put(to + 8, c1 >>> 1 >>> ~shift);
    putLong(At.acc, low, upper);
    times2();
    const these = block < narrow ? columns - 1 : columns;
    const at = tiled ? solution + start - shift : solution + 8 * (block * columns - Math.min(block, narrow));
    for (let i = 0; i < these; i++) {
      let picked = word(At.acc1) >>> i & 1;
      if (tiled) {
        for (let j = 0; j < 8; j++) picked ^= byte(at + 8 * j + 7 - i) & byte(At.picks + j);
      } else {
        for (let j = 0; j < 16; j += 4) picked ^= word(at + 8 * (j < 8 ? i : i + these - 1) + j) & word(At.picks + j);
      }
      picked ^= picked >>> 16;
      picked ^= picked >>> 8;
      picked ^= picked >>> 4;
      if ((0x6996 >> (picked & 15)) & 1) return false;
    }
    return true;
  }
  return false;
}
