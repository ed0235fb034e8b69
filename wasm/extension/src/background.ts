// What both backgrounds do: updates on time and when told to, the end of passes.
import { endPass } from "#passes";
import { count } from "./counts.js";
import { resetPackaged, schedule, updateAll } from "./update.js";

/** What the pages tell the background: to update, that lists changed, or what the gate did in so many milliseconds. */
export type Message = "update" | "changed" | { blocked: number; cost: number };

/** Sets up the background. changed is called when the lists are not what they were. */
export function background(changed: () => Promise<void>): void {
  chrome.runtime.onInstalled.addListener(async ({ previousVersion }) => {
    // What is loaded unpacked is "updated" to the version that it has, too.
    if (previousVersion && previousVersion !== chrome.runtime.getManifest().version) {
      await resetPackaged();
      await changed();
    }
    await schedule();
  });
  chrome.runtime.onStartup.addListener(schedule);
  chrome.alarms.onAlarm.addListener(() => updateAll(changed));
  chrome.runtime.onMessage.addListener((message: Message, _sender, answer) => {
    const done = message === "update" ? updateAll(changed) : message === "changed" ? changed() : count(message.blocked, message.blocked ? [] : [message.cost]);
    done.finally(() => answer());
    return true;
  });

  // A pass holds until a page of the web has come in the tab; the extension's own do not count.
  chrome.tabs.onUpdated.addListener((tab, { url }) => {
    if (url && !url.startsWith(chrome.runtime.getURL(""))) void endPass(tab);
  });
  chrome.tabs.onRemoved.addListener((tab) => void endPass(tab));
}

