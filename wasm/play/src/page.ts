// The page: a list or a file comes in, a filter is built or opened, names are asked for.
import { ask, askMany, measure, type Answer } from "./ask.js";
import { Builder } from "./builder.js";
import { FileError, List } from "./core.js";
import { byId, make, onFile, show } from "./dom.js";
import { facts, headerBytes, isFile, type Facts } from "./file.js";
import { formats, guessFormat, type Format } from "./format.js";
import type { Built } from "./messages.js";
import { leastBits, walkRate } from "./rate.js";
import { bytes, count, digits, number, oneIn, percent } from "./words.js";

interface Source {
  name: string;
  blob: Blob;
}

const families = {
  ribbon: "smallest; the choice to send or ship",
  exact: "ribbon that never holds a name of a second list",
  cuckoo: "names can be taken out again, in Go",
  blocked: "fastest to ask and to build",
  split: "as in Parquet files",
  standard: "the Bloom filter of 1970",
};

const example = `# Sites made up for this example
ads.example.com
metrics.example.com
click.example.net
pixel.tracker.example
banner.shop.example
login-verify.example.org
free-prizes.example
xn--bcher-kva.example
203.0.113.7
cdn.adserver.example
telemetry.vendor.example
popunder.example.net
`;

let source: Source | undefined; // of the list to build
let excluded: Source | undefined;
let opened: { list: List; facts: Facts } | undefined;
const builder = new Builder(showStage);

// A file or a list comes in.

onFile("drop", "file", (file) => void take({ name: file.name, blob: file }));
// What is dropped beside an area is taken too, and never takes the browser away from the page.
addEventListener("dragover", (event) => event.preventDefault());
addEventListener("drop", (event) => {
  if (event.defaultPrevented) return;
  event.preventDefault();
  const file = event.dataTransfer?.files[0];
  if (file) void take({ name: file.name, blob: file });
});
byId("example").addEventListener("click", () => void take({ name: "example.txt", blob: new Blob([example]) }));
byId("paste-toggle").addEventListener("click", () => {
  const hidden = !byId("paste").hidden;
  show("paste", !hidden);
  byId("paste-toggle").setAttribute("aria-expanded", String(!hidden));
  if (!hidden) byId("pasted").focus();
});
byId("paste").addEventListener("submit", (event) => {
  event.preventDefault();
  const text = byId<HTMLTextAreaElement>("pasted").value;
  if (text.trim() === "") fail("The box is empty. Paste names into it, one a line.");
  else void take({ name: "pasted.txt", blob: new Blob([text]) });
});

async function take(from: Source): Promise<void> {
  fail("");
  try {
    const beginning = new Uint8Array(await from.blob.slice(0, 1 << 16).arrayBuffer());
    if (isFile(beginning)) await openFile(from);
    else if (beginning.length === 0) fail(`${from.name} is empty. Choose a list with one name a line.`);
    else if (beginning.includes(0)) fail(`${from.name} is neither a text nor a .tamis file. Unpack it if it is compressed, and choose the list in it.`);
    else await takeList(from, new TextDecoder().decode(beginning));
  } catch {
    fail(`${from.name} could not be read. See that it is still there and choose it again.`);
  }
}

async function openFile(from: Source): Promise<void> {
  const file = new Uint8Array(await from.blob.arrayBuffer());
  try {
    await open(from.name, file);
  } catch (error) {
    if (error instanceof FileError) fail(refusal(from.name, error.field));
    else fail(`${from.name} could not be opened. ${sentence(error instanceof Error ? error.message : String(error))}`);
    return;
  }
  source = undefined;
  show("build", false);
}

/** Why a file was refused and what to do. */
function refusal(name: string, field: string): string {
  if (field.endsWith("checksum")) return `${name} is damaged: its ${field} differs from what its bytes give. Fetch or build it again.`;
  if (field === "payload length" || field === "length") return `${name} is cut short or has bytes too many. Fetch or build it again.`;
  if (field === "version") return `${name} is of a newer form than this page knows. Load a newer page, or build the file with an older tamis.`;
  if (field === "family") return `${name} is a file of tamis, but no filter that this page knows. Give one that “tamis build” wrote.`;
  if (field === "hash") return `${name} is a filter of a Parquet file, whose keys are hashed in another way. Build it without --hash xxh64.`;
  return `${name} contradicts itself: its ${field} cannot be. Build it again.`;
}

function fail(message: string): void {
  byId("file-error").textContent = message;
  show("file-error", message !== "");
}

// A list to build a filter of.

for (const [format, words] of Object.entries(formats)) {
  byId("format").append(make("option", { value: format }, `${format}: ${words}`));
}
for (const [family, words] of Object.entries(families)) {
  const input = make("input", { type: "radio", name: "family", value: family });
  input.checked = family === "ribbon";
  byId("families").append(make("label", {}, input, make("strong", {}, family), make("span", { className: "hint" }, words)));
}
const oneInInput = byId<HTMLInputElement>("one-in");
let lines = 0; // of the list, with names by their looks

