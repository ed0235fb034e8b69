export { Blocklist } from "./blocklist.js";
export type { Engine, Info, Options, Source, Suffixes } from "./blocklist.js";
export { TamisError } from "./errors.js";
export type { ErrorCode } from "./errors.js";
