// Builds dist: the package's two entries, the module of WebAssembly, the types.
//
//	node tools/build.mjs
import { execFileSync } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { minify } from "terser";
import { constants } from "./constants.mjs";
import { pack } from "./pack.mjs";

export const root = fileURLToPath(new URL("..", import.meta.url));
const core = join(root, "../core/core.wasm");

/** What src/modules.d.ts declares. */
const packed = {
  name: "packed",
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^packed$/ }, ({ path }) => ({ path, namespace: "packed" }));
    onLoad({ filter: /.*/, namespace: "packed" }, () => {
      const text = (bytes) => JSON.stringify(pack(bytes));
      return { contents: `export const core = ${text(readFileSync(core))}, constants = ${text(constants)};` };
    });
  },
};

/** Bundles an entry to a file, in front of which a text stands. */
export async function bundle(entry, outfile, banner = "") {
  const { outputFiles } = await build({ absWorkingDir: root, entryPoints: [entry], bundle: true, minifySyntax: true, format: "esm", target: "es2022", plugins: [packed], write: false, logLevel: "warning" });
  const { code } = await minify(outputFiles[0].text, { module: true, ecma: 2022, compress: { passes: 3 } });
  writeFileSync(outfile, banner + code);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const dist = join(root, "dist");
  rmSync(dist, { recursive: true, force: true });
  mkdirSync(dist);
  await bundle("src/index.ts", join(dist, "index.js"));
  await bundle("src/suffixes.ts", join(dist, "suffixes.js"), "/*! The public-suffix list is under the Mozilla Public License 2.0: https://publicsuffix.org/ */\n");
  copyFileSync(core, join(dist, "core.wasm"));
  copyFileSync(join(root, "../../LICENSE"), join(root, "LICENSE")); // npm packs it

  // The types, but for those of what is inside.
  const types = mkdtempSync(join(tmpdir(), "tamis-types-"));
  execFileSync(process.execPath, [join(root, "node_modules/typescript/bin/tsc"), "--outDir", types], { cwd: root, stdio: "inherit" });
  for (const name of ["index", "blocklist", "errors", "suffixes"]) copyFileSync(join(types, "js/src", `${name}.d.ts`), join(dist, `${name}.d.ts`));
  rmSync(types, { recursive: true });
}
