// The document, in few words.

export function byId<E extends HTMLElement = HTMLElement>(id: string): E {
  return document.getElementById(id) as E;
}

export function show(id: string, shown: boolean): void {
  byId(id).hidden = !shown;
}

export function make<K extends keyof HTMLElementTagNameMap>(tag: K, properties: Partial<HTMLElementTagNameMap[K]>, ...inside: (Node | string)[]): HTMLElementTagNameMap[K] {
  const element = Object.assign(document.createElement(tag), properties);
  element.append(...inside);
  return element;
}

/** Calls take for a file that is chosen by an input or dropped on its area. */
export function onFile(area: string, input: string, take: (file: File) => void): void {
  const where = byId(area), chooser = byId<HTMLInputElement>(input);
  chooser.addEventListener("change", () => {
    const file = chooser.files?.[0];
    chooser.value = ""; // so that the same file can be chosen again
    if (file) take(file);
  });
  const over = (event: DragEvent, is: boolean) => {
    if (!event.dataTransfer?.types.includes("Files")) return;
    event.preventDefault();
    where.classList.toggle("over", is);
  };
  where.addEventListener("dragover", (event) => over(event, true));
  where.addEventListener("dragleave", () => where.classList.remove("over"));
  where.addEventListener("drop", (event) => {
    over(event, false);
    const file = event.dataTransfer?.files[0];
    if (file) take(file);
  });
}

