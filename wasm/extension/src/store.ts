// What is kept of the lists: the bytes of each and what is known of it, in IndexedDB.
//
// The list of the package is there only once it was updated; until then, and if what was
// kept of it is damaged, the file of the package is read.

/** A list, without what its file says itself. */
export interface Entry {
  id: string;
  name: string;
  /** Whose it is and under which licence; "" if nobody said. */
  source: string;
  /** Where its updates are fetched from; "" for none. */
  address: string;
  /** When its bytes came here, in milliseconds since 1970; 0 for those of the package. */
  updated: number;
  /** When an update last failed, and why; it is cleared by one that succeeds. */
  failed?: { at: number; why: string };
  /** Undefined for the list of the package while it is as the package has it. */
  bytes?: Uint8Array;
}

/** What the build step writes about the list of the package. */
export interface Packaged {
  file: string;
  name: string;
  source: string;
}

export const packagedId = "packaged";

export async function packaged(): Promise<Packaged> {
  return (await fetch(chrome.runtime.getURL("list.json"))).json();
}

export async function packagedBytes(): Promise<Uint8Array> {
  const { file } = await packaged();
  return new Uint8Array(await (await fetch(chrome.runtime.getURL(file))).arrayBuffer());
}

/** All lists, that of the package first. */
export async function entries(): Promise<Entry[]> {
  const kept = await run<Entry[]>("readonly", (store) => store.getAll());
  const at = kept.findIndex(({ id }) => id === packagedId);
  if (at >= 0) return [...kept.splice(at, 1), ...kept];
  const { name, source } = await packaged();
  return [{ id: packagedId, name, source, address: "", updated: 0 }, ...kept];
}

export async function keep(entry: Entry): Promise<void> {
  await run("readwrite", (store) => store.put(entry));
}

export async function drop(id: string): Promise<void> {
  await run("readwrite", (store) => store.delete(id));
}

/** Does one thing with the store, wholly or not at all. */
async function run<T>(mode: IDBTransactionMode, what: (store: IDBObjectStore) => IDBRequest): Promise<T> {
  const db = await new Promise<IDBDatabase>((done, fail) => {
    const request = indexedDB.open("lists", 1);
    request.onupgradeneeded = () => request.result.createObjectStore("lists", { keyPath: "id" });
    request.onsuccess = () => done(request.result);
    request.onerror = () => fail(request.error);
  });
  try {
    return await new Promise<T>((done, fail) => {
      const transaction = db.transaction("lists", mode);
      const request = what(transaction.objectStore("lists"));
      transaction.oncomplete = () => done(request.result as T);
      transaction.onabort = () => fail(transaction.error);
    });
  } finally {
    db.close();
  }
}
