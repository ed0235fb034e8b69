// The core as WebAssembly. Its module is in the bundle: no network, and no path that another
// bundler would have to find.

import { core } from "packed";
import type { Core } from "./core.js";
import { unpack } from "./unpack.js";

let compiled: Promise<WebAssembly.Module> | undefined;

/** An instance for one list, of a given module or else the one in here. Rejects where WebAssembly is refused. */
export async function wasmCore(given: WebAssembly.Module | undefined): Promise<Core> {
  // Never synchronously: pages refuse that for a module of more than 4 KB.
  const module = given ?? (await (compiled ??= WebAssembly.compile(unpack(core))));
  return (await WebAssembly.instantiate(module)).exports as unknown as Core;
}
