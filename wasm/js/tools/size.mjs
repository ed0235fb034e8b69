// Fails if the package's main entry, which holds the core, the engine in plain JavaScript and
// what is around them, is larger than it may be.
//
//	node tools/size.mjs
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { root } from "./build.mjs";

const most = 9 * 1024;
for (const file of ["index.js", "suffixes.js", "core.wasm"]) {
  const bytes = readFileSync(join(root, "dist", file));
  const small = gzipSync(bytes, { level: 9 }).length;
  console.log(`${file}: ${bytes.length} bytes, ${small} by gzip`);
  if (file === "index.js" && small > most) {
    console.error(`index.js may have ${most} bytes by gzip`);
    process.exitCode = 1;
  }
}
