// Linear memory: the file, and behind it the keys.

/** Where a file lies: on a line of the processor's cache, as its payload then is. */
export const file: usize = (__heap_base + 63) & ~63;

let fileBytes: u32 = 0;
let keyBytes: u32 = 0;

/** Where keys lie. */
let keyStart: usize = file;

export function fileRoom(): u32 {
  return fileBytes;
}

export function keyRoom(): u32 {
  return keyBytes;
}

export function keyAddress(): usize {
  return keyStart;
}

/** Makes room for a file, and none for keys. */
export function makeFileRoom(bytes: u32): boolean {
  keyBytes = fileBytes = 0;
  if (!grow(file, bytes)) return false;
  fileBytes = bytes;
  return true;
}

/** Makes room for keys. */
export function makeKeyRoom(bytes: u32): boolean {
  // After a file that takes all memory this wraps around, and there is no room.
  const start = ((<u64>file + fileBytes + 63) & ~63);
  if (!grow(start, bytes)) return false;
  keyStart = <usize>start;
  keyBytes = max(keyBytes, bytes);
  return true;
}

/** Sees that there is memory from start on. */
function grow(start: u64, bytes: u32): boolean {
  const pages = <i64>((start + bytes + 0xffff) >> 16), have = <i64>memory.size();
  return pages <= have || (pages <= 0x10000 && memory.grow(<i32>(pages - have)) >= 0);
}
