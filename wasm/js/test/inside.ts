// What the tests look at and the package does not export.
import { plainCore } from "../src/plain/index.js";
import { At, makeMemory, word } from "../src/plain/memory.js";
import { hash } from "../src/plain/xxh3.js";

export { TamisError } from "../src/errors.js";
export { canonicalHost, hostOfUrl } from "../src/names.js";
export { shortest } from "../src/suffixes.js";
export { plainCore };

/** The hash of bytes, as 16 hexadecimal digits. */
export function hash64(bytes: Uint8Array, seed0: number, seed1: number): string {
  new Uint8Array(makeMemory(At.file + bytes.length).buffer).set(bytes, At.file);
  hash(At.file, bytes.length, seed0, seed1);
  return [At.acc1, At.acc].map((at) => word(at).toString(16).padStart(8, "0")).join("");
}
