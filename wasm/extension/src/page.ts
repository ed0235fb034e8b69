// What the pages have in common.
import { plainHost } from "./lists.js";

export function element<T extends HTMLElement = HTMLElement>(id: string): T {
  return document.getElementById(id) as T;
}

/** Writes a text to every element with a data-text of that name. */
export function show(name: string, text: string): void {
  for (const node of document.querySelectorAll(`[data-text="${name}"]`)) node.textContent = text;
}

const numbers = new Intl.NumberFormat("en", { maximumSignificantDigits: 3 });

export function whole(n: number): string {
  return n.toLocaleString("en");
}

export function bytes(n: number): string {
  return n < 1000 ? `${n} bytes` : n < 1e6 ? `${numbers.format(n / 1e3)} KB` : `${numbers.format(n / 1e6)} MB`;
}

export function milliseconds(n: number | undefined): string {
  return n === undefined ? "none yet" : n < 0.1 ? "under 0.1 ms" : n < 10 ? `${n.toFixed(1)} ms` : `${n.toFixed(0)} ms`;
}

export function oneIn(rate: number | undefined): string {
  return rate === undefined ? "not stated" : rate === 0 ? "none" : `1 in ${numbers.format(1 / rate)}`;
}

export function day(at: number): string {
  return new Date(at).toLocaleString(undefined, { dateStyle: "medium", timeStyle: "short" });
}

export { plainHost };
