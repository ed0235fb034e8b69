// The packed package as a stranger has it: installed, imported, type-checked, and in bundles.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { root } from "../tools/build.mjs";
import { folder } from "./setup.mjs";

const app = folder();
const npm = (...args) => execFileSync("npm", [...args], { cwd: app, encoding: "utf8", stdio: ["ignore", "pipe", "inherit"] });
const node = (...args) => execFileSync(process.execPath, args, { cwd: app, encoding: "utf8", stdio: ["ignore", "pipe", "inherit"] });

const [packed] = JSON.parse(npm("pack", "--json", "--silent", "--ignore-scripts", "--pack-destination", app, root));
writeFileSync(join(app, "package.json"), JSON.stringify({ private: true, type: "module" }));
npm("install", "--silent", "--offline", "--no-audit", join(app, packed.filename));
const list = join(root, "../../filters/all/testdata/v1-ribbon-100.tamis");

writeFileSync(
  join(app, "check.js"),
  `import { Blocklist, TamisError } from "tamis";
import { shortest } from "tamis/suffixes";
export async function check(bytes) {
  const list = await Blocklist.load(bytes, { suffixes: { shortest } });
  const refused = await Blocklist.load(bytes.slice(1)).catch((error) => error instanceof TamisError && error.code);
  return [list.engine, list.has("key-1"), list.has("key-100"), ...list.hasMany(["key-99", "no"]), list.hasUrl("https://key-1/"), refused].join();
}
`,
);
const answer = ",true,false,1,0,false,format";

/** Runs what a file of the app exports, in a process, or in a worker of it. */
function run(file, worker, ...flags) {
  const code = `import { readFileSync } from "node:fs";
import { isMainThread, Worker } from "node:worker_threads";
if (isMainThread && ${worker}) new Worker(new URL(import.meta.url));
else {
  const { check } = await import(${JSON.stringify(pathToFileURL(join(app, file)).href)});
  console.log(await check(new Uint8Array(readFileSync(${JSON.stringify(list)}))));
}
`;
  writeFileSync(join(app, "run.js"), code);
  return node(...flags, "run.js").trim();
}

test("the package holds what it should, and nothing else", () => {
  const files = packed.files.map(({ path }) => path).sort();
  assert.deepEqual(files, ["LICENSE", "NOTICE", "README.md", ...["blocklist.d.ts", "core.wasm", "errors.d.ts", "index.d.ts", "index.js", "suffixes.d.ts", "suffixes.js"].map((name) => `dist/${name}`), "package.json"]);
  const { dependencies, sideEffects } = JSON.parse(readFileSync(join(app, "node_modules/tamis/package.json")));
  assert.deepEqual([dependencies, sideEffects], [undefined, false]);
  assert.ok(existsSync(createRequire(join(app, "x")).resolve("tamis/core.wasm")));
});

test("in node, in a worker, without eval, without WebAssembly", () => {
  assert.equal(run("check.js", false), "wasm-simd" + answer);
  assert.equal(run("check.js", true), "wasm-simd" + answer);
  assert.equal(run("check.js", false, "--disallow-code-generation-from-strings"), "wasm-simd" + answer);
  assert.equal(run("check.js", false, "--no-expose-wasm"), "js" + answer);
  assert.doesNotMatch(readFileSync(join(root, "dist/index.js"), "utf8"), /\beval\(|new Function|import\.meta|WebAssembly\.(Module|Instance)\b/);
});

test("the types", () => {
  writeFileSync(
    join(app, "use.ts"),
    `import { Blocklist, type ErrorCode, type Info, TamisError } from "tamis";
import * as suffixes from "tamis/suffixes";
export async function use(bytes: ArrayBuffer, view: Uint8Array): Promise<number> {
  const list: Blocklist = await Blocklist.load(bytes, { suffixes });
  await list.update(fetch("https://example.com/list"));
  await list.update(view);
  const { family, rate }: Info = list.info;
  const one: boolean = list.hasHost("a") && list.hasUrl(new URL("https://a/")) && list.has(view);
  // @ts-expect-error a number is no key
  list.has(5);
  // @ts-expect-error nothing makes one but load
  new Blocklist();
  const error = new TamisError("key", "x");
  const code: ErrorCode = error.code;
  return list.hasMany(["a", view]).length + family.length + (rate ?? 0) + code.length + Number(one);
}
`,
  );
  for (const [module, resolution] of [["nodenext", "nodenext"], ["es2022", "bundler"]]) {
    node(join(root, "node_modules/typescript/bin/tsc"), "--strict", "--noEmit", "--target", "es2022", "--lib", "es2022,dom", "--module", module, "--moduleResolution", resolution, "use.ts");
  }
});

const entry = join(app, "check.js"), out = (name) => join(app, name);
const bundlers = {
  async esbuild() {
    const { build } = await import("esbuild");
    await build({ entryPoints: [entry], bundle: true, format: "esm", minify: true, outfile: out("esbuild.mjs") });
  },
  async rollup() {
    const { rollup } = await import("rollup");
    const { resolve } = createRequire(entry);
    const plugins = [{ name: "resolve", resolveId: (id) => (id.startsWith("tamis") ? resolve(id) : null) }];
    await (await rollup({ input: entry, plugins })).write({ file: out("rollup.mjs"), format: "es" });
  },
  async webpack() {
    const { default: webpack } = await import("webpack");
    const stats = await new Promise((done, fail) =>
      webpack({ context: app, entry, mode: "production", target: "web", experiments: { outputModule: true }, output: { path: app, filename: "webpack.mjs", library: { type: "module" }, chunkFormat: "module" } }, (error, stats) => (error ? fail(error) : done(stats))),
    );
    assert.ok(!stats.hasErrors(), stats.toString());
  },
  async vite() {
    const { build } = await import("vite");
    await build({ root: app, logLevel: "error", build: { lib: { entry, formats: ["es"], fileName: "vite" }, outDir: app, emptyOutDir: false } });
    writeFileSync(out("vite.mjs"), readFileSync(out("vite.js")));
  },
};

for (const [name, bundle] of Object.entries(bundlers)) {
  test(`bundled by ${name}`, async () => {
    await bundle();
    const text = readFileSync(out(`${name}.mjs`), "utf8");
    assert.doesNotMatch(text, /from\s*["']tamis/);
    assert.equal(run(`${name}.mjs`, false), "wasm-simd" + answer);
    assert.equal(run(`${name}.mjs`, true), "wasm-simd" + answer);
    assert.equal(run(`${name}.mjs`, false, "--no-expose-wasm"), "js" + answer);
  });
}

test("esbuild leaves out what is not imported", async () => {
  const { build } = await import("esbuild");
  const size = async (contents) => {
    const { outputFiles } = await build({ stdin: { contents, resolveDir: app }, bundle: true, format: "esm", minify: true, write: false, logLevel: "error" });
    return outputFiles[0].contents.length;
  };
  assert.ok((await size(`import "tamis"; import "tamis/suffixes";`)) < 100);
  assert.ok((await size(`export { Blocklist } from "tamis";`)) < 20_000);
});
