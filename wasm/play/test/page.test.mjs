// The page in a browser, against the command.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { launch, root, scratch, write } from "./browser.mjs";

const families = ["standard", "blocked", "split", "cuckoo", "ribbon", "exact"];
const command = join(scratch, "tamis");
let site;

before(async () => {
  execFileSync("go", ["build", "-o", command, "./cmd/tamis"], { cwd: root });
  site = await launch();
});
after(() => site.close());

/** What the command writes. */
function build(list, ...flags) {
  const path = join(scratch, "by-command.tamis");
  execFileSync(command, ["build", "--quiet", ...flags, "-o", path, list]);
  return readFileSync(path);
}

function testdata(name) {
  return gunzipSync(readFileSync(join(root, "cmd/tamis/testdata", name))).toString();
}

const blocklist = testdata("stevenblack.domains.txt.gz");
const popular = testdata("opendns-top-10k.txt.gz");
const listed = new Set(blocklist.split("\n").filter((line) => line !== "" && !line.startsWith("#")));
const both = popular.split("\n").filter((name) => listed.has(name));

test("the builder is loaded for a build and not before", async () => {
  site.server.asked.length = 0;
  const play = await site.open();
  await play.page.click("#example");
  await play.page.waitForSelector("#build:not([hidden])");
  const files = ["/", "/page.css", "/page.js"];
  assert.deepEqual([...site.server.asked].sort(), files);
  await play.build();
  assert.deepEqual([...site.server.asked].sort(), [...files.slice(0, 1), "/builder.wasm.gz", ...files.slice(1), "/worker.js"]);
  assert.equal(await play.text("#checked"), "Built and checked. All 12 names on the list are held.");
  await play.family("cuckoo");
  await play.build();
  assert.equal(site.server.asked.length, 5, "loaded once");
  assert.deepEqual(play.errors, []);
  await play.page.close();
});

test("every family comes out as the command writes it", async () => {
  const list = write("keys.txt", Array.from({ length: 5000 }, (_, i) => `key ${i}\r\n`).join("") + "\n\nlast");
  const play = await site.open();
  await play.list(list);
  await play.page.select("#format", "plain");
  for (const family of families) {
    for (const n of [50, 1234]) {
      await play.family(family);
      await play.oneIn(n);
      await play.build();
      assert.deepEqual(await play.download(), build(list, "--family", family, "--fpr", String(1 / n)), `${family}, 1 in ${n}`);
      assert.match(await play.text("#checked"), /All 5,001 names on the list are held/);
    }
  }
  assert.deepEqual(play.errors, []);
  await play.page.close();
});

test("a blocklist as ribbon, and as exact without the popular names", async () => {
  const list = write("blocklist.txt", blocklist), pass = write("popular.txt", popular);
  const play = await site.open();
  await play.drop("#drop", list);
  await play.page.waitForSelector("#build:not([hidden])");
  assert.equal(await play.page.$eval("#format", (select) => select.value), "domains");
  await play.build();
  assert.match(await play.text("#checked"), /All 140,626 names on the list are held/);
  assert.deepEqual(await play.download(), build(list, "--fpr", "0.001", "--input", "domains"));
  await play.shot("built-1200-light");

  await play.family("exact");
  await play.drop("#exclude-drop", pass);
  await play.page.waitForFunction(() => document.querySelector("#exclude-name").textContent.startsWith("popular.txt"));
  await play.build();
  assert.match(await play.text("#build-error"), new RegExp(`^${both.length} names are on both lists, as `));
  await play.build("#drop-overlap");
  const rest = write("rest.txt", [...listed].filter((name) => !both.includes(name)).join("\n"));
  assert.deepEqual(await play.download(), build(rest, "--family", "exact", "--fpr", "0.001", "--input", "domains", "--exclude", pass));
  assert.match(await play.text("#checked"), new RegExp(`none of the 9,998 that must not be, ${both.length} names were left out`));

  assert.equal(await play.text("#rejects-title"), "2 lines give no name, or not all that they say");
  await play.choose("#many-file", pass);
  await play.page.waitForSelector("#many-result .verdict");
  assert.match(await play.text("#many-result .verdict"), /^0 of 10,000 held/);
  assert.deepEqual(play.errors, []);
  await play.page.close();
});

