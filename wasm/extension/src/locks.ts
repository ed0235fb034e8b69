/** Runs something while no list changes, or, exclusively, while nothing is checked. */
export function locked<T>(mode: LockMode, what: () => Promise<T>): Promise<T> {
  return navigator.locks.request("lists", { mode }, what) as Promise<T>;
}
