// Debian's browsers with the extension, as a person loads it.
import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import puppeteer from "puppeteer-core";
import { domains, tamisBuild } from "../tools/list.mjs";
import { serve } from "./server.mjs";

const dist = join(import.meta.dirname, "../dist");
const scratch = mkdtempSync(join(tmpdir(), "tamis-extension-"));
process.on("exit", () => rmSync(scratch, { recursive: true, force: true, maxRetries: 5 }));

const paths = { chromium: process.env.CHROMIUM ?? "/usr/bin/chromium", firefox: process.env.FIREFOX ?? "/usr/bin/firefox-esr" };
const uuid = "7a1b15c0-0000-4000-8000-7a315e77e057", id = "sample@tamis.example";

/** So many names of the list, from all over it. */
export function listed(n) {
  return Array.from({ length: n }, (_, i) => domains[Math.floor((i * domains.length) / n)]);
}

/** Some file of tamis that holds names. */
export function fileOf(names, name = "other.tamis") {
  const path = join(mkdtempSync(join(scratch, "list-")), name);
  tamisBuild(names, path);
  return path;
}

/** A copy of the extension, with its manifest changed. */
export function variant(browser, change) {
  const path = mkdtempSync(join(scratch, "variant-"));
  cpSync(join(dist, browser), path, { recursive: true });
  const manifest = JSON.parse(readFileSync(join(path, "manifest.json"), "utf8"));
  change(manifest);
  writeFileSync(join(path, "manifest.json"), JSON.stringify(manifest));
  return path;
}

/** A browser with the extension and a server for all hosts. */
export class Session {
  static async start(name, { extension = join(dist, name), idle = 30_000 } = {}) {
    const session = new Session();
    Object.assign(session, { name, extension, idle, server: await serve(), profile: mkdtempSync(join(scratch, "profile-")) });
    if (name === "firefox") session.#install();
    await session.launch();
    return session;
  }

