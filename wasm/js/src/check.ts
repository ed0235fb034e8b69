import { fields, type Reason } from "../../core/assembly/reasons";
import { TamisError } from "./errors.js";

/** Throws the error of a reason for which a core refuses a file. */
export function check(wrong: boolean, reason: Reason): void {
  if (!wrong) return;
  const field = fields()[reason]!, damaged = /sum$/.test(field);
  const todo = /sum$|length/.test(field) ? "fetch the file again, whole" : "take one by tamis build, in a version that this package reads";
  throw new TamisError(damaged ? "checksum" : "format", `no valid list (${field}): ${todo}`, field);
}
