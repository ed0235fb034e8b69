import { cards } from "./cards.js";
import { counts, median } from "./counts.js";
import { element, milliseconds, show, whole } from "./page.js";

const { checks, blocked, costs } = await counts();
show("checks", whole(checks));
show("blocked", whole(blocked));
show("cost", milliseconds(median(costs)));
await cards();
element("manage").onclick = () => {
  void chrome.runtime.openOptionsPage();
  close();
};
document.body.dataset.ready = "";
