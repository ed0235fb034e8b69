// Names in JavaScript are what they are in Go: the vectors, and random hosts by their digests.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { build } from "esbuild";
import * as tldts from "tldts";
import { rulesText } from "../tools/suffixes.mjs";

const { outputFiles } = await build({
  stdin: {
    contents: `export * from "./names.js"; export * from "./suffixes.js"`,
    resolveDir: new URL("../src", import.meta.url).pathname,
  },
  bundle: true,
  format: "esm",
  write: false,
});
const { canonicalHost, copyPlain, hostOfUrl, shortest } = await import("data:text/javascript;base64," + Buffer.from(outputFiles[0].contents).toString("base64"));

const read = (file) => readFileSync(new URL(file, import.meta.url), "utf8");
const vectors = JSON.parse(read("../../testdata/names.json"));
const canonical = (kind, input) => (kind === "url" ? hostOfUrl(input) : canonicalHost(input));

function walk(host) {
  const bytes = new TextEncoder().encode(host);
  const least = shortest(bytes, bytes.length);
  const names = [];
  for (let name = host; name.length >= least; name = name.slice(name.indexOf(".") + 1)) {
    names.push(name);
    if (!name.includes(".")) break;
  }
  return names;
}

test("the vectors", () => {
  assert.ok(vectors.length >= 300);
  for (const row of vectors) {
    const host = canonical(row.kind, row.input);
    assert.equal(host, row.refused ? "" : row.host, `${row.kind} ${JSON.stringify(row.input)}`);
    if (host === "") continue;
    const names = walk(host);
    assert.deepEqual(names, row.walk, host);
    if (row.registrable) assert.equal(names.at(-1), row.registrable);
    else assert.ok(names.length <= 1, host);
    assert.equal(canonicalHost(host), host);
  }
});

function same(want, ...forms) {
  for (const form of forms) assert.equal(canonicalHost(form), want, form);
}

test("case B5: dots", () => same("evil.com", ".evil.com", "evil.com.", "evil..com", "EVIL.com"));
test("case B6: IPv4 forms", () => same("127.0.0.1", "0x7f000001", "127.1", "2130706433"));
test("case B7: userinfo, port, escapes", () => assert.equal(hostOfUrl("http://u:p@EVIL.com:443/%2561"), "evil.com"));
test("case B8: punycode", () => same("xn--bcher-kva.de", "bücher.de", "xn--bcher-kva.de", "BÜCHER.DE"));

test("what has no well-formed text is refused", () => {
  same("", "\ud800.com", "a\udfff", "evil.\ud83d");
});

// The same numbers as in random_test.go of filters/names.
const random = JSON.parse(read("../../testdata/names-random.json"));

function* randomRows() {
  let state = random.seed;
  const below = (n) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * n);
  };
  for (let i = 0; i < random.rows; i++) {
    let input = "";
    for (let parts = 1 + below(5); parts > 0; parts--) {
      input += random.parts[below(random.parts.length)];
      if (below(3) === 0) input += ".";
    }
    let kind = "host";
    if (below(3) === 0) {
      kind = "url";
      input = random.before[below(random.before.length)] + input + random.after[below(random.after.length)];
    }
    yield [kind, input];
  }
}

test("random names, as in Go", () => {
  const digests = [];
  let digest = 0;
  let row = 0;
  for (const [kind, input] of randomRows()) {
    const host = canonical(kind, input);
    for (const c of new TextEncoder().encode((host === "" ? "" : [host, ...walk(host)].join(" ")) + "\n")) digest = Math.imul(digest ^ c, 16777619) >>> 0;
    if (++row % random.every === 0) {
      digests.push(digest);
      digest = 0;
    }
  }
  assert.deepEqual(digests, random.digests);
});

test("what looks canonical is", () => {
  const bytes = new Uint8Array(4096);
  let plain = 0;
  const check = (name) => {
    if (!copyPlain(name, bytes)) return;
    plain++;
    assert.equal(new URL(`http://${name}/`).hostname, name);
    assert.equal(Buffer.from(bytes.subarray(0, name.length)).toString(), name);
  };
  for (const [, input] of randomRows()) {
    const host = canonicalHost(input);
    check(input);
    check(host);
    // One byte changed.
    for (let i = 0; i < host.length; i += 3) check(host.slice(0, i) + String.fromCharCode((host.charCodeAt(i) * 37 + i) & 127) + host.slice(i + 1));
  }
  for (const row of vectors) check(row.input);
  assert.ok(plain > 1000, `${plain}`);
  assert.equal(copyPlain("evil.com", new Uint8Array(7)), false);
  assert.equal(copyPlain("evil.com", new Uint8Array(8)), true);
  assert.equal(canonicalHost("a".repeat(1000) + ".com"), "a".repeat(1000) + ".com");
});

// tldts takes the parent of a wildcard for a suffix; the list's algorithm does not. Nothing
// below it is treated otherwise.
test("registrable domains are those of tldts", () => {
  const options = { allowPrivateDomains: true, extractHostname: false, validateHostname: false, detectIp: false };
  let names = 0;
  for (const above of rules()) {
    for (const name of [`x.${above}`, `y.x.${above}`, `z.y.x.${above}`]) {
      const domain = tldts.getDomain(name, options);
      if (domain === null) continue; // a wildcard's: one label more
      names++;
      assert.equal(walk(name).at(-1), domain, name);
    }
  }
  assert.ok(names > 20_000);
});

/** The names that rules are for, without * and !. */
function* rules() {
  for (const [, text] of read("../src/rules.ts").matchAll(/^  "(.*)";$/gm)) {
    const below = [""];
    for (const [token, label, open] of text.matchAll(/([a-z0-9-]+)([([]?)|\)/g)) {
      if (token === ")") {
        below.pop();
        continue;
      }
      const name = label + below.at(-1);
      yield name;
      if (open) below.push("." + name);
    }
  }
}

test("the rules are those of tldts", async () => {
  assert.equal(read("../src/rules.ts"), await rulesText());
});
