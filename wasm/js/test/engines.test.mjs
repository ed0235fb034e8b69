// Every engine gives the answers, and the reasons, of the Go library.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { build } from "esbuild";
import { bytes, engines, fixtures, golden, input, names } from "./fixtures.mjs";

const [files, hashes, hostile] = fixtures();

for (const { engine, Blocklist, TamisError } of engines) {
  test(`${engine}: answers`, async () => {
    for (const { Name, File, Hits } of files) {
      const want = bytes(Hits), keys = names(0, want.length);
      const list = await Blocklist.load(bytes(File));
      assert.deepEqual(list.hasMany(keys), want, Name);
      for (let i = 0; i < keys.length; i += 7) {
        assert.equal(list.has(keys[i]), want[i] === 1, `${Name}, ${keys[i]}`);
        assert.equal(list.hasHost(keys[i]), want[i] === 1, `${Name}, host ${keys[i]}`);
      }
    }
  });

  test(`${engine}: hashes of every length`, async () => {
    assert.equal(input.length, 4096);
    for (const { Name, File } of hashes) {
      const list = await Blocklist.load(bytes(File));
      assert.equal(list.info.seed, Name);
      const keys = Array.from({ length: input.length + 1 }, (_, n) => input.subarray(0, n));
      keys.forEach((key, n) => assert.ok(list.has(key), `seed ${Name}, length ${n}`));
      assert.ok(list.hasMany(keys).every(Boolean));
      // It holds nothing else.
      assert.ok(!keys.some((_, n) => list.has(input.subarray(1, n + 2 > 4096 ? 4090 : n + 2))));
    }
  });

  test(`${engine}: hostile files`, async () => {
    let refused = 0;
    for (const { Name, File, Field, Hits } of hostile) {
      if (Field === undefined) {
        const want = bytes(Hits), list = await Blocklist.load(bytes(File));
        assert.deepEqual(list.hasMany(names(0, want.length)), want, Name);
        continue;
      }
      refused++;
      await assert.rejects(Blocklist.load(bytes(File)), (error) => error instanceof TamisError && error.field === Field && error.code === (Field.endsWith("sum") ? "checksum" : "format"), `${Name}: ${Field}`);
    }
    assert.ok(refused > 1000, `${refused}`);
  });

  // The keys are those of the tests of filters/all and filters/exact.
  test(`${engine}: golden files`, async () => {
    for (const [folder, name, keys] of [
      ...["blocked", "cuckoo", "ribbon", "split", "standard", "exact"].map((family) => ["all", `v1-${family}-100`, 100]),
      ["all", "v1-ribbon-3000", 3000],
    ]) {
      const list = await Blocklist.load(golden(folder, name));
      assert.equal(list.info.keys, keys, name);
      assert.equal(list.info.bytes, golden(folder, name).length);
      assert.equal(list.info.family, name.split("-")[1]);
    }
  });
}

// The engine in plain JavaScript hashes as the reference library does.
test("js: hashes of the reference library", async () => {
  const { outputFiles } = await build({
    stdin: { contents: `export * from "./memory.js"; export * from "./xxh3.js"`, resolveDir: new URL("../src/plain", import.meta.url).pathname },
    bundle: true,
    format: "esm",
    write: false,
  });
  const { hash, makeMemory } = await import("data:text/javascript;base64," + Buffer.from(outputFiles[0].contents).toString("base64"));
  const memory = makeMemory(input.length), at = memory.byteLength - input.length;
  new Uint8Array(memory.buffer).set(input, at);
  const hex = (word) => (word >>> 0).toString(16).padStart(8, "0");
  const rows = readFileSync(new URL("../../../filters/testdata/xxh3-64.csv", import.meta.url), "utf8").split("\n").filter((row) => /^\d/.test(row));
  for (const row of rows) {
    const [length, seed, want] = row.split(",");
    hash(at, +length, parseInt(seed.slice(8), 16), parseInt(seed.slice(0, 8), 16));
    assert.equal(hex(memory.getUint32(580, true)) + hex(memory.getUint32(576, true)), want, row);
  }
  assert.ok(rows.length > 1900);
});
