// The functions of wasm/core in plain JavaScript, with the same answers, for where
// WebAssembly is refused.

import { Reason } from "../../../core/assembly/reasons";
import type { Core } from "../core.js";
import { check } from "../check.js";
import { At, bit, byte, differ, long, makeMemory, putLong, use, word } from "./memory.js";
import { countSlots, hasBlocked, hasCuckoo, hasSplit, hasStandard } from "./probes.js";
import { hasRibbon, type Layer, openRibbon, rehash } from "./ribbon.js";
import { hash } from "./xxh3.js";

const enum Kind {
  none,
  standard,
  blocked,
  split,
  cuckoo,
  ribbon,
  retrieval,
  exact,
}

type Parts = (Layer[] | undefined)[];

/** Checks a checksum of bytes. */
function checkSum(at: number, bytes: number, sum: number, reason: Reason): void {
  hash(at, bytes, 0, 0);
  check(differ(At.acc, sum), reason);
}

/** Checks the header of a file that is of a kind, or, if that is none, of any filter. */
function checkFile(at: number, bytes: number, want: Kind): void {
  check(bytes < 64, Reason.length);
  check(word(at) !== 0x736d749f, Reason.magic);
  check(byte(at + 4) !== 1, Reason.version);
  checkSum(at, 56, at + 56, Reason.headerChecksum);
  check(!byte(at + 5) || byte(at + 5) > Kind.exact, Reason.family);
  check(long(at + 40) > 2 ** 38, Reason.payloadLength);
  const kind = byte(at + 5), hashed = byte(at + 6);
  check(want ? kind !== want : kind === Kind.retrieval, Reason.family);
  check(hashed !== 1 && (hashed !== 2 || kind !== Kind.split), Reason.hash);
  check(hashed > 1 && long(at + 8), Reason.seed);
  check(long(at + 40) !== bytes - 64, Reason.payloadLength);
  check(word(at + 20) + (word(at + 16) && 0.5) > 2 ** 24, Reason.keys);
  check(long(at + 24) > 2 ** 40, Reason.capacity);
}

/** Checks a file, and returns the ribbons in it. */
function openFile(bytes: number): Parts {
  checkFile(At.file, bytes, Kind.none);
  const kind = byte(At.file + 5), param = byte(At.file + 7), keys = long(At.file + 16), size = long(At.file + 32), length = bytes - 64;
  checkSum(At.payload, length, At.file + 48, Reason.payloadChecksum);
  if (kind === Kind.ribbon) return [openRibbon(At.file, bytes)];
  if (kind === Kind.exact) return openExact(bytes, param, keys, size);
  check(kind === Kind.cuckoo && ![8, 12, 16, 32].includes(param), Reason.fingerprintBits);
  check(kind === Kind.split && byte(At.file + 6) > 1, Reason.hash);
  const fits = length === [0, Math.ceil(size / 64) * 8, size * 64, size * 32, (size * param) / 2 + 8][kind];
  check(!size || (kind === Kind.standard ? size > 2 ** 41 : !fits), Reason.size);
  check(kind < Kind.cuckoo && (param < [0, 1, 1, 8][kind]! || param > [0, 64, 16, 8][kind]!), Reason.k);
  check(!fits, Reason.size);
  if (kind === Kind.standard) {
    // The bits of the last word that are not used.
    for (let i = size; i % 64; i++) check(bit(At.payload, i), Reason.payload);
  }
  if (kind === Kind.cuckoo) {
    check(keys > 4 * size || keys !== 4 * size - countSlots(param, 0, 4 * size, 0), Reason.keys);
    check(long(At.file + bytes - 8), Reason.padding);
  }
  return [];
}

function openExact(bytes: number, has: number, keys: number, size: number): Parts {
  check(has < 1 || has > 3, Reason.parts);
  check(keys !== long(At.file + 24), Reason.keys);
  check(size < keys || size - keys > 2 ** 40, Reason.size);
  check(has > 1 !== (keys > 0 && size > keys), Reason.parts);
  let at: number = At.payload;
  return [0, 1].map((second) => {
    if (!((has >> second) & 1)) return undefined;
    let length = At.file + bytes - at;
    if (!second && has > 1) length = Math.min(64 + long(at + 40), length);
    checkFile(at, length, Kind.ribbon + second);
    const layers = openRibbon(at, length), held = long(at + 16);
    check(second && word(at + 64), Reason.columns);
    check(differ(at + 8, At.file + 8), Reason.firstSeed + 2 * second);
    check(held < keys || held > (second ? size : keys), Reason.firstKeys + 2 * second);
    check(second && byte(at + 7) > 1, Reason.secondColumns);
    at += length;
    return layers;
  });
}

/** Whether what is open may hold the key whose hash is in acc. */
function hasHash(parts: Parts): boolean {
  const size = long(At.file + 32), param = byte(At.file + 7);
  switch (byte(At.file + 5)) {
    case Kind.standard:
      return hasStandard(size, param);
    case Kind.blocked:
      return hasBlocked(size, param);
    case Kind.split:
      return hasSplit(size);
    case Kind.cuckoo:
      return hasCuckoo(size, param);
  }
  const low = word(At.acc), upper = word(At.acc1);
  return parts.every((layers, second) => {
    putLong(At.acc, low, upper);
    rehash(second << 10);
    return !layers || hasRibbon(layers);
  });
}

/** A core that holds one list after the other. Unlike that of WebAssembly it throws the reason. */
export function plainCore(): Core {
  let memory: DataView<ArrayBuffer>, room: number, parts: Parts;
  const hasKey = (at: number, bytes: number): boolean => {
    use(memory);
    hash(at, bytes, word(At.file + 8), word(At.file + 12));
    return hasHash(parts);
  };
  return {
    get memory() {
      return memory;
    },
    file(bytes) {
      room = At.payload + Math.ceil(bytes / 64) * 64; // a header that is cut short can be read
      memory = makeMemory(room);
      return At.file;
    },
    open(bytes) {
      use(memory);
      parts = openFile(bytes);
      return 0;
    },
    keys(bytes) {
      memory = makeMemory(room + bytes, memory);
      return room;
    },
    has(bytes) {
      return +hasKey(room, bytes);
    },
    hasHost(bytes, registrable) {
      for (let left = bytes; left >= registrable; ) {
        const at = room + bytes - left;
        if (hasKey(at, left)) return left;
        while (left > 0 && byte(room + bytes - left--) !== 46);
      }
      return 0;
    },
  };
}
