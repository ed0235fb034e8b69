/** Made by tools/build.mjs; unpack gives the bytes. */
declare module "packed" {
  /** The module of wasm/core. */
  export const core: string;
  /** The constants of the plain engine. */
  export const constants: string;
}
