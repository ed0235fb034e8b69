import { check } from "./check.js";
import type { Core } from "./core.js";
import { TamisError } from "./errors.js";
import { canonicalHost, copyPlain, hostOfUrl } from "./names.js";
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

/** What checks a list: "js" where WebAssembly is refused. */
export type Engine = "wasm-simd" | "wasm" | "js";

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

/** A verified file in the memory of a core. */
interface Opened {
  core: Core;
  engine: Engine;
  info: Info;
}

/**
 * A list of names, or of any keys, that can be asked whether it holds one. "No" is certain;
 * "yes" is wrong at the rate that the list was built for.
 */
export class Blocklist {
  #options: Options;
  #opened!: Opened;
  /** The core's room for keys. */
  #room!: Uint8Array;
  #lengths!: DataView;
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
    const turn = ++this.#begun;
    const opened = await open(await bytesOf(await source), this.#options);
    if (turn < this.#latest) return;
    this.#latest = turn;
    this.#opened = opened;
    this.#room = new Uint8Array(0);
    this.#makeRoom(startRoom);
  }

  get engine(): Engine {
    return this.#opened.engine;
  }

  get info(): Info {
    return this.#opened.info;
  }

  /**
   * Whether the list may hold a host or, with suffixes, one of its parents. The host may be
   * written in any way that a browser takes. False for "". Throws a TamisError for what is no
   * host, as a URL is not.
   */
  hasHost(host: string): boolean {
    const text = typeof host === "string";
    if (text && copyPlain(host, this.#room)) return this.#hasWritten(host.length);
    const canonical = text ? canonicalHost(host) : "";
    if (canonical === "" && host !== "") throw new TamisError("host", `${JSON.stringify(host)} is no host: give one alone, or call hasUrl`);
    return this.#hasCanonical(canonical);
  }

  /**
   * hasHost for the host of a URL. False if it has none, as about:blank. Throws a TamisError
   * for what is no URL, as one without https:// is not.
   */
  hasUrl(url: string | URL): boolean {
    const host = hostOfUrl(String(url));
    if (host === "") {
      try {
        new URL(url);
      } catch (cause) {
        throw new TamisError("url", `${JSON.stringify(url)} is no URL: give it with https://, or call hasHost`, "", cause);
      }
    }
    return this.#hasCanonical(host);
  }

  /**
   * Whether the list may hold a key as it stands; of a string, its UTF-8. Throws a TamisError
   * for a string that has none, with half of a surrogate pair: no list holds it, but one may
   * hold what an encoder would put in its place.
   */
  has(key: string | Uint8Array): boolean {
    return this.#opened.core.has(this.#write(key, 0)) !== 0;
  }

  /** has for many keys, and faster: gives a 1 for each that the list may hold, else a 0. */
  hasMany(keys: readonly (string | Uint8Array)[]): Uint8Array {
    const hits = new Uint8Array(keys.length);
    for (let i = 0, n = 0; i < keys.length; i += n) {
      // As many as fit into the room, but at least one, which makes it larger.
      let most = 0;
      for (n = 0; n < chunk && i + n < keys.length && (!n || most <= this.#room.length - 4 * chunk); n++) most += mostBytes(keys[i + n]!);
      let at = 4 * n;
      this.#makeRoom(at + most);
      for (let j = 0; j < n; j++) {
        const end = this.#write(keys[i + j]!, at);
        this.#lengths.setUint32(4 * j, end - at, true);
        at = end;
      }
      this.#opened.core.hasMany(n);
      for (let j = 0; j < n; j++) hits[i + j] = this.#room[4 * j]!;
    }
    return hits;
  }

  #hasCanonical(host: string): boolean {
    return host !== "" && this.#hasWritten(this.#write(host, 0));
  }

  /** hasHost for a canonical host of so many bytes, in the room for keys. */
  #hasWritten(bytes: number): boolean {
    const suffixes = this.#options.suffixes;
    const registrable = suffixes ? suffixes.shortest(this.#room, bytes) : bytes;
    return registrable <= bytes && this.#opened.core.hasHost(bytes, registrable) !== 0;
  }

  /** Writes a key to the room for keys, and returns where it ends. */
  #write(key: string | Uint8Array, at: number): number {
    this.#makeRoom(at + mostBytes(key));
    const room = this.#room;
    if (typeof key === "string") {
      const start = at;
      for (let i = 0; i < key.length; i++) {
        const c = key.charCodeAt(i);
        if (c > 127) return start + encode(key, room.subarray(start));
        room[at++] = c;
      }
      return at;
    }
    room.set(key, at);
    return at + key.length;
  }

  /** Makes room for keys of so many bytes, if there is not. */
  #makeRoom(bytes: number): void {
    if (this.#room.length >= bytes) return;
    const { core } = this.#opened, start = core.keys(bytes) >>> 0;
    if (!start) throw noMemory(bytes);
    this.#room = new Uint8Array(core.memory.buffer, start, bytes);
    this.#lengths = new DataView(core.memory.buffer, start, bytes);
  }
}

/** How many keys hasMany hands over at a time, and the room for them if they are names. */
const chunk = 1024;
const startRoom = 1 << 16;

/** The bytes that a key takes, or more. */
function mostBytes(key: string | Uint8Array): number {
  if (typeof key === "string") return 3 * key.length;
  if (key instanceof Uint8Array) return key.length;
  throw new TamisError("key", "no key: give a string or a Uint8Array");
}

/** Writes the UTF-8 of a key, for which there is room, and returns its length. */
function encode(key: string, room: Uint8Array): number {
  try {
    encodeURIComponent(key); // refuses what TextEncoder would replace
  } catch (cause) {
    throw new TamisError("key", `${JSON.stringify(key)} has half a surrogate pair, so no UTF-8: correct it, or give bytes`, "", cause);
  }
  return new TextEncoder().encodeInto(key, room).written;
}

function noMemory(bytes: number): TamisError {
  return new TamisError("memory", `no memory for ${bytes} bytes: give less`);
}

const families = ["", "standard", "blocked", "split", "cuckoo", "ribbon", "", "exact"] as Info["family"][];

async function open(bytes: Uint8Array, options: Options): Promise<Opened> {
  const { core, engine } = await wasmCore(options.core).catch(() => ({ core: plainCore(), engine: "js" as const }));
  const n = bytes.length, start = n < 2 ** 32 && core.file(n) >>> 0;
  if (!start) throw noMemory(n);
  new Uint8Array(core.memory.buffer, start).set(bytes);
  const reason = core.open(n);
  check(reason !== 0, reason);
  return { core, engine, info: infoOf(new DataView(core.memory.buffer, start, n)) };
}

function infoOf(file: DataView): Info {
  const long = (at: number) => file.getBigUint64(at, true);
  const family = families[file.getUint8(5)]!, keys = Number(long(16)), param = file.getUint8(7);
  /** The rate of the ribbon that starts there. */
  const ribbon = (at: number) => (1 + file.getUint32(at + 64, true) / 2 ** 32) / 2 ** file.getUint8(at + 7);
  const rate = !keys ? 0 : family === "ribbon" ? ribbon(0) : family === "exact" ? (param & 1 ? ribbon(64) : 1) / (param & 2 ? 2 : 1) : undefined;
  return { family, keys, rate, bytes: file.byteLength, seed: long(8).toString(16).padStart(16, "0") };
}
