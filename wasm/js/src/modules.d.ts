/** Made by tools/build.mjs: the two modules of wasm/core, in hexadecimal digits. */
declare module "core:modules" {
  export const simd: string;
  export const scalar: string;
}
