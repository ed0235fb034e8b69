// What the package does around its engines: hosts, errors, updates, memory.
import assert from "node:assert/strict";
import { createServer } from "node:http";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import * as suffixes from "../dist/suffixes.js";
import { bytes, engines, fixtures, names } from "./fixtures.mjs";

const [files] = fixtures();
const file = (name) => bytes(files.find(({ Name }) => Name === name).File);
const hosts = file("hosts");
const others = file("ribbon, 300 keys, rate 1e-06");

for (const { engine, Blocklist, TamisError } of engines) {
  const fails = (call, code, field = "") =>
    assert.rejects(async () => call(), (error) => {
      assert.ok(error instanceof TamisError && error instanceof Error, String(error));
      assert.equal(error.code, code, error.message);
      assert.equal(error.field, field);
      assert.match(error.message, /: \w/); // what is wrong, and what to do
      return true;
    });

  test(`${engine}: hosts with suffixes`, async () => {
    const list = await Blocklist.load(hosts, { suffixes });
    for (const host of ["evil.com", "a.evil.com", "x.y.evil.com.", "EVIL.com", "a.deep.ads.example.co.uk", "127.1", "0x7f000001", "[::1]", "::1", "bücher.de", "www.BÜCHER.de", "a.user.github.io", "github.io"]) {
      assert.equal(list.hasHost(host), true, host);
    }
    // com, co.uk and localhost are in the list, but no names that can be blocked.
    for (const host of ["com", "co.uk", "localhost", "good.com", "notevil.com", "evil.com.org", "ads.example.co.uk", "1.127.0.0", "other.github.io", ""]) {
      assert.equal(list.hasHost(host), false, host);
    }
    assert.equal(list.hasUrl("https://u:p@A.evil.com:8443/x?y#z"), true);
    assert.equal(list.hasUrl(new URL("https://good.com/evil.com")), false);
    assert.equal(list.hasUrl("about:blank"), false);
    // Longer than the room for keys.
    const long = "a".repeat(100_000) + ".evil.com";
    assert.equal(list.hasHost(long), true);
    assert.equal(list.hasHost("a".repeat(100_000) + ".good.com"), false);
  });

  test(`${engine}: hosts alone`, async () => {
    const list = await Blocklist.load(hosts);
    assert.equal(list.hasHost("evil.com"), true);
    assert.equal(list.hasHost("a.evil.com"), false);
    assert.equal(list.hasHost("com"), true);
  });

  test(`${engine}: keys`, async () => {
    const list = await Blocklist.load(others);
    const keys = names(0, 5000), want = keys.map((_, i) => +(i < 300));
    assert.deepEqual([...list.hasMany(keys)], want);
    assert.deepEqual([...list.hasMany(keys.map((key) => Buffer.from(key)))], want);
    assert.deepEqual([...list.hasMany([])], []);
    // Keys of all lengths, larger than the room between small ones.
    const odd = ["key-1", "é".repeat(200_000), "", "key-2", new Uint8Array(300_000), "\u{1f600}", "key-299", "nothing"];
    assert.deepEqual([...list.hasMany(odd)], [1, 0, 0, 1, 0, 0, 1, 0]);
    odd.forEach((key, i) => assert.equal(list.has(key), [0, 3, 6].includes(i)));
    await fails(() => list.has("key-1\ud800"), "key");
    await fails(() => list.has("\udc00".repeat(9)), "key");
    await fails(() => list.hasMany(["key-1", "a\ud800b"]), "key");
    for (const wrong of [undefined, null, 1, {}, ["key-1"], [1]]) {
      await fails(() => list.has(wrong), "key");
      await fails(() => list.hasMany([wrong]), "key");
    }
    assert.equal(list.has("key-1"), true);
  });

  test(`${engine}: errors`, async () => {
    const list = await Blocklist.load(hosts, { suffixes });
    for (const host of ["https://evil.com/", "evil.com/x", "a b", "evil.com:80", "\ud800.com", "1.2.3.4.5", undefined, null, 7, {}]) await fails(() => list.hasHost(host), "host");
    for (const url of ["evil.com", "", "http://", "https://a\ud800.com/", "http://a b/"]) await fails(() => list.hasUrl(url), "url");
    for (const source of [undefined, null, 7, {}, []]) await fails(() => Blocklist.load(source), "source");
    await fails(() => Blocklist.load(new Response("", { status: 404 })), "fetch");
    await fails(() => Blocklist.load("http://127.0.0.1:1/list.tamis"), "fetch");
    await fails(() => Blocklist.load(new Uint8Array(0)), "format", "length");
    await fails(() => Blocklist.load(hosts.subarray(0, hosts.length - 1)), "format", "payload length");
    const damaged = hosts.slice();
    damaged[damaged.length - 9] ^= 1;
    await fails(() => Blocklist.load(damaged), "checksum", "payload checksum");
  });

  test(`${engine}: sources`, async () => {
    const server = createServer((_, response) => response.end(hosts)).listen(0, "127.0.0.1");
    await new Promise((resolve) => server.once("listening", resolve));
    const url = `http://127.0.0.1:${server.address().port}/list.tamis`;
    const shared = new Uint8Array(new SharedArrayBuffer(hosts.length));
    shared.set(hosts);
    const inside = new Uint8Array(hosts.length + 10);
    inside.set(hosts, 5);
    try {
      for (const source of [url, new URL(url), fetch(url), await fetch(url), new Blob([hosts]), hosts, hosts.buffer, shared, shared.buffer, inside.subarray(5, 5 + hosts.length), new DataView(inside.buffer, 5, hosts.length)]) {
        const list = await Blocklist.load(source);
        assert.equal(list.hasHost("evil.com"), true);
        assert.equal(list.hasHost("good.com"), false);
      }
    } finally {
      server.close();
      server.closeAllConnections();
    }
    // The bytes are copied.
    const copy = hosts.slice();
    const list = await Blocklist.load(copy);
    copy.fill(0);
    assert.equal(list.hasHost("evil.com"), true);
  });

  test(`${engine}: updates`, async () => {
    const list = await Blocklist.load(hosts, { suffixes });
    const info = list.info;
    await fails(() => list.update(others.subarray(1)), "format", "magic");
    await fails(() => list.update(new Response("", { status: 500 })), "fetch");
    await fails(() => list.update(Promise.reject(new Error("gone")).catch(() => undefined)), "source");
    assert.equal(list.hasHost("a.evil.com"), true);
    assert.equal(list.info, info);
    await list.update(others);
    assert.equal(list.hasHost("a.evil.com"), false);
    assert.equal(list.has("key-299"), true);
    assert.deepEqual({ ...list.info, rate: 0 }, { family: "ribbon", keys: 300, rate: 0, bytes: others.length, seed: "fedcba9876543210" });
    assert.ok(list.info.rate > 0 && list.info.rate <= 1e-6);
    // The last that was called stays, though it ends first.
    let late;
    const first = list.update(new Promise((resolve) => (late = resolve)));
    await list.update(hosts);
    late(others);
    await first;
    assert.equal(list.hasHost("a.evil.com"), true);
    assert.equal(list.has("key-299"), false);
  });

  test(`${engine}: lists side by side`, async () => {
    const [a, b] = await Promise.all([Blocklist.load(hosts), Blocklist.load(others)]);
    for (let i = 0; i < 300; i++) {
      assert.equal(a.hasHost("evil.com"), true);
      assert.equal(b.has(`key-${i}`), true);
      assert.equal(a.has(`key-${i}`), false);
      assert.equal(b.has("evil.com"), false);
    }
  });
}

test("a given module", async () => {
  const core = await WebAssembly.compile(readFileSync(new URL("../dist/core.wasm", import.meta.url)));
  const list = await engines[2].Blocklist.load(hosts, { core });
  assert.equal(list.engine, "wasm-simd");
  assert.equal(list.hasHost("evil.com"), true);
});

test("WebAssembly that refuses to compile, or to run", async () => {
  const wasm = globalThis.WebAssembly;
  const refuse = () => Promise.reject(new wasm.CompileError("refused"));
  for (const [i, less] of [{ compile: refuse }, { instantiate: refuse }, { validate: undefined }].entries()) {
    globalThis.WebAssembly = { validate: wasm.validate, compile: wasm.compile, instantiate: wasm.instantiate, ...less };
    try {
      const { Blocklist } = await import(`../dist/index.js?refused${i}`);
      const list = await Blocklist.load(hosts, { suffixes });
      assert.equal(list.engine, "js");
      assert.equal(list.hasHost("a.evil.com"), true);
    } finally {
      globalThis.WebAssembly = wasm;
    }
  }
});
