// The core of ../core in this page or worker.
import coreBytes from "../../core/core.wasm";
import { fields } from "../../core/assembly/reasons.js";

interface Exports {
  memory: WebAssembly.Memory;
  file(bytes: number): number;
  open(bytes: number): number;
  keys(bytes: number): number;
  has(bytes: number): number;
  hasMany(count: number): number;
}

/** A file that is no filter. */
export class FileError extends Error {
  constructor(readonly field: string) {
    super(`the ${field} is not what it must be`);
  }
}

const encoder = new TextEncoder();

export class List {
  private constructor(private readonly core: Exports) {}

  /** Opens a file, checksums and all. */
  static async open(file: Uint8Array): Promise<List> {
    const { instance } = await WebAssembly.instantiate(coreBytes as BufferSource);
    const core = instance.exports as unknown as Exports;
    const at = core.file(file.length);
    if (at === 0) throw new Error("the file is too large for this browser's memory");
    new Uint8Array(core.memory.buffer).set(file, at);
    const reason = core.open(file.length);
    if (reason !== 0) throw new FileError(fields()[reason]!);
    return new List(core);
  }

  has(key: string): boolean {
    return this.hasMany([key])[0]!;
  }

  hasMany(keys: string[]): boolean[] {
    const encoded = keys.map((key) => encoder.encode(key));
    const batch = new Uint8Array(encoded.reduce((sum, key) => sum + key.length, 4 * keys.length));
    const lengths = new DataView(batch.buffer);
    let at = 4 * keys.length;
    encoded.forEach((key, i) => {
      lengths.setUint32(4 * i, key.length, true);
      batch.set(key, at);
      at += key.length;
    });
    const room = this.put(batch);
    this.core.hasMany(keys.length);
    const answers = new DataView(this.core.memory.buffer, room);
    return keys.map((_, i) => answers.getUint32(4 * i, true) === 1);
  }

  /** How many are held of so many keys, whose lengths and bytes are as the core takes them. */
  held(count: number, batch: Uint8Array): number {
    this.put(batch);
    return this.core.hasMany(count);
  }

  private put(batch: Uint8Array): number {
    const room = this.core.keys(batch.length);
    if (room === 0) throw new Error("the names are too many for this browser's memory");
    new Uint8Array(this.core.memory.buffer).set(batch, room);
    return room;
  }
}
