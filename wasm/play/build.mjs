// Writes dist: the page, its worker and the builder.
//
//	node build.mjs
import { build } from "esbuild";
import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";

const here = import.meta.dirname, dist = join(here, "dist");
const goroot = execFileSync("go", ["env", "GOROOT"], { encoding: "utf8" }).trim();

rmSync(dist, { recursive: true, force: true });
mkdirSync(dist);

const builder = join(dist, "builder.wasm");
execFileSync("go", ["build", "-trimpath", "-ldflags=-s -w", "-o", builder, "./builder"], {
  cwd: here,
  env: { ...process.env, GOOS: "js", GOARCH: "wasm" },
  stdio: "inherit",
});
const packed = gzipSync(readFileSync(builder), { level: 9 });
rmSync(builder);
writeFileSync(builder + ".gz", packed);

await build({
  entryPoints: ["page.ts", "worker.ts", "page.css"].map((name) => join(here, "src", name)),
  outdir: dist,
  bundle: true,
  minify: true,
  format: "iife",
  target: "es2022",
  charset: "utf8",
  loader: { ".wasm": "binary" },
  alias: { wasm_exec: join(goroot, "lib/wasm/wasm_exec.js") },
  define: { builderBytes: String(packed.length) },
  logLevel: "warning",
});
cpSync(join(here, "src/index.html"), join(dist, "index.html"));