for (const [format, text, names, rejected] of [
  ["hosts", "\ufeff# comment\r\n127.0.0.1 localhost\r\n0.0.0.0 Ads.Example.com. # why\n/\n\n::1 x.example.net y.example.net\n", 3, ["line 4"]],
  ["adblock", "[Adblock Plus 2.0]\n! comment\n||ads.example.com^\n||bücher.example.de^\nexample.com##.ad\n@@||good.example.com^\n", 2, ["line 5", "line 6"]],
  ["domains", "# comment\nads.example.com\n*.evil.example.net\nnot a name\n2130706433\nxn--bcher-kva.de\nbücher.de\n", 4, ["line 4"]],
]) {
  test(`a list of the form ${format}`, async () => {
    const list = write(`a-${format}.txt`, text);
    const play = await site.open();
    await play.list(list);
    assert.equal(await play.page.$eval("#format", (select) => select.value), format, "guessed");
    await play.build();
    assert.deepEqual(await play.download(), build(list, "--fpr", "0.001", "--input", format));
    assert.equal(await play.page.$eval("#facts dd:nth-of-type(2)", (dd) => dd.textContent), String(names));
    await play.page.click("#rejects summary");
    const lines = await play.page.$$eval("#rejects-list li", (items) => items.map((item) => item.textContent));
    assert.deepEqual(lines.map((line) => line.split(":")[0]), rejected);
    for (const line of lines) assert.match(line, /\S+: \S+ .*\w{3}/);
    assert.deepEqual(play.errors, []);
    await play.page.close();
  });
}

test("a name is asked for with its parents", async () => {
  const play = await site.open();
  const list = write("names.txt", "ads.example.com\nexample.net\n203.0.113.7\nxn--bcher-kva.de\ncom\n");
  await play.list(list);
  await play.page.select("#format", "plain");
  await play.oneIn(2 ** 32);
  await play.build();

  let asked = await play.one("https://u:p@WWW.Ads.Example.com:443/%2561");
  assert.match(asked.verdict, /^Held\. ads\.example\.com is on the list/);
  assert.deepEqual(asked.rows, [
    ["www.ads.example.com", "not held"],
    ["ads.example.com", "held"],
    ["example.com", "not held"],
    ["com", "a public suffix, never asked for"],
  ]);
  assert.match(asked.hint, /^3 names were asked for.* 3 × .* so 1 in 1,430,000,000 of such/);

  asked = await play.one("x.example.org");
  assert.match(asked.verdict, /^Not on the list\. That is certain\./);
  asked = await play.one("0xcb.0.113.7");
  assert.deepEqual(asked.rows, [["203.0.113.7", "held"]]);
  asked = await play.one("bücher.de");
  assert.deepEqual(asked.rows[0], ["xn--bcher-kva.de", "held"]);
  asked = await play.one("com");
  assert.deepEqual(asked.rows, [["com", "a public suffix, never asked for"], ["com", "held as typed, byte for byte"]]);
  asked = await play.one("no host/at all");
  assert.deepEqual(asked.rows, [["no host/at all", "not held"]]);

  await play.page.type("#many", "a.b.example.net\nexample.org\n\n203.0.113.7\n# comment\nno host at all\n");
  await play.page.click("#many-form [type=submit]");
  await play.page.waitForSelector("#many-result .verdict");
  assert.match(await play.text("#many-result .verdict"), /^2 of 4 held/);
  assert.match(await play.text("#many-result li"), /^a\.b\.example\.net\s+held as example\.net$/);
  assert.match(await play.text("#many-result .hint"), /1 line is no host name/);
  await play.page.click("#parents");
  await play.page.click("#many-form [type=submit]");
  await play.page.waitForFunction(() => document.querySelector("#many-result .verdict")?.textContent.startsWith("1 of 4"));
  assert.deepEqual(play.errors, []);
  await play.page.close();
});

