// Measures what the gate costs, and writes measured.json and the table of the README.
//
//	node tools/measure.mjs          in Chromium, with a server on this machine
//	node tools/measure.mjs -check   fails unless the README's table is what measured.json gives
import { readFileSync, statSync, writeFileSync } from "node:fs";
import { cpus } from "node:os";
import { join } from "node:path";

const root = join(import.meta.dirname, ".."), raw = join(root, "measured.json"), readme = join(root, "README.md");
const begin = "<!-- measured -->\n", end = "<!-- end -->";

function table({ browser, cpu, visits, rows, list }) {
  const ms = (n) => `${n.toFixed(0)}`;
  const lines = rows.map(({ what, samples }) => {
    const sorted = samples.toSorted((a, b) => a - b);
    return `| ${what} | ${ms(sorted[sorted.length >> 1])} | ${ms(sorted[0])} | ${ms(sorted.at(-1))} |`;
  });
  return `| until the page is there, ms | median | least | most |\n|---|---|---|---|\n${lines.join("\n")}\n\n${visits} visits of each kind in ${browser}, headless, on ${cpu}, to a server on the same machine; a list of ${list.entries} entries and ${list.bytes.toLocaleString("en")} bytes.\n`;
}

function place(text, table) {
  const from = text.indexOf(begin) + begin.length;
  return text.slice(0, from) + table + text.slice(text.indexOf(end));
}

if (process.argv[2] !== "-check") {
  const { listed, Session } = await import("../test/browser.mjs");
  const visits = 20;
  const rows = [];
  const session = await Session.start("chromium");
  const browser = await session.browser.version();
  const timed = async (url) => {
    const start = performance.now();
    const led = await session.go(url);
    return [performance.now() - start, led];
  };
  const measure = async (what, url, wanted, before = () => {}) => {
    const samples = [];
    for (let i = 0; i < visits; i++) {
      await before();
      const [ms, led] = await timed(url(i));
      if ((led === "blocked") !== wanted) throw new Error(`${url(i)} led to ${led}`);
      samples.push(ms);
    }
    rows.push({ what, samples });
  };
  await session.go("http://warm.example/");
  await measure("first visit to a host, through the gate", (i) => `http://first${i}.example/`, false);
  await measure("the same, the worker stopped before", (i) => `http://stopped${i}.example/`, false, () => session.stop());
  await measure("later visit to it", (i) => `http://first${i}.example/later`, false);
  await measure("blocked page", (i) => `http://${listed(visits)[i]}/`, true);
  const text = await session.popup();
  const list = { entries: /Entries ([\d,]+)/.exec(text)[1], bytes: statSync(join(root, "dist/chromium/list.tamis")).size };
  await session.page("popup", (page) => page.evaluate(async () => {
    const gate = await chrome.declarativeNetRequest.getDynamicRules();
    await chrome.declarativeNetRequest.updateDynamicRules({ removeRuleIds: gate.map(({ id }) => id) });
  }));
  await measure("first visit to a host, without the gate", (i) => `http://without${i}.example/`, false);
  await session.close();
  writeFileSync(raw, JSON.stringify({ browser, cpu: cpus()[0].model, visits, list, rows }, null, 1) + "\n");
  writeFileSync(readme, place(readFileSync(readme, "utf8"), table(JSON.parse(readFileSync(raw, "utf8")))));
} else {
  const text = readFileSync(readme, "utf8");
  if (place(text, table(JSON.parse(readFileSync(raw, "utf8")))) !== text) {
    console.error("the README's table is not what measured.json gives: run node tools/measure.mjs");
    process.exit(1);
  }
}
