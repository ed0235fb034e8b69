// The memory of a list: what a check computes with, constants, the file, keys. These are
// functions on the memory in use, for reading and writing it is most of what is done. Integers
// of 64 bits take two words of it, the low one first: a number would round them, and BigInts
// are slow.

import { constants } from "packed";
import { unpack } from "../unpack.js";

/** Addresses. */
export const enum At {
  /** The running value: a hash, and what is made from it. */
  acc = 0,
  acc1 = 4,
  product = 8,
  factors = 24,
  seed = 40,
  seed1 = 44,
  step = 48,
  zeros = 56,
  sums = 128,
  /** What a seed makes of the secret, for long inputs. */
  seeded = 192,
  // From here on, tools/constants.mjs.
  secret = 384,
  sumsStart = 576,
  prime1 = 584,
  prime2 = 592,
  prime3 = 600,
  prime32 = 632,
  salts = 640,
  factor1 = 672,
  factor2 = 680,
  spread = 688,
  mixer = 696,
  avalanche = 704,
  /** Words of the secret, each exclusive-ored with the one 8 bytes behind. */
  secret24 = 712,
  secret8 = 728,
  secret12 = 732,
  secret56 = 736,
  secret60 = 740,
  file = 768,
  payload = 832,
}

let memory: DataView<ArrayBuffer>;

/** Makes a memory of so many bytes, from one that is smaller if that is given. */
export function makeMemory(bytes: number, from?: DataView<ArrayBuffer>): DataView<ArrayBuffer> {
  const made = new Uint8Array(bytes);
  if (from) made.set(new Uint8Array(from.buffer));
  else made.set(unpack(constants), At.secret);
  return (memory = new DataView(made.buffer));
}

/** Takes a memory in use. */
export function use(taken: DataView<ArrayBuffer>): void {
  memory = taken;
}

export function byte(at: number): number {
  return memory.getUint8(at);
}

export function word(at: number): number {
  return memory.getUint32(at, true);
}

/** An integer of two words, rounded if it is 2^53 or more. */
export function long(at: number): number {
  return word(at) + word(at + 4) * 2 ** 32;
}

/** Bit i behind an address. */
export function bit(at: number, i: number): number {
  return (byte(at + Math.floor(i / 8)) >> (i & 7)) & 1;
}

/** Writes the low 32 bits of an integer. */
export function put(at: number, value: number): void {
  memory.setUint32(at, value, true);
}

export function putLong(at: number, low: number, high: number): void {
  put(at, low);
  put(at + 4, high);
}

export function copyLong(to: number, from: number): void {
  putLong(to, word(from), word(from + 4));
}

export function differ(a: number, b: number): boolean {
  return word(a) !== word(b) || word(a + 4) !== word(b + 4);
}
