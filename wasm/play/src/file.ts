// What the header of a filter file says. The core has checked it.
import { cuckooRate, lineRate, ribbonRate, splitRate, standardRate } from "./rate.js";

export const headerBytes = 64;

/** What a file is, in its own words. */
export interface Facts {
  family: string;
  layout: string;
  keys: number;
  excluded: number; // that it knows not to hold
  bytes: number;
  rate: number; // at which others are held by mistake
  checksum: string; // of the payload
}

const families = ["", "standard", "blocked", "split", "cuckoo", "ribbon", "", "exact"];

export function isFile(bytes: Uint8Array): boolean {
  return bytes[0] === 0x9f && bytes[1] === 0x74 && bytes[2] === 0x6d && bytes[3] === 0x73;
}

export function facts(file: Uint8Array): Facts {
  const view = new DataView(file.buffer, file.byteOffset, file.length);
  const u64 = (at: number) => Number(view.getBigUint64(at, true));
  const param = file[7]!, keys = u64(16), size = u64(32);
  const payload = file.subarray(headerBytes);
  let rate = 0, excluded = 0, layout = "";
  const family = families[file[5]!]!;
  switch (family) {
    case "standard":
      layout = `${count(size, "bit")}, ${param} a name`;
      rate = standardRate(payload, size, param);
      break;
    case "blocked":
      layout = `${count(size, "line")} of 512 bits, ${param} a name`;
      rate = lineRate(size, keys, param);
      break;
    case "split":
      layout = `${count(size, "block")} of 256 bits, ${param} a name`;
      rate = splitRate(size, keys);
      break;
    case "cuckoo":
      layout = `${count(size, "bucket")} of 4 fingerprints of ${param} bits`;
      rate = cuckooRate(size, keys, param);
      break;
    case "ribbon": {
      const ribbon = ribbonOf(file);
      layout = ribbon.layout;
      if (keys > 0) rate = ribbon.rate;
      break;
    }
    case "exact": {
      excluded = size - keys;
      const first = param & 1 ? ribbonOf(payload) : undefined;
      if (keys > 0) rate = (first?.rate ?? 1) / (param & 2 ? 2 : 1);
      layout = [first && `a ribbon of ${first.layout}`, param & 2 && "a second one that tells its mistakes from the names"].filter(Boolean).join(", and ");
      break;
    }
  }
  return { family, layout, keys, excluded, bytes: file.length, rate, checksum: view.getBigUint64(48, true).toString(16).padStart(16, "0") };
}

/** What the file of a ribbon says. */
function ribbonOf(file: Uint8Array): { rate: number; layout: string } {
  const view = new DataView(file.buffer, file.byteOffset, file.length);
  const columns = file[7]!, narrow = view.getUint32(64, true), layers = file[68]!;
  const some = narrow === 0 ? `${columns}` : `${columns - 1} to ${columns}`;
  return { rate: ribbonRate(columns, narrow), layout: layers === 0 ? "no layers" : `${some} ${columns === 1 ? "column" : "columns"} in ${count(layers, "layer")}` };
}

function count(n: number, what: string): string {
  return `${n.toLocaleString("en")} ${what}${n === 1 ? "" : "s"}`;
}
