// Bytes as text, printable ASCII without quotation marks; src/unpack.ts reads it. The 91 bytes
// that are most frequent in the core take a character, the others two.

/** The number of a byte: itself if it is less than 74; from 123 on, and around, those from 74 on. */
const numberOf = (b) => (b < 74 ? b : ((b - 74 + 133) % 182) + 74);

/** Number n is character 35+n, or, if it is 91 or more, a tilde or an exclamation mark and one of what is above. */
export function pack(bytes) {
  let text = "";
  for (const b of bytes) {
    const n = numberOf(b);
    text += (n < 91 ? "" : n < 182 ? "~" : "!") + String.fromCharCode(35 + (n % 91));
  }
  return text;
}
