declare module "*.wasm" {
  const bytes: Uint8Array;
  export default bytes;
}
declare module "wasm_exec";
declare const builderBytes: number; // what loading the builder takes
declare class FileReaderSync {
  readAsArrayBuffer(blob: Blob): ArrayBuffer;
}
