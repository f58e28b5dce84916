// A way to the page that says who wins, beside the other ways to practise.

import { find, make } from "../../elements.js";
import { language, say } from "../../sentences.js";

export const prepare = () => find("open-opponent").parentNode.append(make("a.button", { id: "who-wins", "data-action": "who-wins" }));

export function draw() {
  Object.assign(find("who-wins"), { textContent: say("Who wins this?"), title: say("Set four pieces, and see what every move comes to"), href: `/who-wins?lang=${language}` });
}
