// Firefox: every navigation waits for this background, which is started for it if it was stopped.
import { background } from "./background.js";
import { count } from "./counts.js";
import { ask, type Opened, openLists, reason } from "./lists.js";
import { mayPass } from "./passes-firefox.js";

/** The lists, or undefined if they have to be opened anew. */
let lists: Promise<Opened[]> | undefined;

background(async () => {
  lists = undefined;
});

chrome.webRequest.onBeforeRequest.addListener(
  // Firefox waits for promises, which the types do not know.
  check as unknown as () => undefined,
  { urls: ["http://*/*", "https://*/*"], types: ["main_frame"] },
  ["blocking"],
);

async function check({ url, tabId }: { url: string; tabId: number }): Promise<{ redirectUrl?: string }> {
  try {
    const opened = await (lists ??= openLists());
    const start = performance.now();
    const hits = ask(opened, url);
    const cost = performance.now() - start;
    if (!hits.length || (await mayPass(url, tabId))) {
      void count(0, [cost]);
      return {};
    }
    void count(1, [cost]);
    return blocked({ url, hits });
  } catch (error) {
    lists = undefined;
    return blocked({ url, error: reason(error) });
  }
}

function blocked(why: object): { redirectUrl: string } {
  return { redirectUrl: chrome.runtime.getURL(`blocked.html#${encodeURIComponent(JSON.stringify(why))}`) };
}
