/** What wasm/core exports. Numbers are unsigned, but WebAssembly gives them with a sign. */
export interface Core {
  memory: { readonly buffer: ArrayBuffer };
  file(bytes: number): number;
  open(bytes: number): number;
  keys(bytes: number): number;
  has(bytes: number): number;
  hasHost(bytes: number, registrable: number): number;
  /** Not in the plain engine, which has no calls to save. */
  hasMany?(count: number): number;
}
