// Writes dist/chromium and dist/firefox, each to be loaded unpacked.
//
//	node build.mjs
import { build } from "esbuild";
import { copyFileSync, cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { buildList, listFile } from "./tools/list.mjs";

const here = import.meta.dirname, src = join(here, "src"), dist = join(here, "dist");
const { version } = JSON.parse(readFileSync(join(here, "../js/package.json"), "utf8"));

const common = {
  manifest_version: 3,
  name: "tamis",
  description: "Opens no page whose host a list holds. The list is in the extension: nobody is asked.",
  version,
  icons: { 16: "icon-16.png", 32: "icon-32.png", 48: "icon-48.png", 128: "icon-128.png" },
  action: { default_popup: "popup.html", default_title: "tamis" },
  options_ui: { page: "manage.html", open_in_tab: true },
  host_permissions: ["<all_urls>"],
  content_security_policy: {
    extension_pages: "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self'; connect-src *; object-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
  },
};

const browsers = {
  chromium: {
    pages: ["gate", "blocked", "popup", "manage"],
    cost: ["Gate", " The gate is what the first visit to a host in a session costs (median)."],
    manifest: {
      ...common,
      minimum_chrome_version: "126",
      permissions: ["alarms", "declarativeNetRequest", "storage", "unlimitedStorage"],
      background: { service_worker: "background.js" },
      incognito: "split",
      web_accessible_resources: [{ resources: ["gate.html"], matches: ["<all_urls>"] }],
    },
  },
  firefox: {
    pages: ["blocked", "popup", "manage"],
    cost: ["A check", ""],
    manifest: {
      ...common,
      permissions: ["alarms", "storage", "unlimitedStorage", "webRequest", "webRequestBlocking"],
      background: { scripts: ["background.js"] },
      // Redirects from the web may end in nothing else. Its address is a secret of each installation.
      web_accessible_resources: [{ resources: ["blocked.html"], matches: ["<all_urls>"] }],
      browser_specific_settings: { gecko: { id: "sample@tamis.example", strict_min_version: "128.0" } },
    },
  },
};

rmSync(dist, { recursive: true, force: true });
mkdirSync(dist);
const list = buildList(join(dist, listFile));

for (const [browser, { pages, cost, manifest }] of Object.entries(browsers)) {
  const out = join(dist, browser);
  mkdirSync(out);
  await build({
    entryPoints: [...pages.map((name) => join(src, `${name}.ts`)), { in: join(src, `background-${browser}.ts`), out: "background" }].map((entry) =>
      typeof entry === "string" ? { in: entry, out: entry.slice(src.length + 1, -3) } : entry,
    ),
    outdir: out,
    bundle: true,
    minify: true,
    format: "esm",
    target: "es2022",
    charset: "utf8",
    alias: { "#passes": join(src, `passes-${browser}.ts`) },
    logLevel: "warning",
  });
  for (const name of pages) {
    const html = readFileSync(join(src, `${name}.html`), "utf8").replace('<dt class="cost"></dt>', `<dt>${cost[0]}</dt>`).replace('<span class="cost"></span>', cost[1]);
    writeFileSync(join(out, `${name}.html`), html);
  }
  copyFileSync(join(src, "page.css"), join(out, "page.css"));
  cpSync(join(src, "icons"), out, { recursive: true });
  copyFileSync(join(dist, listFile), join(out, listFile));
  writeFileSync(join(out, "list.json"), JSON.stringify(list));
  writeFileSync(join(out, "manifest.json"), JSON.stringify(manifest, null, 2));
}
rmSync(join(dist, listFile));
