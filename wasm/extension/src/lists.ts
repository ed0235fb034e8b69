// The lists, opened and asked.
import { Blocklist } from "tamis";
import * as suffixes from "tamis/suffixes";
import { type Entry, entries, packagedBytes, packagedId } from "./store.js";

export interface Opened {
  entry: Entry;
  list: Blocklist;
  /** Why the file of the package stands in for what was kept of its list; "" if it does not. */
  damaged: string;
}

/** What a list has against a URL. */
export interface Hit {
  name: string;
  /** The host of the URL, or the parent of it that the list holds. */
  held: string;
  /** The share of hosts not in the list that it holds all the same; undefined if its file does not say. */
  rate: number | undefined;
}

/** Opens all lists, or throws: an extension that leaves one out would let pass what is in it. */
export async function openLists(): Promise<Opened[]> {
  return Promise.all((await entries()).map(open));
}

/** Opens a file, verifying all of it. */
export function verify(bytes: Uint8Array): Promise<Blocklist> {
  return Blocklist.load(bytes, { suffixes });
}

async function open(entry: Entry): Promise<Opened> {
  if (!entry.bytes) return { entry, list: await verify(await packagedBytes()), damaged: "" };
  try {
    return { entry, list: await verify(entry.bytes), damaged: "" };
  } catch (error) {
    if (entry.id !== packagedId) throw new Error(`The list “${entry.name}” cannot be read: remove it, or add it again. (${reason(error)})`);
    return { entry, list: await verify(await packagedBytes()), damaged: reason(error) };
  }
}

/** What the lists have against a URL: nothing, or a hit for each that holds its host or a parent. */
export function ask(lists: Opened[], url: string): Hit[] {
  return lists.flatMap(({ entry, list }) => (list.hasUrl(url) ? [{ name: entry.name, held: held(list, url), rate: list.info.rate }] : []));
}

/** The longest of a host and its parents that a list holds, which is known to hold one. */
function held(list: Blocklist, url: string): string {
  const host = plainHost(url);
  for (let name = host; ; name = name.slice(name.indexOf(".") + 1)) {
    if (list.has(name)) return name;
    if (!name.includes(".")) return host;
  }
}

/** The host of a URL as it stands in lists: without the empty labels that dots may leave. */
export function plainHost(url: string): string {
  return new URL(url).hostname.split(".").filter(Boolean).join(".");
}

export function reason(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
