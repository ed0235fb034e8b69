// The page that is shown in place of one that a list holds.
import { passOnce } from "#passes";
import type { Hit } from "./lists.js";
import { element, oneIn, plainHost, show } from "./page.js";

interface Why {
  url: string;
  /** What the lists have against it; without them it could not be checked, for this error. */
  hits?: Hit[];
  error?: string;
  /** Whether the page was there before the extension. */
  late?: boolean;
}

const { url, hits, error, late } = JSON.parse(decodeURIComponent(location.hash.slice(1))) as Why;
const host = plainHost(url);
document.title = `Blocked: ${host}`;
show("host", host);

const list = element("hits");
for (const { name, held, rate } of hits ?? []) {
  const item = document.createElement("li");
  item.append(
    "The list ",
    strong(name),
    held === host ? " says yes to this name. " : " says yes to ",
    ...(held === host ? [] : [strong(held), ", which this name belongs to. "]),
    rate ? `It also says yes to ${oneIn(rate)} of the names that are not in it, so it can be wrong.` : "It does not state how often it is wrong.",
  );
  list.append(item);
}
if (late) {
  show("title", "This page was closed");
  show("lead", "The browser had opened it before this extension was there.");
}
if (error !== undefined) {
  show("title", "This page was not checked");
  show("lead", "A list could not be read, and what was not checked is not opened.");
  element("why").textContent = error;
}

element("back").onclick = () => (history.length > 1 ? history.back() : close());
element("once").onclick = async () => {
  const tab = await chrome.tabs.getCurrent();
  await passOnce(url, tab!.id!);
  location.replace(url);
};
document.body.hidden = false;

function strong(text: string): HTMLElement {
  const node = document.createElement("strong");
  node.textContent = text;
  return node;
}
