/** The bytes of a text by tools/pack.mjs. Base64 would hide from gzip what repeats. */
export function unpack(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(text.match(/[!~]?./g)!, (c) => {
    const n = c.charCodeAt(c.length - 1) + (c.length < 2 ? -35 : c < "~" ? 147 : 56);
    return n < 74 ? n : ((n - 25) % 182) + 74;
  });
}
