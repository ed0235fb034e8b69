// Chromium: the rules that send navigations to the gate, and past it.
//
// One rule, kept over restarts, redirects every navigation of a tab to gate.html. Rules of the
// session, of which the browser keeps none, let hosts pass that were checked. A rule matches
// the beginning of a URL up to its path, not a domain: a host that is in no list may have
// hosts below it that are.

const types = ["main_frame"] as chrome.declarativeNetRequest.ResourceType[];
const gateRules = [1, 2];
/** How many hosts are remembered, the oldest forgotten first, and the rules of each. */
const hosts = 1000, perHost = 3, firstId = 100;
/** The ids of rules for one visit lie above all of those. */
const firstOnce = firstId + hosts * perHost;

/** Sends navigations to the gate, from now on and after restarts. */
export async function closeGate(): Promise<void> {
  const rule = (id: number, page: string, methods: object): chrome.declarativeNetRequest.Rule => ({
    id,
    priority: 1,
    condition: { regexFilter: "^https?://", resourceTypes: types, ...methods },
    action: { type: "redirect" as chrome.declarativeNetRequest.RuleActionType.REDIRECT, redirect: { regexSubstitution: `${chrome.runtime.getURL(page)}#\\0` } },
  });
  const post = ["post"] as chrome.declarativeNetRequest.RequestMethod[];
  await chrome.declarativeNetRequest.updateDynamicRules({
    removeRuleIds: gateRules,
    addRules: [rule(1, "gate.html", { excludedRequestMethods: post }), rule(2, "gate.html?post", { requestMethods: post })],
  });
}

/** The beginnings of URLs that lead to the host of this one. */
function prefixes(url: string): string[] {
  const { host } = new URL(url);
  const seen = url.slice(0, url.indexOf("/", url.indexOf("//") + 2) + 1);
  return [...new Set([`http://${host}/`, `https://${host}/`, seen])];
}

function allow(url: string, id: number, tab?: number): chrome.declarativeNetRequest.Rule[] {
  return prefixes(url).map((prefix, i) => ({
    id: id + i,
    priority: 2,
    condition: { urlFilter: `|${prefix}`, resourceTypes: types, ...(tab === undefined ? {} : { tabIds: [tab] }) },
    action: { type: "allow" as chrome.declarativeNetRequest.RuleActionType.ALLOW },
  }));
}

function ids(first: number): number[] {
  return Array.from({ length: perHost }, (_, i) => first + i);
}

/** Takes the next number of a sequence of the session. */
async function next(name: string): Promise<number> {
  const { [name]: n = 0 } = await chrome.storage.session.get(name);
  await chrome.storage.session.set({ [name]: (n as number) + 1 });
  return n as number;
}

/** Lets the host of a URL pass until the browser ends, or many others have come after it. */
export function remember(url: string): Promise<void> {
  return navigator.locks.request("rules", async () => {
    const id = firstId + ((await next("hosts")) % hosts) * perHost;
    await chrome.declarativeNetRequest.updateSessionRules({ removeRuleIds: ids(id), addRules: allow(url, id) });
  });
}

/** Lets the host of a URL pass in a tab until the tab shows another page. */
export function passOnce(url: string, tab: number): Promise<void> {
  return navigator.locks.request("rules", async () => {
    const id = firstOnce + (await next("once")) * perHost;
    await chrome.declarativeNetRequest.updateSessionRules({ addRules: allow(url, id, tab) });
  });
}

/** Whether a rule lets a URL pass in a tab. */
export async function passed(url: string, tab: number): Promise<boolean> {
  const rules = await chrome.declarativeNetRequest.getSessionRules();
  return rules.some(({ condition: { urlFilter, tabIds } }) => `|${url}`.startsWith(urlFilter!) && (!tabIds || tabIds.includes(tab)));
}

/** Ends what passOnce began. */
export function endPass(tab: number): Promise<void> {
  return navigator.locks.request("rules", () => forget(({ id, condition }) => id >= firstOnce && !!condition.tabIds?.includes(tab)));
}

/** Has every host checked again: the lists are not what they were. */
export function forgetHosts(): Promise<void> {
  return navigator.locks.request("rules", () => forget(({ id }) => id < firstOnce));
}

async function forget(which: (rule: chrome.declarativeNetRequest.Rule) => boolean): Promise<void> {
  const rules = (await chrome.declarativeNetRequest.getSessionRules()).filter(which);
  if (rules.length) await chrome.declarativeNetRequest.updateSessionRules({ removeRuleIds: rules.map(({ id }) => id) });
}
