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

export const browsers = (process.env.BROWSERS ?? "chromium firefox").split(" ");
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
      const worker = await this.browser.waitForTarget((target) => target.type() === "service_worker" && target.url().endsWith("/background.js"));
      this.origin = worker.url().slice(0, -"background.js".length);
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
    const popup = await this.browser.newPage();
    for (let tries = 0; ; tries++) {
      try {
        await popup.goto(`${this.origin}popup.html`);
        const armed = () => (chrome.declarativeNetRequest ? chrome.declarativeNetRequest.getDynamicRules().then((rules) => rules.length === 2) : true);
        if (await popup.evaluate(armed)) break;
      } catch (error) {
        if (tries > 100) throw error;
      }
      await pause(100);
    }
    await popup.close();
  }

  async restart(...args) {
    await this.browser.close();
    await this.launch(...args);
  }

  async close() {
    await this.browser.close();
    this.server.close();
  }

  /** Goes to a URL, and returns where that led: "blocked" or the URL that the tab shows. */
  async go(url, tab = this.tab) {
    await tab.goto(url, { waitUntil: "domcontentloaded" }).catch(() => {});
    return this.settle(tab);
  }

  /** Waits until a tab shows a page of the web or a blocked one. */
  async settle(tab = this.tab) {
    for (let tries = 0; tries < 300; tries++) {
      const url = tab.url();
      if (url.startsWith(`${this.origin}blocked.html`)) {
        const shown = await tab.evaluate(() => document.body?.hidden === false && document.readyState === "complete").catch(() => false);
        if (shown) return "blocked";
      } else if (url.startsWith("http")) {
        const there = await tab.evaluate(() => document.readyState === "complete" && location.protocol.startsWith("http")).catch(() => false);
        if (there) return tab.url();
      } else if (url.includes("gate.html?post") && (await tab.evaluate(() => document.body?.hidden === false).catch(() => false))) {
        return "not sent";
      }
      await pause(20);
    }
    return `nothing: ${tab.url()}`;
  }

  /** Opens a page of the extension, does something in it, and closes it. */
  async page(name, what) {
    const page = await this.browser.newPage();
    await page.goto(`${this.origin}${name}.html`);
    await page.waitForFunction(() => document.body.dataset.ready !== undefined);
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
    await page.waitForFunction(() => document.body.dataset.ready !== undefined);
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
    if (this.name === "chromium") {
      const page = await this.browser.newPage();
      await page.goto(`${this.origin}popup.html`);
      const client = await page.createCDPSession();
      await client.send("ServiceWorker.enable");
      await client.send("ServiceWorker.stopAllWorkers");
      await page.close();
    } else {
      await pause(3 * this.idle);
    }
    for (let tries = 0; await this.running(); tries++) {
      if (tries > 100) throw new Error("the background did not stop");
      await pause(100);
    }
  }

  /** Whether the background runs. */
  async running() {
    if (this.name === "chromium") return this.browser.targets().some((target) => target.type() === "service_worker" && target.url().startsWith(this.origin));
    const page = await this.browser.newPage();
    await page.goto(`${this.origin}popup.html`);
    const running = await page.evaluate(async () => (await chrome.runtime.getContexts({ contextTypes: ["BACKGROUND"] })).length > 0);
    await page.close();
    return running;
  }
}

export function pause(ms) {
  return new Promise((done) => setTimeout(done, ms));
}
