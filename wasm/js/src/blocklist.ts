import { check } from "./check.js";
import type { Core } from "./core.js";
import { TamisError } from "./errors.js";
import { canonicalHost, copyPlain } from "./names.js";
import { plainCore } from "./plain/index.js";
import { bytesOf } from "./source.js";
import { wasmCore } from "./wasm.js";

/** What a list is loaded from. A string is a URL. */
export type Source = ArrayBufferLike | ArrayBufferView | Blob | Response | URL | string;

export interface Options {
  /**
   * The module `tamis/suffixes`. With it a listed parent blocks the hosts below it, up to the
   * registrable domain. Without it hasHost and hasUrl ask for the host alone.
   */
  suffixes?: Suffixes;
  /**
   * The module `tamis/core.wasm`, compiled: for runtimes that import modules of WebAssembly
   * and refuse to compile bytes. All others have it in this package.
   */
  core?: WebAssembly.Module;
}

/** What `tamis/suffixes` exports. */
export interface Suffixes {
  shortest(host: Uint8Array, length: number): number;
}

/** What checks a list: "js" where WebAssembly is refused or has no SIMD. */
export type Engine = "wasm-simd" | "js";

export interface Info {
  readonly family: "standard" | "blocked" | "split" | "cuckoo" | "ribbon" | "exact";
  /** How many keys are in the list. */
  readonly keys: number;
  /** The rate of false positives for each name asked for, if the file says it: those of ribbon and exact do. */
  readonly rate: number | undefined;
  /** The size of the file. */
  readonly bytes: number;
  /** The seed of the hash, 16 hexadecimal digits. */
  readonly seed: string;
}

/**
 * A list of names, or of any keys, that can be asked whether it holds one. "No" is certain;
 * "yes" is wrong at the rate that the list was built for.
 */
export class Blocklist {
  declare readonly engine: Engine;
  declare readonly info: Info;
  #options: Options;
  #core!: Core;
  /** The core's room for keys. */
  #room!: Uint8Array;
  /** How many updates began, and the latest that took effect. */
  #begun = 0;
  #latest = 0;

  private constructor(options: Options) {
    this.#options = options;
  }

  /**
   * Loads a list from the bytes of a file that `tamis build` or the Go library wrote, or
   * fetches it; the type that a server gives it does not matter. The bytes are copied. Throws
   * a TamisError for a file that was damaged in any way.
   */
  static async load(source: Source | Promise<Source>, options: Options = {}): Promise<Blocklist> {
    const list = new Blocklist(options);
    await list.update(source);
    return list;
  }

  /**
   * Loads another list. This one answers as before until that one is verified, and if it is
   * refused. Of updates that overlap, the one that was called last stays.
   */
  async update(source: Source | Promise<Source>): Promise<void> {
    const turn = ++this.#begun, bytes = await bytesOf(await source);
    let engine: Engine = "wasm-simd";
    const core = await wasmCore(this.#options.core).catch(() => {
      engine = "js";
      return plainCore();
    });
    const file = roomFor(core, "file", bytes.length);
    file.set(bytes);
    const reason = core.open(bytes.length);
    check(reason, reason);
    if (turn < this.#latest) return;
    this.#latest = turn;
    Object.assign(this, { engine, info: infoOf(file) });
    this.#core = core;
    this.#room = roomFor(core, "keys", startRoom);
  }

  /**
   * Whether the list may hold a host or, with suffixes, one of its parents. The host may be
   * written in any way that a browser takes. False for "". Throws a TamisError for what is no
   * host, as a URL is not.
   */
  hasHost(host: string): boolean {
    const found = typeof host === "string" ? this.#ask(host) : undefined;
    if (found === undefined && host !== "") throw new TamisError("host", `no host (${host}): give one alone, or call hasUrl`);
    return !!found;
  }

  /**
   * hasHost for the host of a URL. False if it has none, as about:blank. Throws a TamisError
   * for what is no URL, as one without https:// is not.
   */
  hasUrl(url: string | URL): boolean {
    let host;
    try {
      host = new URL(url).hostname;
    } catch (cause) {
      throw new TamisError("url", `no URL (${url}): give it with https://, or call hasHost`, cause);
    }
    return !!this.#ask(host);
  }

