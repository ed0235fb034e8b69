// What the tests share: the fixtures, the inside of the package, the core's two modules.
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { bundle, root } from "../tools/build.mjs";

/** A folder that is removed in the end. */
export function folder() {
  const dir = mkdtempSync(join(tmpdir(), "tamis-js-"));
  process.on("exit", () => rmSync(dir, { recursive: true, force: true }));
  return dir;
}

/** The fixtures, which Go writes: files.json, hashes.json, hostile.json. */
export function fixtures() {
  const dir = folder();
  execFileSync("go", ["test", "-count=1", "-run", "TestWrite", "."], { cwd: join(root, "test/fixtures"), env: { ...process.env, FIXTURES: dir }, stdio: ["ignore", "ignore", "inherit"] });
  return (name) =>
    JSON.parse(readFileSync(join(dir, name), "utf8")).map(({ Name, File, Field, Hits }) => ({
      name: Name,
      file: new Uint8Array(Buffer.from(File, "base64")),
      field: Field ?? "",
      hits: Hits === undefined ? [] : [...Buffer.from(Hits, "base64")],
    }));
}

/** The inside of the package, bundled. */
export async function inside() {
  const out = join(folder(), "inside.mjs");
  await bundle("test/inside.ts", out);
  return import(pathToFileURL(out));
}

/** A file of testdata of filters/all. */
export function golden(name) {
  return new Uint8Array(readFileSync(join(root, "../../filters/all/testdata", name)));
}

export function keys(n) {
  return Array.from({ length: n }, (_, i) => `key-${i}`);
}

let copies = 0;

/** The package anew, as a page has it where WebAssembly is as it is now. */
export function freshPackage() {
  return import(`../dist/index.js?${++copies}`);
}

/** The package where WebAssembly is changed, which it is again when done. */
export async function under(webAssembly, work) {
  const real = globalThis.WebAssembly;
  globalThis.WebAssembly = webAssembly;
  try {
    return await work(await freshPackage());
  } finally {
    globalThis.WebAssembly = real;
  }
}

const real = WebAssembly;
export const engines = { "wasm-simd": real, js: undefined };

const blocked = () => Promise.reject(new real.CompileError("blocked by CSP"));

/** As a policy without wasm-unsafe-eval has it, and an engine that compiles and then fails. */
export const refused = { compile: blocked, instantiate: blocked };
export const failing = { compile: real.compile, instantiate: blocked };
