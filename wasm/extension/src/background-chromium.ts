import { closeGate, forgetHosts } from "./allow.js";
import { background } from "./background.js";

chrome.runtime.onInstalled.addListener(closeGate);
chrome.runtime.onStartup.addListener(closeGate);
background(forgetHosts);
void sweep();

/**
 * Once a session, sends the pages that were there before the rules to the gate: Chromium opens
 * the first ones of a start, and those open at the installation, without asking its extensions.
 */
async function sweep(): Promise<void> {
  if ((await chrome.storage.session.get("swept"))["swept"]) return;
  await chrome.storage.session.set({ swept: true });
  for (const { id, url, pendingUrl } of await chrome.tabs.query({})) {
    const shown = pendingUrl ?? url ?? "";
    if (id !== undefined && /^https?:/.test(shown)) await chrome.tabs.update(id, { url: chrome.runtime.getURL(`gate.html?late#${shown}`) }).catch(() => {});
  }
}