  /**
   * Whether the list may hold a key as it stands; of a string, its UTF-8. Throws a TamisError
   * for a string that has none, with half of a surrogate pair: no list holds it, but one may
   * hold what an encoder would put in its place.
   */
  has(key: string | Uint8Array): boolean {
    return !!this.#core.has(this.#write(key));
  }

  /**
   * has for many keys: gives a 1 for each that the list may hold, else a 0. It is faster than
   * has while keys are strings of ASCII, and no longer than names are.
   */
  hasMany(keys: readonly (string | Uint8Array)[]): Uint8Array {
    const core = this.#core, hits = new Uint8Array(keys.length);
    for (let i = 0; i < keys.length; i += chunk) {
      const room = this.#room, lengths = new DataView(room.buffer, room.byteOffset), n = Math.min(keys.length - i, chunk);
      let text = "";
      for (let j = 0; j < n; j++) {
        const key = keys[i + j]!;
        if (typeof key === "string") {
          lengths.setUint32(4 * j, key.length, true);
          text += key;
        } else {
          text += "\x80";
        }
      }
      // What is read whole and has as many bytes as characters is ASCII.
      const { read, written } = encoder.encodeInto(text, room.subarray(4 * n));
      const quick = core.hasMany && read === text.length && read === written;
      if (quick) core.hasMany!(n);
      for (let j = 0; j < n; j++) hits[i + j] = quick ? room[4 * j]! : +this.has(keys[i + j]!);
    }
    return hits;
  }

  /** hasHost, but undefined for what is no host. */
  #ask(host: string): boolean | undefined {
    const { suffixes } = this.#options;
    let bytes = host.length;
    if (!copyPlain(host, this.#room)) bytes = this.#write(canonicalHost(host));
    if (!bytes) return undefined;
    const shortest = suffixes ? suffixes.shortest(this.#room, bytes) : bytes;
    return shortest <= bytes && !!this.#core.hasHost(bytes, shortest);
  }

  /** Writes a key to the room for keys, and returns its length. */
  #write(key: string | Uint8Array): number {
    if (typeof key === "string") {
      let i = 0;
      if (key.length <= this.#room.length) {
        for (let c; i < key.length && (c = key.charCodeAt(i)) < 128; i++) this.#room[i] = c;
      }
      if (i === key.length) return i;
      try {
        encodeURIComponent(key); // refuses what the encoder would replace
      } catch (cause) {
        throw new TamisError("key", `no UTF-8 (half of a surrogate pair in ${key}): give bytes`, cause);
      }
      key = encoder.encode(key);
    }
    if (!(key instanceof Uint8Array)) throw new TamisError("key", "no key: give a string or a Uint8Array");
    if (key.length > this.#room.length) this.#room = roomFor(this.#core, "keys", key.length);
    this.#room.set(key);
    return key.length;
  }
}

const encoder = new TextEncoder();

/** How many keys hasMany hands over at a time, and the room for them if they are names. */
const chunk = 1024;
const startRoom = 1 << 16;

/** Makes room in a core for a file or for keys. */
function roomFor(core: Core, what: "file" | "keys", bytes: number): Uint8Array {
  let at = 0;
  try {
    if (bytes < 2 ** 32) at = core[what](bytes) >>> 0;
  } catch {} // the plain engine cannot allocate
  if (!at) throw new TamisError("memory", `no memory for ${bytes} bytes: give less`);
  return new Uint8Array(core.memory.buffer, at, bytes);
}

function infoOf({ buffer, byteOffset, length: bytes }: Uint8Array): Info {
  const file = new DataView(buffer, byteOffset), long = (at: number) => file.getBigUint64(at, true), byte = (at: number) => file.getUint8(at);
  /** The rate of the ribbon that starts there. */
  const ribbon = (at: number) => (1 + file.getUint32(at + 64, true) / 2 ** 32) / 2 ** byte(at + 7);
  const kind = byte(5), param = byte(7), keys = Number(long(16));
  return {
    family: (["standard", "blocked", "split", "cuckoo", "ribbon", , "exact"] as Info["family"][])[kind - 1]!,
    keys,
    rate: kind > 4 ? keys && (kind < 6 ? ribbon(0) : (param & 1 ? ribbon(64) : 1) / (param & 2 || 1)) : undefined,
    bytes,
    seed: long(8).toString(16).padStart(16, "0"),
  };
}
