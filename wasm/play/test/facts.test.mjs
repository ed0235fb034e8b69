// What the page says of a file is what the Go library says.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { build } from "esbuild";

const root = join(import.meta.dirname, "../../..");
const { outputFiles } = await build({
  stdin: { contents: `export * from "./file.js"; export * from "./format.js"; export * from "./rate.js"`, resolveDir: join(import.meta.dirname, "../src") },
  bundle: true,
  format: "esm",
  write: false,
});
const { facts, guessFormat, leastBits, walkRate } = await import("data:text/javascript;base64," + Buffer.from(outputFiles[0].contents).toString("base64"));

test("the rate to expect", (t) => {
  const scratch = mkdtempSync(join(tmpdir(), "tamis-facts-"));
  t.after(() => rmSync(scratch, { recursive: true }));
  const command = join(scratch, "tamis"), file = join(scratch, "a.tamis");
  execFileSync("go", ["build", "-o", command, "./cmd/tamis"], { cwd: root });
  for (const n of [0, 1, 100, 30_000]) {
    const input = Array.from({ length: n }, (_, i) => `key ${i}\n`).join("");
    for (const family of ["standard", "blocked", "split", "cuckoo", "ribbon", "exact"]) {
      for (const fpr of [0.6, 0.1, 0.02, 0.0003]) {
        execFileSync(command, ["build", "--quiet", "--family", family, "--fpr", String(fpr), "-o", file], { input });
        const info = JSON.parse(execFileSync(command, ["info", "--json", file]));
        const known = facts(readFileSync(file));
        assert.equal(known.family, family);
        assert.equal(known.keys, info.keys);
        assert.equal(known.bytes, info.file_bytes);
        assert.ok(Math.abs(known.rate - info.expected_fpr) <= 1e-9 * info.expected_fpr, `${family}, ${n} keys at ${fpr}: ${known.rate}, in Go ${info.expected_fpr}`);
      }
    }
  }
});

test("bounds and walks", () => {
  assert.equal(leastBits(1 / 1024, 1000, 0), 10_000);
  assert.equal(leastBits(0.5, 10, 20), 30);
  assert.equal(leastBits(0, 0, 0), 0);
  assert.ok(Math.abs(walkRate(0.001, 3) - (1 - 0.999 ** 3)) < 1e-15);
});

test("the form of a list", () => {
  assert.equal(guessFormat("# a comment\n\n0.0.0.0 ads.example.com\n::1 localhost\n"), "hosts");
  assert.equal(guessFormat("! title\n||ads.example.com^\nexample.com##.ad\n"), "adblock");
  assert.equal(guessFormat("ads.example.com\r\n*.example.net\r\n203.0.113.7\r\n"), "domains");
  assert.equal(guessFormat("one two three\nhttps://example.com/\nno dots\n"), "plain");
});
