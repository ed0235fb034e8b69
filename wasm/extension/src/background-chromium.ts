import { closeGate, forgetHosts, passed } from "./allow.js";
import { background } from "./background.js";

chrome.runtime.onInstalled.addListener(closeGate);
chrome.runtime.onStartup.addListener(closeGate);
background(forgetHosts);
void sweep();

/**
 * Once a session, sends the pages that came before the rules to the gate: Chromium opens the
 * first ones of a start, and those open at the installation, without asking its extensions.
 * The start takes a while, so this looks again.
 */
async function sweep(): Promise<void> {
  if ((await chrome.storage.session.get("swept"))["swept"]) return;
  for (const wait of [0, 1000, 3000]) {
    await new Promise((done) => setTimeout(done, wait));
    for (const { id, url, pendingUrl } of await chrome.tabs.query({})) {
      const shown = pendingUrl || url || "";
      if (id === undefined || !/^https?:/.test(shown) || (await passed(shown, id))) continue;
      await chrome.tabs.update(id, { url: chrome.runtime.getURL(`gate.html?late#${shown}`) }).catch(() => {});
    }
  }
  await chrome.storage.session.set({ swept: true });
}
