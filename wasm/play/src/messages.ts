// What the page and its worker tell each other.
import type { Format } from "./format.js";

/** What to build. */
export interface Order {
  family: string;
  fpr: number;
  format: Format;
  include: Blob;
  exclude: Blob | null;
  overlap: "refuse" | "drop"; // names on both lists
}

export type Stage = "loading" | "reading" | "building" | "checking";

/** A line that gives no name, or not all that it says. */
export interface Reject {
  list: 1 | 2;
  line: number;
  text: string;
  reason: string;
}

/** What was built, and was right about each of these names when it was asked. */
export interface Built {
  file: Uint8Array;
  keys: number;
  excluded: number;
  dropped: number; // names left out because they are excluded
  rejected: number; // lines of both lists
  rejects: Reject[]; // the first of them
  asked: number; // of the list, repeats too
  excludedAsked: number;
}

export type Told =
  | { stage: Stage; done: number }
  | { built: Built }
  | { error: string; kind: string };
