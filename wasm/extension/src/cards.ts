// The lists as the popup and the page of lists show them.
import { type Opened, openLists, reason } from "./lists.js";
import { bytes, day, element, oneIn, show, whole } from "./page.js";

/** Fills #lists with a card for each list. more adds to a card. */
export async function cards(more?: (card: HTMLElement, opened: Opened) => void): Promise<void> {
  const root = element("lists");
  let lists: Opened[];
  try {
    lists = await openLists();
  } catch (error) {
    root.replaceChildren(line("failed", `${reason(error)} Until then no page is opened.`));
    return;
  }
  show("engine", lists[0]!.list.engine === "js" ? "JavaScript, as WebAssembly was refused" : "WebAssembly");
  root.replaceChildren(...lists.map((opened) => {
    const { entry, list, damaged } = opened;
    const card = document.createElement("section");
    const title = document.createElement("h2");
    title.textContent = entry.name;
    const facts = document.createElement("dl");
    for (const [name, value] of [
      ["Entries", whole(list.info.keys)],
      ["Size", bytes(list.info.bytes)],
      ["Wrongly held", oneIn(list.info.rate)],
      ["Updated", entry.updated ? day(entry.updated) : "not since installed"],
    ] as const) {
      const term = document.createElement("dt"), definition = document.createElement("dd");
      term.textContent = name;
      definition.textContent = value;
      facts.append(term, definition);
    }
    card.append(title, line("hint", entry.source), facts);
    if (entry.failed) card.append(line("failed", `The update of ${day(entry.failed.at)} failed, and the old list is in use. ${entry.failed.why}`));
    if (damaged) card.append(line("failed", `The updated list cannot be read, and that of the package is in use. ${damaged}`));
    more?.(card, opened);
    return card;
  }));
}

function line(style: string, text: string): HTMLElement {
  const node = document.createElement("p");
  node.className = style;
  node.textContent = text;
  return node;
}
