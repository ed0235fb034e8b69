// What the tests compare with: files that the Go library writes when they begin, and the
// package under each of its engines.
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const dist = new URL("../dist/", import.meta.url);
const filters = fileURLToPath(new URL("../../../filters", import.meta.url));

/** The package anew, in a world where WebAssembly is otherwise while it is first used. */
async function packageIn(engine, wasm) {
  const had = globalThis.WebAssembly;
  globalThis.WebAssembly = wasm;
  try {
    const { Blocklist, TamisError } = await import(new URL(`index.js?${engine}`, dist));
    const list = await Blocklist.load(golden("all", "v1-split-100"));
    if (list.engine !== engine) throw new Error(`${list.engine}, not ${engine}`);
    return { engine, Blocklist, TamisError };
  } finally {
    globalThis.WebAssembly = had;
  }
}

export function golden(folder, name) {
  return readFileSync(join(filters, folder, "testdata", name + ".tamis"));
}

const wasm = WebAssembly;
export const engines = [
  await packageIn("wasm-simd", wasm),
  await packageIn("wasm", { validate: () => false, compile: wasm.compile, instantiate: wasm.instantiate }),
  await packageIn("js", undefined),
];

/** What the Go library writes: see fixtures/fixtures_test.go. */
export function fixtures() {
  const dir = mkdtempSync(join(tmpdir(), "tamis-fixtures-"));
  try {
    execFileSync("go", ["test", "-count=1", "./fixtures"], { cwd: fileURLToPath(new URL(".", import.meta.url)), env: { ...process.env, FIXTURES: dir }, stdio: ["ignore", "ignore", "inherit"] });
    return ["files", "hashes", "hostile"].map((name) => JSON.parse(readFileSync(join(dir, name + ".json"), "utf8")));
  } finally {
    rmSync(dir, { recursive: true });
  }
}

export const bytes = (base64) => new Uint8Array(Buffer.from(base64, "base64"));
export const names = (from, to) => Array.from({ length: to - from }, (_, i) => `key-${from + i}`);
export const input = new Uint8Array(readFileSync(join(filters, "testdata/xxh3-input.bin")));
