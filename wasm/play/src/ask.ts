// What a list answers for what a person types.
import { canonicalHost, hostOfUrl } from "../../js/src/names.js";
import { shortest } from "../../js/src/suffixes.js";
import type { List } from "./core.js";

export interface Asked {
  name: string;
  held: boolean;
}

export interface Answer {
  host: string; // canonical; "" if what was typed is no host
  names: Asked[]; // the host and its parents, or what was typed
  first: string; // the longest that is held, or ""
  suffix: string; // the parent that is not asked for, as no one's to list; or ""
}

const encoder = new TextEncoder();

/** The canonical host of what was typed, a host or a URL. */
export function hostOf(typed: string): string {
  const name = typed.trim();
  return canonicalHost(name) || (/^[a-z][a-z0-9+.-]*:\/\//i.test(name) ? hostOfUrl(name) : "") || schemeless(name);
}

/** The host of a URL whose scheme was left out. */
function schemeless(name: string): string {
  return /^[^\s/?#]+([/?#:].*)$/.test(name) ? hostOfUrl("http://" + name) : "";
}

/** A canonical host and its parents up to its registrable domain. */
export function walk(host: string): string[] {
  const least = shortest(encoder.encode(host), host.length);
  const names: string[] = [];
  for (let name = host; name.length >= least; ) {
    names.push(name);
    const dot = name.indexOf(".");
    if (dot < 0) break;
    name = name.slice(dot + 1);
  }
  return names;
}

export function ask(list: List, typed: string): Answer {
  const host = hostOf(typed);
  const names = host === "" ? [typed] : walk(host);
  const answers = list.hasMany(names);
  const asked = names.map((name, i) => ({ name, held: answers[i]! }));
  const last = names.at(-1) ?? "";
  const up = names.length === 0 ? host : host === "" || last.endsWith("]") || /^[\d.]+$/.test(last) ? "" : last.slice(last.indexOf(".") + 1);
  return { host, names: asked, first: asked.find((name) => name.held)?.name ?? "", suffix: up === last ? "" : up };
}

export interface Many {
  asked: number;
  parents: number; // names asked for on behalf of those
  unknown: number; // that are no hosts, asked for as they stand
  held: { name: string; by: string }[];
  milliseconds: number; // in the core and to get there
}

/** Asks for the names of a text, one a line, a slice at a time so that the page stays alive. */
export async function askMany(list: List, text: string, parents: boolean, still: () => boolean): Promise<Many> {
  const result: Many = { asked: 0, parents: 0, unknown: 0, held: [], milliseconds: 0 };
  const lines = text.split("\n");
  for (let at = 0; at < lines.length; at += 20_000) {
    if (!still()) break;
    const typed: string[] = [], keys: string[] = [], ends: number[] = [];
    for (const raw of lines.slice(at, at + 20_000)) {
      const line = raw.replace(/^\uFEFF/, "").trim();
      if (line === "" || line.startsWith("#")) continue;
      const host = hostOf(line);
      if (host === "") result.unknown++;
      const names = host === "" || !parents ? [host || line] : walk(host);
      typed.push(line);
      keys.push(...names);
      ends.push(keys.length);
    }
    const begin = performance.now();
    const answers = list.hasMany(keys);
    result.milliseconds += performance.now() - begin;
    let from = 0;
    typed.forEach((name, i) => {
      for (let k = from; k < ends[i]!; k++) {
        if (answers[k]) {
          result.held.push({ name, by: keys[k]! });
          break;
        }
      }
      from = ends[i]!;
    });
    result.asked += typed.length;
    result.parents += keys.length;
    await new Promise((next) => setTimeout(next));
  }
  return result;
}

/** Asks for random keys, that nobody lists: how many are held by mistake, and how long one takes, as a rule. */
export async function measure(list: List, count: number, still: () => boolean): Promise<{ asked: number; held: number; nanoseconds: number }> {
  const batchLen = 10_000, keyLen = 20;
  const batch = new Uint8Array(batchLen * (4 + keyLen));
  const lengths = new DataView(batch.buffer);
  const times: number[] = [];
  let held = 0;
  while (times.length * batchLen < count && still()) {
    for (let i = 0; i < batchLen; i++) lengths.setUint32(4 * i, keyLen, true);
    // Random bytes come in pieces of at most 65,536.
    for (let at = 4 * batchLen; at < batch.length; at += 65_536) crypto.getRandomValues(batch.subarray(at, Math.min(at + 65_536, batch.length)));
    const begin = performance.now();
    held += list.held(batchLen, batch);
    times.push(performance.now() - begin);
    if (times.length % 10 === 0) await new Promise((next) => setTimeout(next));
  }
  const median = times.sort((a, b) => a - b)[times.length >> 1] ?? 0;
  return { asked: times.length * batchLen, held, nanoseconds: (median * 1e6) / batchLen };
}
