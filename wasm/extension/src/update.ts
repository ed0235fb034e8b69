// Changes of the lists: the alarm's, and those that a person makes.
import { locked } from "./locks.js";
import { reason, verify } from "./lists.js";
import { drop, type Entry, entries, keep, packagedId } from "./store.js";

const day = 24 * 60;

/** Has the lists updated once a day, the first time soon. */
export async function schedule(): Promise<void> {
  if (!(await chrome.alarms.get("update"))) await chrome.alarms.create("update", { delayInMinutes: 1, periodInMinutes: day });
}

/**
 * Fetches every list that has an address, and takes those that a reader finds to be whole.
 * Of the others the old bytes stay, and the failure is noted.
 */
export async function updateAll(changed: () => Promise<void>): Promise<void> {
  for (const entry of await entries()) if (entry.address) await updateOne(entry, changed);
}

async function updateOne({ id, address }: Entry, changed: () => Promise<void>): Promise<void> {
  let fresh: Partial<Entry>;
  try {
    const response = await fetch(address, { cache: "no-cache", credentials: "omit", signal: AbortSignal.timeout(60_000) });
    if (!response.ok) throw new Error(`The server answered with status ${response.status}.`);
    const bytes = new Uint8Array(await response.arrayBuffer());
    await verify(bytes);
    fresh = { bytes, updated: Date.now(), failed: undefined };
  } catch (error) {
    fresh = { failed: { at: Date.now(), why: reason(error) } };
  }
  await locked("exclusive", async () => {
    // It may have been removed or given another address meanwhile.
    const entry = (await entries()).find((entry) => entry.id === id && entry.address === address);
    if (!entry) return;
    await keep({ ...entry, ...fresh });
    if (fresh.bytes) await changed();
  });
}

/** Adds a list from a file, or throws if it is none. */
export async function add(file: File): Promise<void> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  await verify(bytes);
  const name = file.name.replace(/\.tamis$/, "");
  await locked("exclusive", () => keep({ id: crypto.randomUUID(), name, source: "from a file", address: "", updated: Date.now(), bytes }));
}

export async function remove(id: string): Promise<void> {
  await locked("exclusive", () => drop(id));
}

/** Sets where a list's updates come from. Throws for what is no address of the web. */
export async function setAddress(id: string, address: string): Promise<void> {
  if (address && !/^https?:$/.test(URL.parse(address)?.protocol ?? "")) throw new Error("Give an address that begins with https://, or none.");
  await locked("exclusive", async () => {
    const entry = (await entries()).find((entry) => entry.id === id);
    if (entry) await keep({ ...entry, address, failed: undefined });
  });
}

/** After an update of the extension its own list is the newer one. The address stays. */
export async function resetPackaged(): Promise<void> {
  await locked("exclusive", async () => {
    const entry = (await entries()).find(({ id }) => id === packagedId)!;
    if (entry.bytes) await keep({ ...entry, bytes: undefined, updated: 0, failed: undefined });
  });
}
