// The three engines give the answers of the Go library, and its reasons.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { root } from "../tools/build.mjs";
import { engines, fixtures, inside, keys, under } from "./setup.mjs";

const read = fixtures();
const { hash64, plainCore } = await inside();
const input = new Uint8Array(readFileSync(join(root, "../../filters/testdata/xxh3-input.bin")));

test("the hash of the plain engine, by the vectors", () => {
  const rows = readFileSync(join(root, "../../filters/testdata/xxh3-64.csv"), "utf8").trim().split("\n").slice(1);
  assert.ok(rows.length > 1900);
  for (const row of rows) {
    const [length, seed, want] = row.split(",");
    assert.equal(hash64(input.subarray(0, length), parseInt(seed.slice(8), 16), parseInt(seed.slice(0, 8), 16)), want, row);
  }
});

for (const [engine, webAssembly] of Object.entries(engines)) {
  test(`${engine}: the hash of every length`, () =>
    under(webAssembly, async ({ Blocklist }) => {
      for (const { name, file } of read("hashes.json")) {
        const list = await Blocklist.load(file);
        assert.equal(list.engine, engine);
        assert.equal(list.info.seed, name);
        const all = Array.from({ length: input.length + 1 }, (_, n) => input.subarray(0, n));
        for (const key of all) assert.ok(list.has(key), `${key.length} bytes, seed ${name}`);
        assert.equal(list.hasMany(all).indexOf(0), -1);
        const others = all.slice(1).map((key) => key.with(key.length >> 1, key[key.length >> 1] ^ 1));
        assert.equal(list.hasMany(others).indexOf(1), -1);
      }
    }));

  test(`${engine}: the answers of Go`, () =>
    under(webAssembly, async ({ Blocklist }) => {
      for (const { name, file, hits } of read("files.json")) {
        const list = await Blocklist.load(file);
        const asked = keys(hits.length);
        assert.deepEqual([...list.hasMany(asked)], hits, name);
        for (let i = 0; i < hits.length; i += 7) assert.equal(list.has(asked[i]), hits[i] === 1, `${name}: ${asked[i]}`);
      }
    }));

  test(`${engine}: the reasons of Go`, () =>
    under(webAssembly, async ({ Blocklist, TamisError }) => {
      const fields = new Set();
      for (const { name, file, field, hits } of read("hostile.json")) {
        let found = "";
        try {
          const list = await Blocklist.load(file);
          assert.deepEqual([...list.hasMany(keys(hits.length))], hits, name);
        } catch (error) {
          if (!(error instanceof TamisError)) throw error;
          found = error.field;
          assert.equal(error.code, found.endsWith("checksum") ? "checksum" : "format");
        }
        assert.equal(found, field, name);
        fields.add(field);
      }
      assert.ok(fields.size > 22, [...fields].join());
    }));
}

test("the plain engine finds the suffixes that the core finds", async () => {
  const { instance } = await WebAssembly.instantiate(readFileSync(join(root, "dist/core.wasm")));
  const file = new Uint8Array(readFileSync(join(root, "../../filters/all/testdata/v1-blocked-100.tamis")));
  const cores = [plainCore(), instance.exports].map((core) => {
    const at = core.file(file.length);
    new Uint8Array(core.memory.buffer).set(file, at);
    assert.equal(core.open(file.length), 0);
    return core;
  });
  for (const host of ["key-1", "a.key-1", "a.b.key-1", ".key-1", "a..key-1", "key-1.a", "a.key-1.", "a.b.c", "..", "x", "key-1.key-2"]) {
    for (let registrable = 1; registrable <= host.length; registrable++) {
      const [plain, wasm] = cores.map((core) => {
        const at = core.keys(64);
        new Uint8Array(core.memory.buffer).set(Buffer.from(host), at);
        return core.hasHost(host.length, registrable);
      });
      assert.equal(plain, wasm, `${host}, ${registrable}`);
    }
  }
});
