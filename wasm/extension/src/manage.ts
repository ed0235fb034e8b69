// The page of lists: adds, removes, updates.
import type { Message } from "./background.js";
import { cards } from "./cards.js";
import { type Opened, reason } from "./lists.js";
import { element, show } from "./page.js";
import { packagedId } from "./store.js";
import { add, remove, setAddress } from "./update.js";

const file = element<HTMLInputElement>("file"), said = element("said");

file.onchange = () => act(async () => {
  const given = [...file.files!];
  file.value = "";
  for (const one of given) await add(one);
  await tell("changed");
  return given.length === 1 ? `Added ${given[0]!.name}.` : `Added ${given.length} lists.`;
});

/** Does what a button is for, and says how it went. */
async function act(what: () => Promise<string>): Promise<void> {
  delete document.body.dataset.ready;
  said.className = "hint";
  try {
    show("said", await what());
  } catch (error) {
    said.className = "failed";
    show("said", reason(error));
  }
  await cards(tools);
  document.body.dataset.ready = "";
}

/** Tells the background. One that is just being stopped does not hear it, but its successor does. */
async function tell(message: Message): Promise<void> {
  await chrome.runtime.sendMessage(message).catch(() => chrome.runtime.sendMessage(message));
}

function tools(card: HTMLElement, { entry }: Opened): void {
  const form = document.createElement("form"), label = document.createElement("label"), address = document.createElement("input");
  label.textContent = "Update once a day from";
  address.type = "url";
  address.placeholder = "https://";
  address.value = entry.address;
  label.append(address);
  const row = document.createElement("div");
  row.className = "row";
  row.append(button(entry.address ? "Save and update now" : "Save and update", "submit"));
  if (entry.id !== packagedId) {
    const away = button("Remove", "button");
    away.className = "quiet";
    away.onclick = () => act(async () => {
      await remove(entry.id);
      await tell("changed");
      return `Removed ${entry.name}.`;
    });
    row.append(away);
  }
  form.append(label, row);
  form.noValidate = true;
  form.onsubmit = (event) => {
    event.preventDefault();
    void act(async () => {
      await setAddress(entry.id, address.value.trim());
      if (address.value.trim() === "") return "Saved: no updates.";
      await tell("update");
      return "";
    });
  };
  card.append(form);
}

function button(text: string, type: "button" | "submit"): HTMLButtonElement {
  const node = document.createElement("button");
  node.type = type;
  node.textContent = text;
  return node;
}

await cards(tools);
document.body.dataset.ready = "";