test("files of every family are opened, and described as the command does", async () => {
  const play = await site.open();
  const list = write("some.txt", Array.from({ length: 20_000 }, (_, i) => `host${i}.example\n`).join(""));
  for (const family of families) {
    const path = write(`some-${family}.tamis`, build(list, "--family", family, "--fpr", "0.01"));
    await play.file(path);
    const info = JSON.parse(execFileSync(command, ["info", "--json", path]));
    const facts = await play.page.$eval("#facts", (list) => list.innerText);
    assert.equal(await play.text("#facts-title"), `some-${family}.tamis`);
    assert.match(facts, new RegExp(`${family}\\n`));
    assert.match(facts, /Names\n20,000\n/);
    assert.ok(facts.includes(`File\n${info.file_bytes.toLocaleString("en")} bytes`), facts);
    assert.ok(facts.includes(`Bits a name\n${Number(info.bits_per_key.toPrecision(4))}\n`), facts);
    assert.ok(facts.includes(`(${Number((100 * info.expected_fpr).toPrecision(3))} %)`), facts);
    assert.match(facts, /Checksums\nboth right\n/);
    assert.equal(await play.shown("#build"), false);
    assert.equal((await play.one("host7.example")).verdict.startsWith("Held."), family !== "", family);
  }
  assert.deepEqual(play.errors, []);
  await play.page.close();
});

test("what is wrong is told in words, and what to do", async () => {
  const play = await site.open();
  const good = build(write("one.txt", "a\nb\nc\n"), "--fpr", "0.01");
  const changed = (at, value) => {
    const file = Buffer.from(good);
    file[at] = value;
    return file;
  };
  for (const [name, data, words] of [
    ["damaged.tamis", changed(good.length - 1, good.at(-1) ^ 1), "its payload checksum differs from what its bytes give. Fetch or build it again."],
    ["header.tamis", changed(20, 1), "its header checksum differs from what its bytes give. Fetch or build it again."],
    ["cut.tamis", good.subarray(0, -1), "is cut short or has bytes too many. Fetch or build it again."],
    ["short.tamis", good.subarray(0, 20), "is cut short or has bytes too many. Fetch or build it again."],
    ["new.tamis", changed(4, 2), "is of a newer form than this page knows."],
    ["empty.txt", "", "is empty. Choose a list with one name a line."],
    ["list.txt.gz", Buffer.from([0x1f, 0x8b, 8, 0, 0, 0]), "is neither a text nor a .tamis file. Unpack it"],
  ]) {
    await play.file(write(name, data));
    assert.ok((await play.text("#file-error")).startsWith(name), name);
    assert.ok((await play.text("#file-error")).includes(words), await play.text("#file-error"));
  }
  assert.equal(await play.shown("#opened"), false);
  await play.list(write("long.txt", Array.from({ length: 1000 }, (_, i) => `a${i}.example\n`).join("")));
  assert.equal(await play.shown("#file-error"), false);
  await play.family("split");
  await play.oneIn(2 ** 32);
  await play.build();
  assert.match(await play.text("#build-error"), /^Split cannot keep mistakes as rare as 1 in 4294967296: the smallest reachable here is .* take another family\.$/);
  await play.oneIn(1);
  await play.page.click("#build-button");
  assert.equal(await play.page.evaluate(() => document.activeElement.id), "one-in");
  assert.match(await play.text("#rate-hint"), /A number from 2 to/);
  await play.oneIn(100);
  await play.page.select("#format", "hosts");
  await play.build();
  assert.match(await play.text("#build-error"), /^No line of the list holds a name: is it of another form/);
  assert.deepEqual(play.errors, []);
  await play.page.close();
});

test("a build can be stopped, and another begun", async () => {
  const play = await site.open();
  await play.list(write("many.txt", Array.from({ length: 1_000_000 }, (_, i) => `host${i}.example.com\n`).join("")));
  await play.page.click("#build-button");
  await play.page.waitForFunction(() => document.querySelector("#stage").textContent === "Reading the list");
  await play.page.click("#cancel");
  await play.page.waitForFunction(() => document.querySelector("#progress").hidden);
  assert.equal(await play.shown("#opened"), false);
  await play.list(write("few.txt", "a.example.com\nb.example.com\n"));
  await play.build();
  assert.match(await play.text("#checked"), /All 2 names/);
  assert.deepEqual(play.errors, []);
  await play.page.close();
});

