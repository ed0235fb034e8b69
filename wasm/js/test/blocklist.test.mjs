// Blocklist, as built, on each engine.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import * as suffixes from "../dist/suffixes.js";
import { fixtures, freshPackage, under } from "./setup.mjs";

const files = fixtures()("files.json");
const named = (name) => files.find((f) => f.name.startsWith(name)).file;
const small = named("ribbon, 300 keys"), large = named("exact, 900 excluded");
const real = globalThis.WebAssembly;
const refusing = { ...real, validate: () => true, compile: () => Promise.reject(new real.CompileError("refused by policy")) };
const { Blocklist } = await freshPackage();

const code = (code) => (err) => err.name === "TamisError" && err.code === code && err.message.includes(":");

for (const [engine, name, web] of [["js", "refused", refusing], ["wasm-simd", "as it is", real]]) {
  test(`WebAssembly ${name}: keys, hosts, URLs`, () => under(web, async ({ Blocklist }) => {
    const list = await Blocklist.load(small);
    assert.equal(list.engine, engine);
    assert.equal(list.info.family, "ribbon");
    assert.equal(list.info.keys, 300);
    assert.equal(list.info.bytes, small.length);
    assert.equal(list.info.seed, "fedcba9876543210");
    for (let i = 0; i < 300; i++) assert.ok(list.has(`key-${i}`) && list.has(new TextEncoder().encode(`key-${i}`)));
    const keys = Array.from({ length: 5000 }, (_, i) => (i % 2 ? `key-${i}` : new TextEncoder().encode(`key-${i}`)));
    assert.deepEqual([...list.hasMany(keys)], keys.map((key) => +list.has(key)));
    assert.deepEqual([...list.hasMany([])], []);
    assert.equal(list.hasMany(["x".repeat(1 << 20), "key-1"])[1], 1);
    assert.ok(list.hasHost("KEY-7.") && list.hasHost("key-7") && !list.hasHost(""));
    assert.ok(list.hasUrl("https://user:pw@KEY-7:8443/a?b#c") && !list.hasUrl("about:blank"));
    for (const bad of ["\ud800", "key-1\udc00", "\udc00\ud800"]) {
      assert.throws(() => list.has(bad), code("key"));
      assert.throws(() => list.hasMany(["key-1", bad]), code("key"));
    }
    assert.throws(() => list.has(7), code("key"));
    assert.equal(list.has("\u{1f512}".repeat(1000)), list.has(new TextEncoder().encode("\u{1f512}".repeat(1000))));
    assert.throws(() => list.hasUrl("key-7"), code("url"));
    assert.throws(() => list.hasHost("https://key-7/"), code("host"));
  }));

  test(`WebAssembly ${name}: updates`, () => under(web, async ({ Blocklist }) => {
    const list = await Blocklist.load(small);
    await list.update(large);
    assert.equal(list.info.family, "exact");
    assert.ok(list.has("key-2999") && !list.has("key-3000") && !list.has("key-3899"));
    const damaged = small.slice();
    damaged[100] ^= 1;
    await assert.rejects(list.update(damaged), (err) => code("checksum")(err) && err.field === "payload checksum");
    await assert.rejects(list.update(small.subarray(0, 63)), code("format"));
    await assert.rejects(list.update(undefined));
    assert.ok(list.has("key-2999") && !list.has("key-3000"), "the old list is lost");
    await Promise.all([list.update(small), list.update(large), list.update(new Promise((done) => setTimeout(done, 20, small)))]);
    assert.equal(list.info.family, "ribbon");
    await assert.rejects(Blocklist.load(new Uint8Array(0)), code("format"));
  }));
}

test("sources", async () => {
  await assert.rejects(Blocklist.load(new Response("no", { status: 404 })), code("fetch"));
  const buffer = small.buffer.slice(small.byteOffset, small.byteOffset + small.length);
  const shifted = new Uint8Array(small.length + 3);
  shifted.set(small, 3);
  for (const source of [small, buffer, new DataView(buffer), shifted.subarray(3), new Blob([small]), new Response(small, { headers: { "content-type": "text/html" } }), "data:application/octet-stream;base64," + Buffer.from(small).toString("base64")]) {
    assert.ok((await Blocklist.load(source)).has("key-1"));
  }
});

test("the walk to the registrable domain", async () => {
  const sealed = await Blocklist.load(small, { suffixes });
  assert.ok(!sealed.hasHost("key-1"), "a name of one label is asked for");
  assert.ok(!sealed.hasHost("a.key-1"), "the suffix is asked for");
});

test("golden files", async () => {
  for (const [file, keys] of [["all/testdata/v1-standard-100", 100], ["all/testdata/v1-blocked-101", 101], ["all/testdata/v1-split-100", 100], ["all/testdata/v1-cuckoo-103", 103], ["all/testdata/v1-ribbon-3000", 3000], ["exact/testdata/v1-exact-large", 3000]]) {
    const list = await Blocklist.load(readFileSync(new URL(`../../../filters/${file}.tamis`, import.meta.url)));
    for (let i = 0; i < keys; i++) assert.ok(list.has(`key-${i}`), `${file}: key-${i}`);
  }
});
