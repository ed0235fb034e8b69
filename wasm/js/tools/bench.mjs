// Prints what a check takes in this Node, in ns, median and least of rounds that take turns:
// the engines, and filters of other packages, all with the same names. It takes the Go command.
//
//	node tools/bench.mjs [names]
import { execFileSync } from "node:child_process";
import { createRequire } from "node:module";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { engines, folder, freshPackage, under } from "../test/setup.mjs";
import * as suffixes from "../dist/suffixes.js";
import { root } from "./build.mjs";

const n = Number(process.argv[2] ?? 1_000_000), rounds = 15, perRound = 100_000;
const require = createRequire(import.meta.url);

let state = 1;
function random(below) {
  state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
  return Math.floor((state / 2 ** 32) * below);
}

/** A host of 27 bytes. */
function name() {
  let label = "";
  for (let i = 0; i < 19; i++) label += "abcdefghijklmnopqrstuvwxyz"[random(26)];
  return `www.${label}.com`;
}

/** Strings as a parser makes them: the concatenated are slower to read. */
const flat = (names) => JSON.parse(JSON.stringify(names));
const members = flat(Array.from({ length: n }, name)), strangers = flat(Array.from({ length: n }, name));
const dir = folder();
writeFileSync(join(dir, "names"), members.join("\n") + "\n");
const files = new Map();
for (const [family, fpr] of [["ribbon", 1 / 256], ["ribbon", 0.001], ["blocked", 0.001], ["standard", 0.01]]) {
  const out = join(dir, "list.tamis");
  execFileSync("go", ["run", "./cmd/tamis", "build", "--family", family, "--fpr", String(fpr), "-o", out, join(dir, "names")], { cwd: join(root, "../.."), stdio: "ignore" });
  files.set(`${family} at ${fpr}`, new Uint8Array(readFileSync(out)));
}

/** What is measured: a label, how many names a call checks, and the call for names from one on. */
const rows = [];
const keep = { hits: 0 };
function each(label, has, divisor = 1) {
  rows.push({ label, count: perRound / divisor, run: (names, from) => {
    let hits = 0;
    for (let i = from; i < from + perRound / divisor; i++) hits += +has(names[i]);
    keep.hits += hits;
  } });
}

for (const [engine, webAssembly] of Object.entries(engines)) {
  for (const [label, file] of files) {
    await under(webAssembly, async ({ Blocklist }) => {
      const list = await Blocklist.load(file), walking = await Blocklist.load(file, { suffixes });
      if (list.hasMany(members).includes(0)) throw new Error("a member is denied");
      each(`${engine}, ${label}: hasHost`, (name) => list.hasHost(name));
      each(`${engine}, ${label}: hasHost, with suffixes`, (name) => walking.hasHost(name));
      rows.push({ label: `${engine}, ${label}: hasMany`, count: perRound, run: (names, from) => {
        keep.hits += list.hasMany(names.slice(from, from + perRound))[0];
      } });
    });
  }
}
const { BloomFilter } = require("bloomfilter");
const bloomfilter = BloomFilter.withTargetError(n, 0.01);
for (const name of members) bloomfilter.add(name);
each("bloomfilter at 0.01", (name) => bloomfilter.test(name));
const { BloomFilter: Slow } = require("bloom-filters");
const bloomFilters = Slow.create(10_000, 0.01); // it takes minutes to fill with more
for (const name of members.slice(0, 10_000)) bloomFilters.add(name);
each("bloom-filters at 0.01, 10,000 names", (name) => bloomFilters.has(name), 50);

for (let round = 0; round < rounds; round++) {
  for (const row of rows) {
    for (const names of [members, strangers]) {
      const from = random(n - perRound + 1), start = performance.now();
      row.run(names, from);
      (names === members ? (row.members ??= []) : (row.strangers ??= [])).push(((performance.now() - start) * 1e6) / row.count);
    }
  }
}
const firsts = [];
for (let round = 0; round < rounds; round++) {
  const { Blocklist } = await freshPackage(), start = performance.now();
  const list = await Blocklist.load(files.get("ribbon at 0.001"));
  keep.hits += +list.hasHost(members[0]);
  firsts.push(performance.now() - start);
}
firsts.sort((a, b) => a - b);
const show = (times) => {
  times.sort((a, b) => a - b);
  return `${times[times.length >> 1].toFixed(0).padStart(7)} (${times[0].toFixed(0)})`.padEnd(16);
};
console.log(`from ${files.get("ribbon at 0.001").length} bytes at hand to the first answer: ${firsts[rounds >> 1].toFixed(1)} ms (${firsts[0].toFixed(1)})`);
console.log(`${n} names, node ${process.version}: ns, median (least)\n${"".padEnd(58)}  listed         not listed`);
for (const row of rows) console.log(row.label.padEnd(58), show(row.members), show(row.strangers));
