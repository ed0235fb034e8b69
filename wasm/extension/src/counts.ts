// What was checked, and what it cost.

export interface Counts {
  /** Since the extension was installed. */
  checks: number;
  blocked: number;
  /** The latest costs, in milliseconds: of the gate, or of a check where there is no gate. */
  costs: number[];
}

const latest = 100;

export async function counts(): Promise<Counts> {
  const { counts } = await chrome.storage.local.get("counts");
  return (counts as Counts | undefined) ?? { checks: 0, blocked: 0, costs: [] };
}

/** Counts a check. Several end at the same time, so one waits for the other. */
export async function count(blocked: number, costs: number[]): Promise<void> {
  await navigator.locks.request("counts", async () => {
    const old = await counts();
    await chrome.storage.local.set({
      counts: { checks: old.checks + 1, blocked: old.blocked + blocked, costs: [...old.costs, ...costs].slice(-latest) } satisfies Counts,
    });
  });
}

export function median(values: number[]): number | undefined {
  return values.toSorted((a, b) => a - b)[values.length >> 1];
}