  /** Firefox forgets at its end what is loaded unpacked, so the tests put a packed one into the profile. */
  #install() {
    const folder = join(this.profile, "extensions");
    mkdirSync(folder);
    execFileSync("python3", ["-m", "zipfile", "-c", join(folder, `${id}.xpi`), "."], { cwd: this.extension });
  }

  /** Starts the browser, again with what the profile has kept. */
  async launch(...args) {
    const { name, profile, server, extension } = this;
    const common = { browser: name === "firefox" ? "firefox" : "chrome", executablePath: paths[name], userDataDir: profile };
    if (name === "chromium") {
      this.browser = await puppeteer.launch({
        ...common,
        ignoreDefaultArgs: ["--disable-extensions"],
        args: [
          "--no-sandbox",
          "--disable-dev-shm-usage",
          `--load-extension=${extension}`,
          `--host-resolver-rules=MAP * 127.0.0.1:${server.port}`,
          "--disable-features=HttpsUpgrades,HttpsFirstBalancedModeAutoEnable,DisableLoadExtensionCommandLineSwitch",
          ...args,
        ],
      });
      if (!this.origin) {
        const worker = await this.browser.waitForTarget((target) => target.type() === "service_worker" && target.url().endsWith("/background.js"));
        this.origin = worker.url().slice(0, -"background.js".length);
      }
    } else {
      this.browser = await puppeteer.launch({
        ...common,
        args: ["--remote-allow-system-access", ...args],
        extraPrefsFirefox: {
          "network.proxy.type": 1,
          "network.proxy.http": "127.0.0.1",
          "network.proxy.http_port": server.port,
          "network.proxy.allow_hijacking_localhost": true,
          "dom.security.https_first": false,
          "dom.security.https_first_schemeless": false,
          "xpinstall.signatures.required": false,
          "extensions.autoDisableScopes": 0,
          "extensions.startupScanScopes": 15,
          "extensions.webextensions.uuids": JSON.stringify({ [id]: uuid }),
          "extensions.background.idle.timeout": this.idle,
        },
      });
      this.origin = `moz-extension://${uuid}/`;
    }
    this.tab = (await this.browser.pages())[0] ?? (await this.browser.newPage());
    await this.ready();
  }

  /** Waits until the extension has taken its place. */
  async ready() {
    const armed = () => (chrome.declarativeNetRequest ? chrome.declarativeNetRequest.getDynamicRules().then((rules) => rules.length === 2) : true);
    for (let tries = 0; !(await this.page("popup", (page) => page.evaluate(armed)).catch(() => false)); tries++) {
      if (tries > 20) throw new Error("the extension did not come up");
      await pause(100);
    }
  }

  async restart(...args) {
    await this.browser.close();
    this.watch = undefined;
    await this.launch(...args);
  }

  async close() {
    await this.browser.close();
    this.server.close();
  }

  /** Goes to a URL, and returns where that led: "blocked", "not sent" or the URL that the tab shows. */
  async go(url) {
    if (this.name === "firefox") {
      // Firefox gives a tab that comes to or from an extension's page another identity.
      const tab = await this.browser.newPage();
      void this.tab.close().catch(() => {});
      this.tab = tab;
    }
    await leave(this.tab, () => void this.tab.goto(url).catch(() => {}));
    return this.settle();
  }

  /** Clicks something in a tab, and returns where that led. */
  async click(selector) {
    await leave(this.tab, () => void this.tab.evaluate((selector) => document.querySelector(selector).click(), selector).catch(() => {}));
    return this.settle();
  }

  /** Waits until a tab shows another page than the one it had, of the web or one that speaks to the person. */
  async settle() {
    const look = () => (window.left || document.readyState !== "complete" || document.body?.hidden !== false ? "" : location.href);
    let url = "";
    for (const end = Date.now() + 15_000; Date.now() < end && !/^http|blocked|post/.test(url); await pause(15)) url = await this.tab.evaluate(look).catch(() => "");
    if (url.startsWith(`${this.origin}blocked.html`)) return "blocked";
    if (url.startsWith(`${this.origin}gate.html?post`)) return "not sent";
    return url;
  }

  /** Whether some tab comes to show a page of the extension. */
  async settled(name) {
    const there = async () => (await this.browser.pages()).some((page) => page.url().startsWith(this.origin + name));
    for (const end = Date.now() + 10_000; Date.now() < end; await pause(50)) if (await there()) return true;
    return false;
  }

  /** Opens a page of the extension. */
  async open(name) {
    const page = await this.browser.newPage();
    // Not awaited: of pages of extensions Firefox does not tell that they came.
    void page.goto(`${this.origin}${name}.html`).catch(() => {});
    const there = () => document.body?.dataset.ready !== undefined;
    for (const end = Date.now() + 15_000; !(await page.evaluate(there).catch(() => false)); await pause(15)) if (Date.now() > end) throw new Error(`${name} did not open`);
    return page;
  }

  /** Opens a page of the extension, does something in it, and closes it. */
  async page(name, what) {
    const page = await this.open(name);
    try {
      return await what(page);
    } finally {
      await page.close();
    }
  }

  popup() {
    return this.page("popup", (page) => page.evaluate(() => document.body.innerText.replace(/\s+/g, " ")));
  }

  /** Clicks something of the page of lists, and waits for what comes of it. */
  async act(page, selector, before = () => {}) {
    await before(page);
    await page.evaluate((selector) => {
      delete document.body.dataset.ready;
      document.querySelector(selector).click();
    }, selector);
    await page.waitForFunction(() => document.body.dataset.ready !== undefined, { polling: 50 });
    return page.evaluate(() => document.body.innerText.replace(/\s+/g, " "));
  }

  /** Sets the address of the first list's updates, and updates. */
  update(address) {
    return this.page("manage", (page) => this.act(page, "form button", () => page.$eval("input[type=url]", (input, address) => (input.value = address), address)));
  }

  add(path) {
    return this.page("manage", async (page) => {
      const before = await page.$$eval("#lists section", (cards) => cards.length);
      await (await page.$("#file")).uploadFile(path);
      await page.waitForFunction((before) => document.querySelector("#said").className === "failed" || document.querySelectorAll("#lists section").length > before, {}, before);
      return page.evaluate(() => document.body.innerText.replace(/\s+/g, " "));
    });
  }

  /** Stops the background, as the browser does when it has nothing to do. */
  async stop() {
    // This tab stays, because to open or close one starts the background.
    this.watch ??= await this.open("popup");
    if (this.name === "chromium") {
      const client = await this.watch.createCDPSession();
      await client.send("ServiceWorker.enable");
      await client.send("ServiceWorker.stopAllWorkers");
      await client.detach();
    }
    for (const end = Date.now() + 20_000; await this.running(); await pause(25)) if (Date.now() > end) throw new Error("the background did not stop");
  }

  /** Whether the background runs. Asked after a stop. */
  async running() {
    if (this.name === "chromium") return this.browser.targets().some((target) => target.type() === "service_worker" && target.url().startsWith(this.origin));
    return this.watch.evaluate(async () => (await chrome.runtime.getContexts({ contextTypes: ["BACKGROUND"] })).length > 0);
  }
}

/** Does what makes a tab leave its page, which settle then does not take for the next. */
async function leave(tab, what) {
  await tab.evaluate(() => (window.left = true)).catch(() => {});
  what();
}

export function pause(ms) {
  return new Promise((done) => setTimeout(done, ms));
}
