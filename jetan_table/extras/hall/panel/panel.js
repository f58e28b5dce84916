// Matches against far tables: how one is asked for, and what the far side asks.

import { keepOpen, labelled, open } from "../../dialogs.js";
import { find, make } from "../../elements.js";
import { chosenIn, pictured } from "../../newgame.js";
import { say } from "../../sentences.js";

export function prepare({ refusalOf }) {
  find("open-opponent").after(make("button", { id: "open-far", "data-action": "far", hidden: true, onclick: () => askFar(refusalOf) }, make("span")));
}

export function draw(state) {
  find("open-far").hidden = !state.may_call;
  find("open-far").firstElementChild.textContent = say("Far table");
}

export function actions(state, ask) {
  if (!state.far?.asks_back) return [];
  return [
    make("button.main", { id: "do-agree-back", onclick: () => ask({ do: "back" }) }, say("Take the move back")),
    make("button", { id: "do-decline-back", onclick: () => ask({ do: "decline" }) }, say("Decline")),
  ];
}

/** Ask for a match against a far table; `refusal(request)` asks the table and says why not. */
async function askFar(refusal) {
  const code = make("input", { name: "code", pattern: "[A-Za-z]{6}", maxlength: 6, autocomplete: "off", spellcheck: false });
  const refused = make("p.refused", { role: "alert" });
  const sides = [["black", ["P"], say("I play {side}", { side: say("Black") })], ["orange", ["p"], say("I play {side}", { side: say("Orange") })]];
  const { dialog, form, closed } = open(say("Far table"), [
    make("p", {}, say("Two tables play one game over the network. Invite the far table and tell its players the six letters that appear, or enter the letters you were given.")), labelled(say("Six letters (leave empty to invite)"), code), pictured("own-side", say("Play as"), sides, "black"), refused,
  ], [["", say("Cancel")], ["ok", say("OK")]]);
  code.addEventListener("input", () => (form.querySelector("[name=own-side]").closest("fieldset").hidden = Boolean(code.value)));
  keepOpen(form, dialog, refused, () => refusal({ do: "far", code: code.value.trim() || null, side: chosenIn(form, "own-side") }));
  await closed;
}
