// Builds dist: the package's two entries, the module of WebAssembly, the types.
//
//	node tools/build.mjs
import { execFileSync } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

export const root = fileURLToPath(new URL("..", import.meta.url));
const core = join(root, "../core");

/** The modules of the core as source: hexadecimal digits. */
const modules = {
  name: "modules",
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^core:modules$/ }, ({ path }) => ({ path, namespace: "core" }));
    onLoad({ filter: /.*/, namespace: "core" }, () => {
      const digits = (file) => JSON.stringify(readFileSync(join(core, file)).toString("hex"));
      return { contents: `export const simd = ${digits("core.wasm")}, scalar = ${digits("core-scalar.wasm")};` };
    });
  },
};

/** Bundles an entry to a file. */
export function bundle(entry, outfile) {
  return build({ absWorkingDir: root, entryPoints: [entry], outfile, bundle: true, minify: true, format: "esm", target: "es2022", plugins: [modules], logLevel: "warning" });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const dist = join(root, "dist");
  rmSync(dist, { recursive: true, force: true });
  mkdirSync(dist);
  await Promise.all(["index", "suffixes"].map((name) => bundle(`src/${name}.ts`, join(dist, `${name}.js`))));
  copyFileSync(join(core, "core.wasm"), join(dist, "core.wasm"));

  // The types, but for those of what is inside.
  const types = mkdtempSync(join(tmpdir(), "tamis-types-"));
  execFileSync(process.execPath, [join(root, "node_modules/typescript/bin/tsc"), "--outDir", types], { cwd: root, stdio: "inherit" });
  const from = join(types, "js/src");
  for (const name of ["index", "blocklist", "errors", "suffixes"]) copyFileSync(join(from, `${name}.d.ts`), join(dist, `${name}.d.ts`));
  rmSync(types, { recursive: true });
}
