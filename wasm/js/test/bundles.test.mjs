// A program that uses the package, bundled by what people bundle with, runs in Node and in a worker.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";
import * as esbuild from "esbuild";
import { rollup } from "rollup";
import * as vite from "vite";
import webpack from "webpack";
import { golden } from "./fixtures.mjs";

const dir = mkdtempSync(join(tmpdir(), "tamis-bundles-"));
after(() => rmSync(dir, { recursive: true }));
const entry = join(dir, "main.mjs"), dist = fileURLToPath(new URL("../dist/", import.meta.url));
mkdirSync(join(dir, "node_modules"));
symlinkSync(fileURLToPath(new URL("..", import.meta.url)), join(dir, "node_modules/tamis"));
writeFileSync(join(dir, "package.json"), `{ "type": "module" }`);
writeFileSync(
  entry,
  `import { Blocklist, TamisError } from "tamis";
import * as suffixes from "tamis/suffixes";
const file = Uint8Array.from(atob("${golden("all", "v1-ribbon-100").toString("base64")}"), (c) => c.charCodeAt(0));
const list = await Blocklist.load(file, { suffixes });
const refused = await Blocklist.load(file.subarray(1)).catch((error) => error instanceof TamisError && error.field);
console.log([list.engine, list.info.family, list.info.keys, list.hasHost("com"), list.hasHost("WWW.example.org."), refused].join(" "));
`,
);
const want = "wasm-simd ribbon 100 false false magic\n";

function inWorker(file) {
  return new Promise((resolve, reject) => {
    let text = "";
    const worker = new Worker(file, { stdout: true });
    worker.stdout.on("data", (data) => (text += data));
    worker.on("error", reject).on("exit", () => setImmediate(() => resolve(text)));
  });
}

const bundlers = {
  "as it is": () => entry,
  async esbuild(outfile) {
    await esbuild.build({ entryPoints: [entry], outfile, bundle: true, minify: true, format: "esm", target: "es2022" });
  },
  // rollup finds packages by a plugin.
  async rollup(file) {
    const find = { resolveId: (id) => ({ tamis: join(dist, "index.js"), "tamis/suffixes": join(dist, "suffixes.js") })[id] };
    const bundle = await rollup({ input: entry, plugins: [find] });
    await bundle.write({ file, format: "es" });
    await bundle.close();
  },
  async webpack(file) {
    const config = { mode: "production", target: ["web", "es2022"], context: dir, entry, experiments: { outputModule: true }, output: { path: dir, filename: file.slice(dir.length + 1), module: true, chunkFormat: "module" }, performance: false };
    const stats = await new Promise((resolve, reject) => webpack(config, (error, stats) => (error ? reject(error) : resolve(stats))));
    assert.ok(!stats.hasErrors() && !stats.hasWarnings(), stats.toString());
  },
  async vite(file) {
    await vite.build({ root: dir, configFile: false, logLevel: "error", build: { target: "es2022", emptyOutDir: false, outDir: dir, lib: { entry, formats: ["es"], fileName: () => file.slice(dir.length + 1) } } });
  },
};

for (const [name, bundle] of Object.entries(bundlers)) {
  test(name, async () => {
    const file = (await bundle(join(dir, `${name}.mjs`))) ?? join(dir, `${name}.mjs`);
    assert.equal(execFileSync(process.execPath, [file], { encoding: "utf8" }), want);
    assert.equal(await inWorker(file), want);
  });
}
