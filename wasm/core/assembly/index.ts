// What the module exports: see README.md.

import { hasBlocked, openBlocked } from "./blocked";
import { hasCuckoo, openCuckoo } from "./cuckoo";
import { capacityOf, checkFile, checkHeader, headerBytes, keysOf, Kind, kindOf, paramOf, payloadBytesOf, seedOf, sizeOf } from "./envelope";
import { Reason } from "./reasons";
import { hasRibbon, layersOf, openRibbon, secondHash } from "./ribbon";
import { file as fileAddress, fileRoom, keyAddress, keyRoom, makeFileRoom, makeKeyRoom } from "./room";
import { hasSplit, openSplit } from "./split";
import { hasStandard, openStandard } from "./standard";
import { hash, setSeed } from "./xxh3";

const dot = 0x2e;

/** What is open: none for nothing, and for a filter without keys. */
let kind = Kind.none;
/** The parts of an exact filter; of a ribbon filter, the first. */
let parts: u32 = 0;

export function file(bytes: u32): usize {
  kind = Kind.none;
  return makeFileRoom(bytes) ? fileAddress : 0;
}

export function keys(bytes: u32): usize {
  return makeKeyRoom(bytes) ? keyAddress() : 0;
}

export function open(bytes: u32): i32 {
  kind = Kind.none;
  setSeed(0);
  const reason = bytes > fileRoom() ? Reason.length : view(fileAddress, bytes);
  if (reason) return reason;
  setSeed(seedOf(fileAddress));
  const found = kindOf(fileAddress);
  kind = found < Kind.ribbon || keysOf(fileAddress) ? found : Kind.none;
  return 0;
}

/** Checks a file and makes what it is ready. */
function view(at: usize, bytes: u32): Reason {
  const reason = checkFile(at, bytes, Kind.none);
  if (reason) return reason;
  const payload = at + headerBytes, length = bytes - headerBytes;
  if (hash(payload, length) != load<u64>(at, 48)) return Reason.payloadChecksum;
  const size = sizeOf(at), param = paramOf(at), keys = keysOf(at);
  switch (kindOf(at)) {
    case Kind.standard:
      if (!size || size > 1 << 41) return Reason.size;
      if (!param || param > 64) return Reason.k;
      if (((size + 63) >> 6) << 3 != length) return Reason.size;
      if (size & 63 && load<u64>(payload + length - 8) >> size) return Reason.payload;
      openStandard(payload, size, param);
      return Reason.none;
    case Kind.blocked:
      if (!size || size > 1 << 32 || size << 6 != length) return Reason.size;
      if (!param || param > 16) return Reason.k;
      openBlocked(payload, size, param);
      return Reason.none;
    case Kind.split:
      if (load<u8>(at, 6) == 2) return Reason.hash;
      if (!size || size > 1 << 31 || size << 5 != length) return Reason.size;
      if (param != 8) return Reason.k;
      openSplit(payload, size);
      return Reason.none;
    case Kind.cuckoo:
      if (param != 8 && param != 12 && param != 16 && param != 32) return Reason.fingerprintBits;
      if (!size || size > 1 << 37 || size * (param >> 1) + 8 != length) return Reason.size;
      if (keys > size << 2 || keys != openCuckoo(payload, size, param)) return Reason.keys;
      return load<u64>(payload + length - 8) ? Reason.padding : Reason.none;
    case Kind.ribbon:
      parts = 1;
      return viewRibbon(0, at, bytes);
  }
  return viewExact(at, bytes);
}

/** Makes the ribbon of a file, whose header is checked, a part. */
function viewRibbon(part: u32, at: usize, bytes: u32): Reason {
  return openRibbon(layersOf(part), paramOf(at), keysOf(at), capacityOf(at), sizeOf(at), at + headerBytes, bytes - headerBytes, <boolean>part);
}

function viewExact(at: usize, bytes: u32): Reason {
  const keys = keysOf(at), size = sizeOf(at), seed = seedOf(at);
  parts = paramOf(at);
  if (parts - 1 > 2) return Reason.parts;
  if (keys != capacityOf(at)) return Reason.keys;
  if (size < keys || size - keys > 1 << 40) return Reason.size;
  if (<boolean>(parts & 2) != (keys && size != keys)) return Reason.parts;
  let rest = at + headerBytes, left = bytes - headerBytes;
  let reason: Reason;
  if (parts & 1) {
    let length = left;
    if (parts & 2) {
      reason = checkHeader(rest, left);
      if (reason) return reason;
      length = <u32>min<u64>(headerBytes + payloadBytesOf(rest), left);
    }
    reason = checkFile(rest, length, Kind.ribbon);
    if (!reason) reason = viewRibbon(0, rest, length);
    if (reason) return reason;
    if (seedOf(rest) != seed) return Reason.firstSeed;
    if (keysOf(rest) != keys) return Reason.firstKeys;
    rest += length;
    left -= length;
  }
  if (parts & 2) {
    reason = checkFile(rest, left, Kind.retrieval);
    if (!reason) reason = viewRibbon(1, rest, left);
    if (reason) return reason;
    if (seedOf(rest) != seed) return Reason.secondSeed;
    if (keysOf(rest) < keys || keysOf(rest) > size) return Reason.secondKeys;
    if (paramOf(rest) != 1) return Reason.secondColumns;
  }
  return Reason.none;
}

/** Whether what is open may hold the key of a hash. */
function hasHash(h: u64): boolean {
  switch (kind) {
    case Kind.none:
      return false;
    case Kind.standard:
      return hasStandard(h);
    case Kind.blocked:
      return hasBlocked(h);
    case Kind.split:
      return hasSplit(h);
    case Kind.cuckoo:
      return hasCuckoo(h);
  }
  return (!(parts & 1) || hasRibbon(layersOf(0), h)) && (!(parts & 2) || hasRibbon(layersOf(1), secondHash(h)));
}

export function has(bytes: u32): u32 {
  return <u32>hasKey(keyAddress(), bytes);
}

/** Whether what is open may hold a key, as it may hold one that is beyond the room for keys. */
// @ts-ignore: decorator
@inline
function hasKey(at: usize, bytes: u32): boolean {
  return bytes > keyRoom() || hasHash(hash(at, bytes));
}

export function hasHost(bytes: u32, registrable: u32): u32 {
  if (bytes > keyRoom()) return bytes;
  let at = keyAddress();
  let left = bytes;
  while (true) {
    if (hasHash(hash(at, left))) return left;
    do {
      if (!left) return 0;
      left--;
    } while (load<u8>(at++) != dot);
    if (!left || left < registrable) return 0;
  }
}

export function hasMany(count: u32): u32 {
  const start = keyAddress(), room = keyRoom();
  if (<u64>count << 2 > room) return count;
  let at = start + (count << 2), left = room - (count << 2), hits: u32 = 0;
  for (let length = start, end = at; length < end; length += 4) {
    const bytes = load<u32>(length);
    let hit = true;
    if (bytes <= left) {
      hit = hasHash(hash(at, bytes));
      at += bytes;
      left -= bytes;
    }
    store<u32>(length, hit);
    hits += <u32>hit;
  }
  return hits;
}
