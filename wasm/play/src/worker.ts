// Builds filters with the Go library, away from the page, and checks them with the core.
import "wasm_exec"; // Go's, which defines Go
import { List } from "./core.js";
import type { Format } from "./format.js";
import type { Built, Order, Told } from "./messages.js";

declare const self: {
  postMessage(told: Told, transfer?: Transferable[]): void;
  onmessage: (event: MessageEvent<Order>) => void;
};

declare class Go {
  importObject: WebAssembly.Imports;
  run(instance: WebAssembly.Instance): Promise<void>;
}

/** Returns at most that many bytes of a list, none at its end. */
type Reader = (most: number) => Uint8Array;

interface Failed {
  error: string;
  kind: string;
}

/** What the Go program offers: see ../builder/main.go. */
interface Builder {
  build(request: {
    family: string;
    fpr: number;
    format: Format;
    include: () => Reader;
    exclude: (() => Reader) | null;
    overlap: string;
    progress: (done: number) => void;
  }): Pick<Built, "file" | "keys" | "excluded" | "dropped" | "rejected" | "rejects"> | Failed;
  keys(request: { list: () => Reader; format: Format; drop: boolean; take: (count: number, batch: Uint8Array) => void }): object | Failed;
}

/** An error that the Go program gave. */
class BuildError extends Error {
  constructor(failed: Failed) {
    super(failed.error);
    this.kind = failed.kind;
  }
  readonly kind: string;
}

let builder: Promise<Builder> | undefined;

async function load(): Promise<Builder> {
  const response = await fetch("builder.wasm.gz").catch(() => undefined);
  if (!response?.ok) throw new Error("The builder could not be loaded. See that builder.wasm.gz lies beside this page, and try again.");
  let bytes = await response.arrayBuffer();
  if (new Uint8Array(bytes)[0] === 0x1f) { // else the server said that it is compressed, and it is no longer
    bytes = await new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"))).arrayBuffer();
  }
  const go = new Go();
  const { instance } = await WebAssembly.instantiate(bytes, go.importObject);
  void go.run(instance);
  return (globalThis as unknown as { tamisBuilder: Builder }).tamisBuilder;
}

/** Reads lists, tells how far, and keeps what went wrong there, which Go must not see. */
class Reading {
  private readonly files = new FileReaderSync();
  private read = 0;
  private told = 0;
  error: unknown;

  constructor(private readonly stage: "reading" | "checking", private readonly total: number) {}

  open(list: Blob): () => Reader {
    return () => {
      let at = 0;
      return (most) => {
        try {
          const part = new Uint8Array(this.files.readAsArrayBuffer(list.slice(at, at + most)));
          at += part.length;
          this.read += part.length;
          const done = this.read / this.total;
          if (done - this.told >= 0.01) self.postMessage({ stage: this.stage, done: (this.told = done) });
          return part;
        } catch (error) {
          this.error = error;
          return new Uint8Array(0);
        }
      };
    };
  }

  /** Throws what went wrong. */
  check<T extends object>(result: T | Failed): T {
    if (this.error) throw new Error("The list can no longer be read: it was changed or moved since you chose it. Choose it again.");
    if ("error" in result) throw new BuildError(result);
    return result;
  }
}

async function build(order: Order): Promise<Built> {
  self.postMessage({ stage: "loading", done: 0 });
  builder ??= load();
  const go = await builder;
  const { include, exclude, format } = order;
  const total = include.size + (exclude?.size ?? 0);

  const reading = new Reading("reading", total);
  self.postMessage({ stage: "reading", done: 0 });
  const made = reading.check(go.build({
    ...order,
    include: reading.open(include),
    exclude: exclude && reading.open(exclude),
    progress: (done) => self.postMessage({ stage: "building", done }),
  }));

  self.postMessage({ stage: "checking", done: 0 });
  const list = await List.open(made.file);
  const checking = new Reading("checking", total);
  const ask = (names: Blob | null, drop: boolean) => {
    let asked = 0, held = 0;
    if (names) {
      checking.check(go.keys({
        list: checking.open(names),
        format,
        drop,
        take: (count, batch) => {
          asked += count;
          held += list.held(count, batch);
        },
      }));
    }
    return { asked, held };
  };
  const members = ask(include, true), others = ask(exclude, false);
  if (members.held !== members.asked || others.held !== 0) {
    throw new Error(`The filter is wrong about ${members.asked - members.held + others.held} names of its lists, which is a fault of tamis. Take another family, and report this one.`);
  }
  return { ...made, asked: members.asked, excludedAsked: others.asked };
}

self.onmessage = async ({ data }) => {
  try {
    const built = await build(data);
    self.postMessage({ built }, [built.file.buffer]);
  } catch (error) {
    builder = undefined;
    const message = error instanceof Error ? error.message : String(error);
    self.postMessage({ error: message, kind: error instanceof BuildError ? error.kind : "broken" });
  }
};
