import { fields, type Reason } from "../../core/assembly/reasons";
import { TamisError } from "./errors.js";

/** Throws the error of a reason for which a core refuses a file. */
export function check(wrong: unknown, reason: Reason): void {
  if (!wrong) return;
  const field = fields()[reason]!, sum = /sum$/.test(field);
  throw new TamisError(sum ? "checksum" : "format", `no valid list (${field}): ${sum || /length/.test(field) ? "fetch it again" : "build it anew by tamis build"}`, undefined, field);
}
