// What is amiss at the table, each with its mend.

import { find, make } from "./elements.js";
import { doerOf } from "./features.js";
import { inWords, say } from "./sentences.js";

const MARKS = { error: "✕", warning: "!", info: "i" };

/** List what is amiss, and count it on the tab. */
export function drawNotices({ notices }, ask) {
  const errors = notices.filter(({ severity }) => severity === "error").length;
  find("repairs").hidden = notices.length === 0;
  // Who plays is told of errors alone; all else is for whoever looks after the machine.
  if (errors > Number(find("repairs-count").textContent)) find("machine").open = true;
  for (const [count, id] of [[errors, "repairs-count"], [notices.length, "machine-count"]]) {
    find(id).hidden = count === 0;
    find(id).textContent = count || "";
  }
  find("notices").replaceChildren(...notices.map((notice) => itemOf(notice, ask)));
}

function itemOf(notice, ask) {
  const button = (action, words, act) => make("button", { type: "button", "data-action": action, onclick: act }, words);
  const buttons = [
    notice.lamps.length === 1 && button("show-lamp", say("Light its lamp"), () => ask({ do: "lamp", square: notice.lamps[0] })),
    notice.act && doerOf("repairs") && button(notice.act, notice.act === "update" ? say("Install it") : say("Write the firmware"), doerOf("repairs")),
    notice.severity !== "error" && doerOf("ignore") && button("ignore", say("Ignore"), () => doerOf("ignore")(ask, notice.id)),
  ];
  return make(`li.${notice.severity}`, { "data-notice": notice.id },
    make("b.mark", { "aria-hidden": "true" }, MARKS[notice.severity]),
    make("div", {},
      make("b", {}, inWords(notice.found)),
      notice.breaks && make("small", {}, inWords(notice.breaks)),
      notice.mend && make("p", {}, inWords(notice.mend)),
      make("div.row", {}, ...buttons.map((each) => each || null))));
}
