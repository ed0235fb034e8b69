// The split-block Bloom filter of Parquet: see asm/split.go.

let blocks: usize = 0;
let count: u64 = 0;

export function openSplit(payload: usize, size: u64): void {
  blocks = payload;
  count = size;
}

const salts = memory.data<u32>([0x47b6137b, 0x44974d91, 0x8824ad5b, 0xa2b7289d, 0x705495c7, 0x2df1424b, 0x9efc4947, 0x5c6bfb31]);

export function hasSplit(h: u64): boolean {
  const block = blocks + (<usize>((count * (h >> 32)) >> 32) << 5);
  let all: u32 = 1;
  for (let i: usize = 0; i < 32; i += 4) {
    all &= load<u32>(block + i) >> ((<u32>h * load<u32>(salts + i)) >> 27);
  }
  return <boolean>all;
}
