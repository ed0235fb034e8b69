// The page in Debian's Chromium, as a person uses it.
import { mkdtempSync, existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import puppeteer from "puppeteer-core";
import { serve } from "./server.mjs";

export const dist = resolve(import.meta.dirname, "../dist");
export const root = resolve(import.meta.dirname, "../../..");

/** A folder for what the tests write. */
export const scratch = mkdtempSync(join(tmpdir(), "tamis-play-"));
process.on("exit", () => rmSync(scratch, { recursive: true, force: true }));

export function write(name, data) {
  const path = join(scratch, name);
  writeFileSync(path, data);
  return path;
}

const executablePath = process.env.CHROMIUM ?? "/usr/bin/chromium";

export async function launch() {
  const server = await serve(dist);
  const browser = await puppeteer.launch({ executablePath, args: ["--no-sandbox", "--disable-dev-shm-usage"] });
  return {
    server,
    browser,
    open: (options) => Play.open(browser, server.address, options),
    async close() {
      await browser.close();
      server.close();
    },
  };
}

/** A tab with the page. */
export class Play {
  constructor(page, downloads) {
    this.page = page;
    this.downloads = downloads;
    this.errors = [];
    page.on("pageerror", (error) => this.errors.push(String(error)));
    page.on("console", (message) => {
      if (["error", "warn"].includes(message.type())) this.errors.push(message.text());
    });
  }

  static async open(browser, address, { width = 1200, dark = false } = {}) {
    const page = await browser.newPage();
    const downloads = mkdtempSync(join(scratch, "downloads-"));
    const session = await browser.target().createCDPSession();
    await session.send("Browser.setDownloadBehavior", { behavior: "allow", downloadPath: downloads });
    const play = new Play(page, downloads);
    await page.setViewport({ width, height: 900 });
    await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: dark ? "dark" : "light" }]);
    await page.goto(address);
    return play;
  }

  text(selector) {
    return this.page.$eval(selector, (element) => element.innerText.trim());
  }

  shown(selector) {
    return this.page.$eval(selector, (element) => !element.closest("[hidden]"));
  }

  async choose(input, path) {
    await (await this.page.$(input)).uploadFile(path);
  }

  /** Drops a file as a person does. */
  async drop(selector, path) {
    const area = await this.page.$(selector);
    const { x, y } = await area.clickablePoint();
    const session = await this.page.createCDPSession();
    const data = { items: [], files: [path], dragOperationsMask: 1 };
    for (const type of ["dragEnter", "dragOver", "drop"]) await session.send("Input.dispatchDragEvent", { type, x, y, data });
    await session.detach();
  }

  /** Gives the page a list and waits until it can be built. */
  async list(path) {
    await this.choose("#file", path);
    await this.page.waitForFunction((name) => document.querySelector("#source-name").textContent === name && !document.querySelector("#build").hidden, {}, path.split("/").pop());
  }

  /** Gives the page a file of tamis and waits until it is opened or refused. */
  async file(path) {
    await this.page.evaluate(() => {
      document.querySelector("#facts-title").textContent = "";
      document.querySelector("#file-error").hidden = true;
    });
    await this.choose("#file", path);
    await this.page.waitForFunction(() => document.querySelector("#facts-title").textContent !== "" || !document.querySelector("#file-error").hidden);
  }

  async family(name) {
    await this.page.click(`#families [value=${name}]`);
  }

  async oneIn(n) {
    await this.page.$eval("#one-in", (input, n) => {
      input.value = n;
      input.dispatchEvent(new Event("input", { bubbles: true }));
    }, String(n));
  }

  /** Builds, and waits until that ended and the filter was measured. */
  async build(button = "#build-button") {
    await this.page.evaluate(() => document.querySelector("#measured")?.remove());
    await this.page.click(button);
    await this.page.waitForFunction(() => document.querySelector("#progress").hidden && (!document.querySelector("#build-error").hidden || document.querySelector("#measured")?.textContent), { timeout: 120_000 });
  }

  /** The file that the page offers. */
  async download() {
    const name = await this.page.$eval("#download", (link) => link.download);
    const path = join(this.downloads, name);
    rmSync(path, { force: true });
    await this.page.click("#download");
    for (let i = 0; i < 200; i++) {
      if (existsSync(path) && !readdirSync(this.downloads).some((file) => file.endsWith(".crdownload"))) return readFileSync(path);
      await new Promise((next) => setTimeout(next, 25));
    }
    throw new Error("nothing was downloaded");
  }

  async one(name) {
    await this.page.$eval("#one", (input) => (input.value = ""));
    await this.page.type("#one", name);
    return {
      verdict: await this.text("#one-result .verdict"),
      rows: await this.page.$$eval("#one-result li", (rows) => rows.map((row) => [...row.children].map((child) => child.textContent))),
      hint: await this.text("#one-result .hint"),
    };
  }

  async shot(name) {
    const folder = process.env.PLAY_SHOTS;
    if (!folder) return;
    mkdirSync(folder, { recursive: true });
    await this.page.screenshot({ path: join(folder, name + ".png"), fullPage: true });
  }
}
