// What the package promises, under each engine.
import assert from "node:assert/strict";
import { createServer } from "node:http";
import { test } from "node:test";
import * as suffixes from "../dist/suffixes.js";
import { engines, failing, fixtures, golden, inside, keys, refused, under } from "./setup.mjs";

const [{ file }] = fixtures()("hosts.json");
const { hash64 } = await inside();
const small = golden("v1-ribbon-100.tamis");

/** Serves bytes by path, until the work is done. */
async function serving(answers, work) {
  const server = createServer((request, response) => {
    const answer = answers[request.url];
    if (!answer) response.writeHead(404).end();
    else response.writeHead(200, { "content-type": answer.type }).end(answer.body);
  });
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  try {
    return await work(`http://127.0.0.1:${server.address().port}`);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

/** A file with bytes changed and the checksums that belong to it. */
function sealed(original, change) {
  const bytes = original.slice();
  change(bytes);
  for (const [at, part] of [[48, bytes.subarray(64)], [56, bytes.subarray(0, 56)]]) {
    bytes.set(Buffer.from(hash64(part, 0, 0), "hex").reverse(), at);
  }
  return bytes;
}

for (const [engine, webAssembly] of Object.entries({ ...engines, "js by policy, case B1": refused, "js after a failure": failing })) {
  const promise = (name, work) => test(`${engine}: ${name}`, () => under(webAssembly, work));
  const refuses = (code, message) => (error) => error.name === "TamisError" && error instanceof Error && error.code === code && message.test(error.message);

  promise("says which engine it is, and what the file says", async ({ Blocklist }) => {
    const list = await Blocklist.load(small);
    assert.equal(list.engine, engine.split(" ")[0]);
    assert.deepEqual(list.info, { family: "ribbon", keys: 100, rate: 1 / 256, bytes: small.length, seed: "0000000000000005" });
    const about = async (name) => (await Blocklist.load(golden(name))).info;
    assert.equal((await about("v1-ribbon-0.tamis")).rate, 0);
    assert.ok(Math.abs((await about("v1-exact-100.tamis")).rate - 0.01) < 1e-3);
    const info = await about("v1-cuckoo-100.tamis");
    assert.deepEqual([info.family, info.rate, info.seed], ["cuckoo", undefined, "0000000000000004"]);
  });

  promise("loads bytes of every kind, and copies them", async ({ Blocklist }) => {
    const within = new Uint8Array(small.length + 20);
    within.set(small, 7);
    const shared = new Uint8Array(new SharedArrayBuffer(small.length));
    shared.set(small);
    const buffer = small.slice().buffer;
    const sources = [buffer, within.subarray(7, 7 + small.length), new DataView(within.buffer, 7, small.length), Buffer.from(small), shared, shared.buffer];
    sources.push(new Blob([small]), new Response(small), Promise.resolve(small), new Response(small, { headers: { "content-type": "text/html" } }));
    for (const source of sources) {
      const list = await Blocklist.load(source);
      new Uint8Array(buffer).fill(0);
      assert.equal(list.hasMany(keys(100)).indexOf(0), -1);
      new Uint8Array(buffer).set(small);
    }
  });

  promise("case B2: fetches, whatever the type", ({ Blocklist }) =>
    serving({ "/list": { body: small, type: "application/octet-stream" }, "/odd": { body: small, type: "text/plain" }, "/page": { body: "<!doctype html>".padEnd(99), type: "application/wasm" } }, async (origin) => {
      for (const source of [`${origin}/list`, new URL(`${origin}/odd`), fetch(`${origin}/odd`)]) {
        assert.ok((await Blocklist.load(source)).has("key-1"));
      }
      await assert.rejects(Blocklist.load(`${origin}/none`), refuses("fetch", /none \(404\): try again/));
      await assert.rejects(Blocklist.load(fetch(`${origin}/none`)), refuses("fetch", /none \(404\)/));
      await assert.rejects(Blocklist.load(`${origin}/page`), refuses("format", /magic/));
      await assert.rejects(Blocklist.load("http://127.0.0.1:1/"), refuses("fetch", /give its bytes/));
      await assert.rejects(Blocklist.load("no address"), refuses("fetch", /no address/));
    }));

  promise("refuses what is no source", async ({ Blocklist }) => {
    for (const source of [undefined, null, 5, {}, [1, 2], () => 0]) await assert.rejects(Blocklist.load(source), refuses("source", /give a URL/));
    for (const source of [new Uint8Array(0), new ArrayBuffer(63)]) await assert.rejects(Blocklist.load(source), (error) => error.code === "format" && error.field === "length");
  });

  promise("case B3: compiles in the background alone, and fetches nothing", async ({ Blocklist }) => {
    const { fetch } = globalThis;
    globalThis.fetch = () => assert.fail("a request");
    try {
      // What under puts in the place of WebAssembly.js has no constructors; the real one gets them taken away.
      const { Module, Instance } = WebAssembly ?? {};
      if (WebAssembly) WebAssembly.Module = WebAssembly.Instance = undefined;
      assert.ok((await Blocklist.load(small)).has("key-1"));
      if (WebAssembly) Object.assign(WebAssembly, { Module, Instance });
    } finally {
      globalThis.fetch = fetch;
    }
  });

  promise("case B4: takes the geometry from the file, not from keys and rate", async ({ Blocklist }) => {
    for (const name of ["v1-standard-100.tamis", "v1-blocked-101.tamis", "v1-split-100.tamis"]) {
      const asked = keys(5000), before = (await Blocklist.load(golden(name))).hasMany(asked);
      const other = sealed(golden(name), (bytes) => bytes.set([1, 0, 0, 0, 1], 24)); // the capacity
      const list = await Blocklist.load(other);
      assert.deepEqual(list.hasMany(asked), before);
      assert.ok(before.subarray(0, 100).every(Boolean) && before.includes(0));
    }
  });

  promise("case N12: a string is its UTF-8, one by one and among many", async ({ Blocklist }) => {
    const list = await Blocklist.load(file);
    const held = ["", "evil.com", "bücher", "日本語", "a\u{1f600}b", "\ufffd", "long ".repeat(40_000), "com"];
    for (const key of held) {
      assert.ok(list.has(key) && list.has(Buffer.from(key)), key.slice(0, 9));
      for (const other of [key + "x", "x" + key, key + "é"]) assert.ok(!list.has(other) && !list.has(Buffer.from(other)));
    }
    for (const count of [0, 1, 1023, 1024, 1025, 3000]) {
      const plain = Array.from({ length: count }, (_, i) => (i % 3 ? `key-${i}` : "evil.com"));
      const mixed = Array.from({ length: count }, (_, i) => (i % 3 ? (i % 2 ? Buffer.from(`é-${i}`) : `é-${i}`) : i % 2 ? held[i % 8] : Buffer.from(held[i % 8])));
      const want = Uint8Array.from({ length: count }, (_, i) => +!(i % 3));
      assert.deepEqual(list.hasMany(plain), want);
      assert.deepEqual(list.hasMany(mixed), want);
    }
    // As many characters as there is room for bytes, but not as many bytes.
    assert.deepEqual([...(await Blocklist.load(file)).hasMany(["é" + "a".repeat(2 ** 16 - 4 - 1)])], [1]);
    const long = Array.from({ length: 2000 }, (_, i) => "x".repeat(i));
    assert.deepEqual([...list.hasMany(long)].indexOf(1), 0);
    assert.equal(list.hasMany(long.map((key, i) => (i % 2 ? key : held[6]))).indexOf(0), 1);
  });

  promise("a key that has no UTF-8 is refused, not replaced", async ({ Blocklist }) => {
    const list = await Blocklist.load(file);
    assert.ok(list.has("\ufffd"), "what an encoder puts in its place is in the list");
    for (const key of ["\ud800", "\udc00", "a\ud800b", "\udc00\ud800", "é\ud83d", "a".repeat(99_999) + "\ud83d"]) {
      assert.throws(() => list.has(key), refuses("key", /surrogate/));
      assert.throws(() => list.hasMany(["evil.com", key]), refuses("key", /surrogate/));
    }
    for (const key of [undefined, null, 5, {}, [1], 5n, new ArrayBuffer(2)]) {
      assert.throws(() => list.has(key), refuses("key", /string or a Uint8Array/));
      assert.throws(() => list.hasMany([key]), refuses("key", /string or a Uint8Array/));
    }
    assert.ok(list.has("evil.com"));
  });

  promise("hosts and URLs, alone", async ({ Blocklist }) => {
    const list = await Blocklist.load(file);
    for (const host of ["evil.com", "EVIL.com", "evil.com.", ".evil..com", "0x7f.1", "2130706433", "::1", "[::1]", "bücher.de", "com", "github.io"]) assert.ok(list.hasHost(host), host);
    for (const host of ["", "a.evil.com", "good.com", "evil.com.good.com", "below.org", "127.0.0.2"]) assert.ok(!list.hasHost(host), host);
    for (const url of ["http://u:p@EVIL.com:443/%2561", new URL("https://evil.com./x"), "https://bücher.de", "ftp://127.1/", "git://EVIL.com/"]) assert.ok(list.hasUrl(url), String(url));
    for (const url of ["https://a.evil.com/", "about:blank", "data:,evil.com", "file:///evil.com", "https://good.com/?evil.com\ud800"]) assert.ok(!list.hasUrl(url), url);
    for (const host of ["http://evil.com", "evil.com/x", "a b", "\ud800", "...", "evil.com:80", "é\ud800.com", undefined, null, 5, {}]) assert.throws(() => list.hasHost(host), refuses("host", /hasUrl/), String(host));
    for (const url of ["evil.com", "", "//evil.com", "http://"]) assert.throws(() => list.hasUrl(url), refuses("url", /hasHost/), url);
    const long = `${"a.".repeat(50_000)}evil.com`;
    assert.ok(!list.hasHost(long) && list.hasHost("evil.com"));
  });

  promise("parents, with suffixes", async ({ Blocklist }) => {
    const list = await Blocklist.load(file, { suffixes });
    for (const host of ["evil.com", "a.evil.com", "A.b.Evil.com.", "x.evil.co.uk", "deep.below.org", "a.deep.below.org", "127.1", "[::1]", "www.bücher.de", "github.io", `${"a.".repeat(50_000)}evil.com`]) assert.ok(list.hasHost(host), host.slice(-30));
    for (const host of ["com", "co.uk", "good.com", "good.co.uk", "below.org", "notevil.com", "evil.com.org", "me.github.io", "1.127.0.0.1.com"]) assert.ok(!list.hasHost(host), host);
    assert.ok(list.hasUrl("https://a.b.evil.com:8080/") && !list.hasUrl("https://com/"));
  });

  promise("update", async ({ Blocklist }) => {
    const list = await Blocklist.load(file), other = small, broken = other.slice();
    broken[broken.length - 1] ^= 1;
    const old = () => list.has("evil.com") && !list.has("key-1") && list.info.bytes === file.length;
    await assert.rejects(list.update(broken), refuses("checksum", /payload checksum.*fetch it again/));
    await assert.rejects(list.update("http://127.0.0.1:1/"), refuses("fetch", /./));
    await assert.rejects(list.update(Promise.reject(new Error("mine"))), /mine/);
    assert.ok(old());
    const update = list.update(other);
    assert.ok(old());
    await update;
    assert.ok(list.has("key-1") && !list.has("evil.com") && list.info.bytes === other.length);
    assert.equal(list.hasMany(keys(100)).indexOf(0), -1);

    // The one that was called last stays, whichever ends last.
    let late;
    const first = list.update(new Promise((done) => (late = done)));
    await list.update(file);
    late(other);
    await first;
    assert.ok(old());
    // Unless it fails.
    const good = list.update(other);
    await assert.rejects(list.update(broken), refuses("checksum", /./));
    await good;
    assert.ok(list.has("key-1"));
  });

  promise("lists do not disturb each other", async ({ Blocklist }) => {
    const [one, two] = await Promise.all([Blocklist.load(file), Blocklist.load(small)]);
    for (let i = 0; i < 100; i++) {
      assert.ok(one.has("evil.com") && !two.has("evil.com") && two.has(`key-${i}`) && !one.has(`key-${i}`));
      if (i === 50) assert.ok(one.has("long ".repeat(40_000)));
    }
  });
}

test("a module of one's own", () =>
  under(WebAssembly, async ({ Blocklist }) => {
    const { readFile } = await import("node:fs/promises");
    const core = await WebAssembly.compile(await readFile(new URL("../dist/core.wasm", import.meta.url)));
    const list = await Blocklist.load(small, { core });
    assert.ok(list.engine === "wasm-simd" && list.has("key-1"));
  }));
