// A program in TypeScript finds the package's types, and they say what may be given.
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const dir = mkdtempSync(join(tmpdir(), "tamis-consumer-"));
after(() => rmSync(dir, { recursive: true }));
mkdirSync(join(dir, "node_modules"));
symlinkSync(root, join(dir, "node_modules/tamis"));
writeFileSync(join(dir, "package.json"), `{ "type": "module" }`);
writeFileSync(
  join(dir, "main.ts"),
  `import { Blocklist, TamisError, type Engine, type ErrorCode } from "tamis";
import * as suffixes from "tamis/suffixes";
const list: Blocklist = await Blocklist.load(new Uint8Array(64), { suffixes });
const answers: [boolean, boolean, boolean, Uint8Array] = [list.hasHost("a"), list.hasUrl(new URL("a:b")), list.has("a"), list.hasMany(["a", new Uint8Array(1)])];
const engine: Engine = list.engine;
const code: ErrorCode = new TamisError("key", "").code;
// @ts-expect-error: no number
list.has(1);
export { answers, engine, code };
`,
);

for (const [module, resolution] of [["es2022", "bundler"], ["nodenext", "nodenext"]]) {
  test(resolution, () => {
    execFileSync(process.execPath, [join(root, "node_modules/typescript/bin/tsc"), "--noEmit", "--strict", "--target", "es2022", "--lib", "es2022,dom", "--module", module, "--moduleResolution", resolution, join(dir, "main.ts")], { cwd: dir, stdio: ["ignore", "inherit", "inherit"] });
  });
}