byId("build-form").addEventListener("input", explain);
byId("build-form").addEventListener("submit", (event) => {
  event.preventDefault();
  void build("refuse");
});
byId("drop-overlap").addEventListener("click", () => void build("drop"));
byId("cancel").addEventListener("click", () => {
  builder.stop();
  byId("build-button").focus();
});
onFile("exclude-drop", "exclude", (file) => {
  excluded = { name: file.name, blob: file };
  byId("exclude-name").textContent = `${file.name}, ${bytes(file.size)}`;
});

async function takeList(from: Source, beginning: string): Promise<void> {
  source = from;
  lines = await countLines(from.blob);
  byId("source-name").textContent = from.name;
  byId("source-size").textContent = `${count(lines, "line")}, ${bytes(from.blob.size)}`;
  byId<HTMLSelectElement>("format").value = guessFormat(beginning);
  show("build", true);
  buildFails("");
  explain();
  byId("build").scrollIntoView({ block: "nearest" });
}

/** The lines of a list that are not empty and no comments by their looks. */
async function countLines(blob: Blob): Promise<number> {
  let n = 0, start = true;
  for (let at = 0; at < blob.size; at += 1 << 22) {
    for (const c of new Uint8Array(await blob.slice(at, at + (1 << 22)).arrayBuffer())) {
      if (c === 10) start = true;
      else if (start && c !== 13 && c !== 32) {
        start = false;
        if (c !== 35 && c !== 33) n++;
      }
    }
  }
  return n;
}

function family(): string {
  return byId("families").querySelector<HTMLInputElement>(":checked")!.value;
}

/** What the rate means for a list of this length. */
function explain(): void {
  const n = Number(oneInInput.value);
  const good = n >= 2 && n <= 2 ** 32;
  oneInInput.setAttribute("aria-invalid", String(!good));
  show("exclude-field", family() === "exact");
  byId("rate-hint").textContent = good
    ? `No filter of ${count(lines, "name")} can be smaller than ${bytes(leastBits(1 / n, lines, 0) / 8)} at this rate.`
    : "A number from 2 to 4294967296.";
  byId("builder-hint").textContent = builder.loaded ? "" : `The first time, this loads the builder: the Go library, ${bytes(builderBytes)}.`;
}

async function build(overlap: "refuse" | "drop"): Promise<void> {
  if (!source) return;
  if (oneInInput.getAttribute("aria-invalid") === "true") {
    oneInInput.focus();
    return;
  }
  buildFails("");
  const { name, blob } = source;
  const format = byId<HTMLSelectElement>("format").value as Format;
  const exclude = family() === "exact" && excluded ? excluded.blob : null;
  building(true);
  try {
    const built = await builder.build({ family: family(), fpr: 1 / Number(oneInInput.value), format, include: blob, exclude, overlap });
    if (built) await open(name.replace(/\.(txt|list|hosts)$/, "") + ".tamis", built.file, built, blob.size);
  } catch (error) {
    const overlaps = error instanceof Error && error.name === "overlap";
    buildFails(sentence(error instanceof Error ? error.message : String(error)), overlaps);
  } finally {
    building(false);
    explain();
  }
}

function sentence(message: string): string {
  return message.charAt(0).toUpperCase() + message.slice(1) + (message.endsWith(".") ? "" : ".");
}

function building(busy: boolean): void {
  show("progress", busy);
  show("cancel", busy);
  byId<HTMLButtonElement>("build-button").disabled = busy;
}

function buildFails(message: string, overlaps = false): void {
  byId("build-error-text").textContent = message;
  show("build-error", message !== "");
  show("drop-overlap", overlaps);
}

function showStage(stage: string, done: number): void {
  const bar = byId<HTMLProgressElement>("bar");
  if (stage === "loading") bar.removeAttribute("value");
  else bar.value = { reading: 0, building: 0.3, checking: 0.8 }[stage]! + done * { reading: 0.3, building: 0.5, checking: 0.2 }[stage]!;
  byId("stage").textContent = {
    loading: "Loading the builder",
    reading: "Reading the list",
    building: "Building",
    checking: "Asking the filter for every name",
  }[stage]!;
}

// What a filter is.

/** Opens a file: one that was chosen, or one that was built, of a list of so many bytes. */
async function open(name: string, file: Uint8Array, built?: Built, listBytes = 0): Promise<void> {
  const list = await List.open(file);
  const known = facts(file);
  opened = { list, facts: known };
  byId("facts-title").textContent = name;
  showDownload(name, built ? file : undefined);
  showChecked(built);
  showFacts(known, listBytes);
  showBound(known);
  showRejects(built);
  show("opened", true);
  askOne();
  byId("many-result").replaceChildren();
  byId("facts-title").focus({ preventScroll: true });
  byId("opened").scrollIntoView({ block: "nearest" });
  await showMeasured();
}

