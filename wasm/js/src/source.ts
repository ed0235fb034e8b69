import type { Source } from "./blocklist.js";
import { TamisError } from "./errors.js";

/** The bytes of a source, fetched if it is a URL. */
export async function bytesOf(source: Source): Promise<Uint8Array> {
  let bytes: any = source;
  try {
    if (typeof bytes === "string" || bytes instanceof URL) bytes = await fetch(bytes);
    if (bytes?.ok === false) throw bytes.status;
    if (bytes?.arrayBuffer) bytes = await bytes.arrayBuffer();
  } catch (cause) {
    throw new TamisError("fetch", `no list from ${(source as Response).url || source} (${cause}): try again, or give its bytes`, cause);
  }
  if (!(bytes?.byteLength >= 0)) throw new TamisError("source", "no list: give a URL, a Response, a Blob or bytes");
  return new Uint8Array(bytes.buffer ?? bytes, bytes.byteOffset, bytes.byteLength);
}
