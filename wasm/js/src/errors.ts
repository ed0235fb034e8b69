/**
 * What is wrong, for a program:
 *
 * - `"format"`: the bytes are no filter file that this version reads.
 * - `"checksum"`: a filter file that was damaged on its way.
 * - `"fetch"`: the list could not be fetched.
 * - `"source"`: what was given to load or update is none of what they take.
 * - `"key"`: a string has no UTF-8, because half of a surrogate pair stands alone in it; or a
 *   key is neither a string nor a Uint8Array.
 * - `"host"`: a string is no host name.
 * - `"url"`: a string is no URL.
 * - `"memory"`: the list or a key is larger than memory allows.
 */
export type ErrorCode = "format" | "checksum" | "fetch" | "source" | "key" | "host" | "url" | "memory";

/** The error of everything in this package. Its message says what to do. */
export class TamisError extends Error {
  declare readonly code: ErrorCode;
  /** For `"format"` and `"checksum"`: the field of the file at fault, as the Go library names it. Else "". */
  declare readonly field: string;
  constructor(code: ErrorCode, message: string, cause?: unknown, field = "") {
    super(message, { cause });
    Object.assign(this, { name: "TamisError", code, field });
  }
}
