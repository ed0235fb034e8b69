// The memory of a list, as that of the core: constants, what a check computes with, the
// file, keys. A module of functions on the memory in use, since most of what they do is to
// read and write it. Integers of 64 bits take two words there, the low one first: a number
// would round them, and BigInts are slow.

import { unhex } from "../unhex.js";

/** Addresses. */
export const enum At {
  secret = 0,
  sumsStart = 192,
  salts = 256,
  /** Words of the secret, each exclusive-ored with the one 8 bytes behind. */
  secret24 = 288,
  secret28 = 292,
  secret8 = 304,
  secret12 = 308,
  secret56 = 312,
  secret60 = 316,
  /** What a seed makes of the secret, for long inputs. */
  seeded = 320,
  sums = 512,
  /** The running value: a hash, and what is made from it. */
  acc = 576,
  acc1 = 580,
  product = 584,
  factors = 600,
  seed = 616,
  seed1 = 620,
  step = 624,
  picks = 632,
  zeros = 648,
  file = 704,
  payload = 768,
}

const constants = unhex(
  "b8fe6c3923a44bbe7c01812cf721ad1cded46de9839097db7240a4a4b7b3671fcb79e64eccc0e578825ad07dccff7221b8084674f743248ee03590e6813a264c" +
    "3c2852bb91c300cb88d0658b1b532ea371644897a20df94e3819ef46a9deacd8a8fa763fe39c343ff9dcbbc7c70b4f1d8a51e04bcdb45931c89f7ec9d9787364" +
    "eac5ac8334d3ebc3c581a0fffa1363eb170ddd51b7f0da49d316552629d4689e2b16be587d47a1fc8ff8b8d17ad031ce45cb3a8f95160428afd7fbcabb4b407e" +
    "3daeb2c20000000087caeb85b179379e4febd4273daeb2c2f979379eb167561663aeb2c277caeb8577caeb8500000000c56756162febd427b179379e00000000" +
    "7b13b647914d97445bad24889d28b7a2c79554704b42f12d4749fc9e31fb6b5c",
);

let memory: DataView<ArrayBuffer>;

/** Makes a memory with room for so many bytes from the file's address on. */
export function makeMemory(bytes: number): DataView<ArrayBuffer> {
  const made = new Uint8Array(At.file + bytes);
  made.set(constants);
  use(new DataView(made.buffer));
  [24, 28, 40, 44, 8, 12, 56, 60].forEach((at, i) => put(At.secret24 + 4 * i, word(at) ^ word(at + 8)));
  return memory;
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