function showDownload(name: string, file: Uint8Array | undefined): void {
  const link = byId<HTMLAnchorElement>("download");
  if (link.href) URL.revokeObjectURL(link.href);
  link.removeAttribute("href");
  show("download", file !== undefined);
  if (!file) return;
  link.href = URL.createObjectURL(new Blob([file as BlobPart], { type: "application/octet-stream" }));
  link.download = name;
  link.textContent = `Download ${bytes(file.length)}`;
}

function showChecked(built: Built | undefined): void {
  show("checked", built !== undefined);
  if (!built) return;
  const parts = [built.asked === 1 ? "the name on the list is held" : `all ${number(built.asked)} names on the list are held`];
  if (built.excludedAsked > 0) parts.push(`none of the ${number(built.excludedAsked)} that must not be`);
  if (built.dropped > 0) parts.push(`${count(built.dropped, "name was", "names were")} left out for being on both lists`);
  byId("checked").replaceChildren(make("strong", {}, "Built and checked. "), sentence(parts.join(", ")));
}

function showFacts(f: Facts, listBytes: number): void {
  const rows: [string, ...(string | Node)[]][] = [
    ["Family", f.family, hint(f.layout)],
    ["Names", number(f.keys)],
  ];
  if (f.excluded > 0) rows.push(["Never held", `${count(f.excluded, "name")} of a second list`]);
  rows.push(
    ["File", count(f.bytes, "byte"), ...(listBytes > 2 * f.bytes ? [hint(`the list takes ${digits(listBytes / f.bytes, 2)} times as much`)] : [])],
    ["Bits a name", f.keys === 0 ? "none" : digits((8 * (f.bytes - headerBytes)) / f.keys, 4)],
    ["Mistakes", f.rate === 0 ? "none: it holds nothing" : `${oneIn(f.rate)} of other names (${percent(f.rate)})`, make("span", { className: "hint", id: "measured" })],
    ["Checksums", "both right", hint(`of the payload: ${f.checksum}`)],
  );
  byId("facts").replaceChildren(...rows.flatMap(([term, ...told]) => [make("dt", {}, term), make("dd", {}, ...told)]));
}

function hint(text: string): Node {
  return make("span", { className: "hint" }, text);
}

/** What it takes against what it must take. */
function showBound(f: Facts): void {
  const least = leastBits(f.rate, f.keys, f.excluded);
  show("bound", least > 0);
  if (!(least > 0)) return;
  const has = 8 * (f.bytes - headerBytes);
  const row = (label: string, bits: number, kind: string) => [make("span", {}, label), bar(bits / Math.max(has, least), kind), make("b", {}, digits(bits / f.keys, 4))];
  byId("bars").replaceChildren(...row("this filter", has, "has"), ...row("fewest", least, "least"));
  const over = has / least - 1;
  byId("bound-hint").textContent = over < 10 ? `${bytes(least / 8)} would be the fewest: it takes ${percent(Math.max(0, over))} more.` : `So few names do not fill the least that this family takes.`;
}

function bar(share: number, kind: string): Element {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("aria-hidden", "true");
  const rect = document.createElementNS("http://www.w3.org/2000/svg", "rect");
  rect.setAttribute("class", kind);
  rect.setAttribute("width", `${100 * share}%`);
  rect.setAttribute("height", "100%");
  rect.setAttribute("rx", "2");
  svg.append(rect);
  return svg;
}

function showRejects(built: Built | undefined): void {
  const n = built?.rejected ?? 0;
  show("rejects", n > 0);
  if (!built || n === 0) return;
  byId<HTMLDetailsElement>("rejects").open = false;
  byId("rejects-title").textContent = `${n === 1 ? "1 line gives" : `${number(n)} lines give`} no name, or not all that ${n === 1 ? "it says" : "they say"}`;
  byId("rejects-list").replaceChildren(...built.rejects.map((r) => make("li", {}, `${r.list === 2 ? "second list, " : ""}line ${number(r.line)}: `, make("code", {}, r.text), ` ${r.reason}`)));
}

async function showMeasured(): Promise<void> {
  const { list, facts: f } = opened!;
  const still = () => opened?.list === list;
  const result = await measure(list, 1_000_000, still);
  if (!still()) return;
  byId("measured").textContent = `Asked just now for ${count(result.asked, "random key")}: ${number(result.held)} held${f.rate > 0 ? ` (${percent(f.rate)} would be ${digits(f.rate * result.asked)})` : ""}, ${digits(result.nanoseconds, 2)} ns each.`;
}

