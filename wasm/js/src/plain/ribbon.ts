// The ribbon filter: see ribbon/doc.go.

import { Reason } from "../../../core/assembly/reasons";
import { check } from "../check.js";
import { At, byte, copyLong, long, put, word } from "./memory.js";
import { add, high, multiplyBy, scale, shiftTimes, shiftXor, times } from "./wide.js";

/** A layer. Narrow are the blocks that have a column less. The last has no thresholds, but 0. */
export type Layer = [round: number, starts: number, columns: number, narrow: number, tiled: boolean, solution: number, thresholds: number];

/** Reads the layers of a file of so many bytes. */
export function openRibbon(file: number, bytes: number): Layer[] {
  check(bytes < 128, Reason.payloadLength);
  const columns = byte(file + 7), keys = long(file + 16), share = word(file + 64), count = byte(file + 68), round = byte(file + 69);
  check(columns < 1 || columns > 32 || (columns < 2 && share), Reason.columns);
  check(count > 4 || !count !== !keys, Reason.layers);
  check(count ? round > 127 || (round & 3) !== count - 1 : round, Reason.lastRound);
  const layers: Layer[] = [];
  let rows = 0, solution = file + 128;
  for (let i = 0; i < count; i++) {
    const blocks = long(file + 72 + 8 * i), starts = 64 * blocks - 64;
    check(blocks < 2 || blocks > 2 ** 35, Reason.blocks);
    rows += 64 * blocks;
    const narrow = share * Math.floor((blocks - 1) / 2 ** 32) + high(share, blocks - 1);
    layers.push([i < count - 1 ? i : round, starts, columns, narrow, columns === 8 && !share, solution, 0]);
    solution += 8 * (blocks * columns - narrow);
  }
  check(rows !== long(file + 32), Reason.size);
  check(keys !== long(file + 24) || keys > rows, Reason.keys);
  let rest = byte(file + 70) | byte(file + 71);
  for (let i = 72 + 8 * count; i < 128; i++) rest |= byte(file + i);
  check(rest, Reason.table);
  for (const layer of layers.slice(0, -1)) {
    layer[6] = solution;
    solution += 8 * Math.ceil(layer[1] / 4096);
  }
  check(solution !== file + bytes, Reason.payloadLength);
  return layers;
}

/** Makes the hash of a round of that in acc. */
export function rehash(round: number): void {
  if (!round) return;
  multiplyBy(At.spread, round);
  add(At.acc, word(At.product), word(At.product + 4));
  shiftTimes(32, At.factor1);
  shiftTimes(29, At.factor2);
  shiftXor(32);
}

export function hasRibbon(layers: Layer[]): boolean {
  for (const [round, starts, columns, narrow, tiled, solution, thresholds] of layers) {
    rehash(round);
    const start = scale(starts);
    if (thresholds && (start & 127) < [0, 18, 38, 128][(byte(thresholds + Math.floor(start / 512)) >> ((start >> 6) & 6)) & 3]!) continue;
    const block = Math.floor(start / 64), these = columns - +(block < narrow);
    copyLong(At.step, At.acc);
    times(At.step, At.factor1);
    times(At.acc, At.factor2);
    // The product is the coefficients, where they belong in two blocks of a column, or in eight tiles.
    const shift = start & (tiled ? 7 : 63);
    put(At.step, word(At.step) | 1);
    multiplyBy(At.step, 2 ** shift);
    const at = solution + (tiled ? start - shift + 7 : 8 * (block * columns - Math.min(block, narrow)));
    for (let i = 0; i < these; i++) {
      let picked = (word(At.acc1) >>> i) & 1;
      if (tiled) for (let j = 0; j < 8; j++) picked ^= byte(at + 8 * j - i) & byte(At.product + j);
      else for (let j = 0; j < 16; j += 4) picked ^= word(at + 8 * (j < 8 ? i : i + these - 1) + j) & word(At.product + j);
      picked ^= picked >>> 16;
      picked ^= picked >>> 8;
      if ((0x6996 >> ((picked ^ (picked >> 4)) & 15)) & 1) return false;
    }
    return true;
  }
  return false;
}
