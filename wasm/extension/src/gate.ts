// Chromium: the page that a navigation to a host not yet checked is sent to.
import { remember } from "./allow.js";
import type { Message } from "./background.js";
import { ask, openLists, plainHost, reason } from "./lists.js";
import { locked } from "./locks.js";
import { show } from "./page.js";

const url = target();
// A page of another site may open this one too, even in a frame: then it does nothing.
if (url && window.top === window) await pass(url).catch((error) => blocked(url, { error: reason(error) }));

async function pass(url: string): Promise<void> {
  // No list changes between the check and the rule that comes of it.
  const hits = await locked("shared", async () => {
    const hits = ask(await openLists(), url);
    if (!hits.length) await remember(url);
    return hits;
  });
  // The start of this page is that of the navigation, before it was sent here. The background
  // counts, because this page is gone before it could.
  void chrome.runtime.sendMessage({ blocked: hits.length ? 1 : 0, cost: performance.now() } satisfies Message);
  if (location.search === "?post" && !hits.length) {
    show("host", plainHost(url));
    document.body.hidden = false;
    document.querySelector("button")!.onclick = () => (history.length > 1 ? history.back() : close());
  } else if (hits.length) {
    blocked(url, { hits });
  } else {
    location.replace(url);
  }
}

function blocked(url: string, why: object): void {
  location.replace(`blocked.html#${encodeURIComponent(JSON.stringify({ url, late: location.search === "?late", ...why }))}`);
}

/** The URL that was asked for; "" if that is none of the web. */
function target(): string {
  let url: URL;
  try {
    url = new URL(location.hash.slice(1));
  } catch {
    return "";
  }
  if (!/^https?:$/.test(url.protocol)) return "";
  // A star means anything in the rules, so a name or password with one has to be given anew.
  if (/\*/.test(url.username + url.password)) url.username = url.password = "";
  return url.href;
}