// One name.

const one = byId<HTMLInputElement>("one");
one.addEventListener("input", askOne);

function askOne(): void {
  const out = byId("one-result");
  if (!opened || one.value === "") {
    out.replaceChildren();
    return;
  }
  const { list, facts: f } = opened;
  const answer = ask(list, one.value);
  const rows = answer.names.map(({ name, held }) => walkRow(name, held ? "held" : "not held", held));
  if (answer.suffix !== "") rows.push(walkRow(answer.suffix, "a public suffix, never asked for", false, "cut"));
  const asTyped = answer.host !== "" && !answer.names.some(({ name }) => name === one.value) && list.has(one.value);
  if (asTyped) rows.push(walkRow(one.value, "held as typed, byte for byte", true));
  out.replaceChildren(verdict(answer, asTyped), make("ol", { className: "walk" }, ...rows), make("p", { className: "hint" }, chance(answer.host, answer.names.length, f.rate)));
}

function verdict(answer: Answer, asTyped: boolean): Node {
  const said = (kind: string, verdict: string, why: string) => make("p", { className: `verdict ${kind}` }, make("strong", {}, verdict), " " + why);
  if (answer.first !== "") return said("held", "Held.", `${answer.first} is on the list, or is one of its mistakes.`);
  if (asTyped) return said("held", "Held only as typed.", "Who asks for hosts asks for other names, and does not find it.");
  if (answer.names.length === 0) return said("good", "Never asked for.", "A public suffix is nobody's, and to list it blocks nothing.");
  return said("good", "Not on the list.", "That is certain.");
}

function walkRow(name: string, answer: string, yes: boolean, kind = ""): Node {
  return make("li", { className: yes ? "yes" : kind }, make("span", { className: "name" }, name), make("span", { className: "answer" }, answer));
}

/** How the names asked for multiply the mistakes. */
function chance(host: string, names: number, rate: number): string {
  const each = rate === 0 ? "" : `${oneIn(walkRate(rate, names))} of such that are not on the list ${names > 1 ? "" : "is "}`;
  if (host === "") return `It is no host name and was asked for as it stands. ${each && `${each}held by mistake.`}`;
  if (names === 0) return "No name was asked for.";
  if (names === 1) return `One name was asked for. ${each && `${each}held by mistake.`}`;
  return `${names} names were asked for, each a chance of a mistake: ${rate === 0 ? "here there is none." : `${names} × ${percent(rate)}, so ${oneIn(walkRate(rate, names))} of such hosts is held that has no name on the list.`}`;
}

// Many names.

byId("many-form").addEventListener("submit", (event) => {
  event.preventDefault();
  void askAll(byId<HTMLTextAreaElement>("many").value);
});
onFile("many-form", "many-file", async (file) => {
  try {
    await askAll(await file.text());
  } catch {
    byId("many-result").replaceChildren(make("p", { className: "error" }, `${file.name} could not be read. Choose it again.`));
  }
});

const mostShown = 200;

async function askAll(text: string): Promise<void> {
  const out = byId("many-result");
  if (!opened) return;
  const { list, facts: f } = opened;
  out.replaceChildren(make("p", { className: "hint" }, "Asking…"));
  const many = await askMany(list, text, byId<HTMLInputElement>("parents").checked, () => opened?.list === list);
  if (opened?.list !== list) return;
  if (many.asked === 0) {
    out.replaceChildren(make("p", { className: "error" }, "There is no name to ask for. Paste some, one a line."));
    return;
  }
  const held = many.held.length;
  const lines: Node[] = [
    make("p", { className: `verdict ${held > 0 ? "held" : "good"}` }, make("strong", {}, `${number(held)} of ${number(many.asked)} held`), held === 0 ? "; none of them is on the list, for certain." : ` (${percent(held / many.asked)}).`),
  ];
  if (held > 0) {
    const rows = many.held.slice(0, mostShown).map(({ name, by }) => walkRow(name, by === name ? "held" : `held as ${by}`, true));
    lines.push(make("ol", { className: "walk scroll", tabIndex: 0, ariaLabel: "Names held" }, ...rows));
  }
  const notes = [];
  if (held > mostShown) notes.push(`Shown are the first ${mostShown}.`);
  if (many.unknown > 0) notes.push(`${count(many.unknown, "line is no host name and was", "lines are no host names and were")} asked for as they stand.`);
  if (f.rate > 0) notes.push(`Of as many that are ${f.excluded > 0 ? "on neither list" : "not on the list"}, about ${digits(f.rate * many.parents, 2)} would be held by mistake.`);
  notes.push(`${count(many.parents, "name")} asked for in ${digits(many.milliseconds, 2)} ms.`);
  lines.push(make("p", { className: "hint" }, notes.join(" ")));
  out.replaceChildren(...lines);
}
