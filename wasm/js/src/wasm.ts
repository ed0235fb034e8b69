// The core as WebAssembly. Both modules are in the bundle: no network, and no path that
// another bundler would have to find.

import { scalar, simd } from "core:modules";
import type { Engine } from "./blocklist.js";
import type { Core } from "./core.js";
import { unhex } from "./unhex.js";

interface Compiled {
  engine: Engine;
  module: WebAssembly.Module;
}

let compiled: Promise<Compiled> | undefined;

/** Compiles the module that this machine takes. */
async function compile(): Promise<Compiled> {
  const bytes = unhex(simd);
  const engine = WebAssembly.validate(bytes) ? "wasm-simd" : "wasm";
  // Never synchronously: pages refuse that for a module of more than 4 KB.
  return { engine, module: await WebAssembly.compile(engine === "wasm" ? unhex(scalar) : bytes) };
}

/** An instance for one list, of a given module or else the one in here. Rejects where WebAssembly is refused. */
export async function wasmCore(given: WebAssembly.Module | undefined): Promise<{ core: Core; engine: Engine }> {
  const { engine, module } = given ? { engine: "wasm-simd" as const, module: given } : await (compiled ??= compile());
  return { core: (await WebAssembly.instantiate(module)).exports as unknown as Core, engine };
}
