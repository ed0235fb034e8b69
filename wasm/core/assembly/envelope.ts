// The header of a file: see filters/envelope.go. Reasons are found in the order of
// the Go library.

import { Reason } from "./reasons";
import { hash } from "./xxh3";

export const headerBytes: u32 = 64;

export const enum Kind {
  none,
  standard,
  blocked,
  split,
  cuckoo,
  ribbon,
  retrieval,
  exact,
}

const magic: u32 = 0x736d749f;
const maxKeys: u64 = 1 << 40;

export function kindOf(at: usize): Kind {
  return load<u8>(at, 5);
}
export function paramOf(at: usize): u32 {
  return load<u8>(at, 7);
}
export function seedOf(at: usize): u64 {
  return load<u64>(at, 8);
}
export function keysOf(at: usize): u64 {
  return load<u64>(at, 16);
}
export function capacityOf(at: usize): u64 {
  return load<u64>(at, 24);
}
export function sizeOf(at: usize): u64 {
  return load<u64>(at, 32);
}
export function payloadBytesOf(at: usize): u64 {
  return load<u64>(at, 40);
}

/** Checks what the header says by itself. The hash must be without a seed. */
export function checkHeader(at: usize, bytes: u32): Reason {
  if (bytes < headerBytes) return Reason.length;
  if (load<u32>(at) != magic) return Reason.magic;
  if (load<u8>(at, 4) != 1) return Reason.version;
  if (hash(at, 56) != load<u64>(at, 56)) return Reason.headerChecksum;
  if (<u32>kindOf(at) - 1 >= <u32>Kind.exact) return Reason.family;
  if (payloadBytesOf(at) > 1 << 38) return Reason.payloadLength;
  return Reason.none;
}

/** Checks the header of a file that is of a kind, or, if that is none, of any filter. */
export function checkFile(at: usize, bytes: u32, want: Kind): Reason {
  const reason = checkHeader(at, bytes);
  if (reason) return reason;
  const kind = kindOf(at), hashed = load<u8>(at, 6);
  if (want ? kind != want : kind == Kind.retrieval) return Reason.family;
  if (hashed != 1 && (hashed != 2 || kind != Kind.split)) return Reason.hash;
  if (hashed == 2 && seedOf(at)) return Reason.seed;
  if (payloadBytesOf(at) != bytes - headerBytes) return Reason.payloadLength;
  if (keysOf(at) > 1 << 56) return Reason.keys;
  if (capacityOf(at) > maxKeys) return Reason.capacity;
  return Reason.none;
}
