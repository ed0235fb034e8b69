// The page's side of the worker that builds.
import type { Built, Order, Stage, Told } from "./messages.js";

export class Builder {
  /** Whether the next build need not load anything. */
  loaded = false;
  private worker: Worker | undefined;
  private end: ((built?: Built) => void) | undefined;

  constructor(private readonly tell: (stage: Stage, done: number) => void) {}

  /** Builds a filter. It gives undefined if it was stopped, and an error of the name "overlap" for names on both lists. */
  build(order: Order): Promise<Built | undefined> {
    const worker = (this.worker ??= new Worker("worker.js"));
    return new Promise((resolve, reject) => {
      this.end = resolve;
      worker.onmessage = ({ data }: MessageEvent<Told>) => {
        if ("stage" in data) {
          if (data.stage !== "loading") this.loaded = true;
          this.tell(data.stage, data.done);
        } else if ("built" in data) {
          resolve(data.built);
        } else {
          if (data.kind === "broken") this.close();
          reject(Object.assign(new Error(data.error), { name: data.kind }));
        }
      };
      worker.onerror = (event) => {
        event.preventDefault();
        this.close();
        reject(new Error("The builder ended: most likely it ran out of memory. Try a smaller list, or tamis build on the command line."));
      };
      worker.postMessage(order);
    });
  }

  stop(): void {
    this.close();
    this.end?.();
  }

  private close(): void {
    this.worker?.terminate();
    this.worker = undefined;
    this.loaded = false;
  }
}