test("without the builder beside it the page says so, and still opens files", async () => {
  const play = await site.open();
  await play.page.setRequestInterception(true);
  play.page.on("request", (request) => (request.url().endsWith("worker.js") ? request.abort() : request.continue()));
  await play.page.click("#example");
  await play.page.waitForSelector("#build:not([hidden])");
  await play.build();
  assert.match(await play.text("#build-error"), /\.$/);
  await play.file(write("a.tamis", build(write("a.txt", "a.example\n"))));
  assert.equal(await play.text("#facts-title"), "a.tamis");
  await play.page.close();
});

test("by keyboard alone, with names for a screen reader", async () => {
  const play = await site.open();
  const { page } = play;
  const focused = () => page.evaluate(() => document.activeElement.id || document.activeElement.value);
  const tabTo = async (id) => {
    for (let i = 0; i < 40 && (await focused()) !== id; i++) await page.keyboard.press("Tab");
    assert.equal(await focused(), id);
  };
  await tabTo("example");
  await page.keyboard.press("Enter");
  await page.waitForSelector("#build:not([hidden])");
  await tabTo("ribbon");
  await page.keyboard.press("ArrowDown");
  assert.equal(await focused(), "exact");
  await tabTo("exclude");
  await tabTo("build-button");
  await page.keyboard.press("Enter");
  await page.waitForSelector("#measured:not(:empty)");
  assert.equal(await focused(), "facts-title", "the focus goes to what was built");
  await tabTo("one");
  await page.keyboard.type("ads.example.com");
  assert.match(await play.text("#one-result"), /^Held\./);

  const unnamed = [];
  const walk = (node) => {
    if (["textbox", "button", "link", "radio", "checkbox", "combobox", "spinbutton", "searchbox"].includes(node.role) && !node.name) unnamed.push(node);
    for (const child of node.children ?? []) walk(child);
  };
  walk(await page.accessibility.snapshot({ interestingOnly: false }));
  assert.deepEqual(unnamed, []);
  assert.deepEqual(play.errors, []);
  await page.close();
});

for (const width of [320, 400, 1200]) {
  for (const dark of [false, true]) {
    test(`${width} wide, ${dark ? "dark" : "light"}: nothing beyond the edge, every word to be read`, async () => {
      const play = await site.open({ width, dark });
      const look = dark ? "dark" : "light";
      await play.shot(`empty-${width}-${look}`);
      await play.list(write("a-list-with-a-long-name-that-nobody-could-want-to-read-whole-domains.txt", "ads.example.com\nnot a name\n"));
      await play.family("exact");
      await play.shot(`list-${width}-${look}`);
      await play.build();
      await play.one("http://a-very-long-name-of-a-host-that-goes-on-for-some-time.and-on.ads.example.com/");
      await play.page.type("#many", "a.b.c.d.e.f.ads.example.com\nexample.org\nnot a name");
      await play.page.click("#many-form [type=submit]");
      await play.page.waitForSelector("#many-result .verdict");
      await play.page.click("#rejects summary");
      await play.shot(`opened-${width}-${look}`);
      const { scroll, faint } = await play.page.evaluate(measure);
      assert.ok(scroll <= width, `${scroll} wide`);
      assert.deepEqual(faint, []);
      await play.page.close();
    });
  }
}

/** In the page: its width, and texts whose contrast is below 4.5. */
function measure() {
  const channel = (c) => (c /= 255) <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
  const parse = (color) => color.match(/[\d.]+/g).map(Number);
  const luminance = ([r, g, b]) => 0.2126 * channel(r) + 0.7152 * channel(g) + 0.0722 * channel(b);
  const ground = (element) => {
    for (; element; element = element.parentElement) {
      const color = parse(getComputedStyle(element).backgroundColor);
      if (color.length === 3 || color[3] === 1) return color;
    }
    return [255, 255, 255];
  };
  const faint = [];
  for (const element of document.querySelectorAll("body *")) {
    const text = [...element.childNodes].filter((node) => node.nodeType === 3 && node.textContent.trim()).map((node) => node.textContent.trim()).join(" ");
    if (!text || !element.checkVisibility() || element.closest(":disabled")) continue;
    const [a, b] = [luminance(parse(getComputedStyle(element).color)), luminance(ground(element))].sort((x, y) => y - x);
    if ((a + 0.05) / (b + 0.05) < 4.5) faint.push([text, (a + 0.05) / (b + 0.05)]);
  }
  return { scroll: document.documentElement.scrollWidth, faint };
}
