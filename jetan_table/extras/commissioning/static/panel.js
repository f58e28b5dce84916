// What a table's owner does from the page: the firmware, the board's line, the update, and set-up.

import { askArbiter, open } from "../../dialogs.js";
import { find, make } from "../../elements.js";
import { ask as tell, fetchKnown } from "../../link.js";
import { _, inWords, language, say } from "../../sentences.js";

const AGAIN_MS = 1000;
const BOARDS = { pico: "Raspberry Pi Pico", nano: "Arduino Nano", mega: "Arduino Mega" };

let hasSetUp = false;

export function prepare({ about }) {
  hasSetUp = Boolean(about.set_up);
  find("open-camera").before(make("button", { id: "open-repairs", onclick: openRepairs }, make("span")));
  find("open-camera").after(make("a.button", { id: "open-setup", href: "/setup", hidden: !hasSetUp }, make("span")));
}

export function draw() {
  find("open-repairs").firstElementChild.textContent = say("Firmware and repairs");
  find("open-setup").firstElementChild.textContent = say("Set up a real table");
}

export const tiles = (_state, { set_up: setUp }) => (hasSetUp
  ? [{ name: "setup", rank: 55, words: setUp === "begun" ? _("Continue the set-up") : _("Set up a real table"), href: `/setup?lang=${language}` }]
  : []);

/** Open what can be done from here; its job and its line are shown as they go on. */
async function openRepairs() {
  let told = await look();
  if (told === null) return;
  const refused = make("p.refused", { role: "alert" });
  const board = make("select", { name: "board", "aria-label": say("The board’s microcontroller") }, ...Object.entries(BOARDS).map(([value, name]) => make("option", { value }, name)));
  const job = make("pre.lines", { id: "job", role: "status" });
  const wire = make("pre.lines", { id: "wire" });
  const ignored = make("ul.notices");
  const tried = async (request) => {
    refused.textContent = "";
    try {
      await tell(request);
    } catch (error) {
      refused.textContent = error.message;
    }
  };
  const owned = async (request) => {
    const pin = await askArbiter(say("Only the table’s owner does this: the file “arbiter” in its data folder has the PIN."));
    if (pin) await tried({ do: "mend", ...request, pin });
  };
  const button = (action, words, act) => make("button", { type: "button", "data-action": action, onclick: act }, words);
  const { closed } = open(say("Firmware and repairs"), [
    make("div.row", {}, board, button("flash", say("Write the firmware"), () => owned({ act: "flash", name: board.value }))),
    make("div.row", {},
      button("update", say("Install the newer version"), () => owned({ act: "update" })),
      button("look", say("Look at the machine again"), () => tried({ do: "mend", act: "look" }))),
    refused, job,
    make("details", {}, make("summary", {}, say("The line to the board")), wire),
    ignored,
  ]);

  function draw() {
    job.textContent = [...(told.job?.said ?? []), ...told.update].join("\n");
    job.dataset.state = told.job?.state ?? "";
    wire.textContent = told.wire === null ? say("This board has no serial line.") : told.wire.toReversed().join("\n");
    ignored.replaceChildren(...told.ignored.map((notice) => make("li", {}, make("div", {}, make("b", {}, inWords(notice.found)),
      make("div.row", {}, button("hear", say("Show it again"), () => tried({ do: "mend", act: "hear", name: notice.id })))))));
  }

  draw();
  const timer = setInterval(async () => {
    try {
      told = (await look()) ?? told;
      draw();
    } catch (error) {
      refused.textContent = error.message;
    }
  }, AGAIN_MS);
  await closed;
  clearInterval(timer);
}

async function look() {
  const response = await fetchKnown(`/api/repairs?lang=${language}`);
  return response === null ? null : response.json();
}

export const does = { repairs: openRepairs, ignore: (ask, name) => ask({ do: "mend", act: "ignore", name }) };
