// The switch of a study: every line that is tried is kept, and the three best moves are lit.

import { find, make } from "../../elements.js";
import { say } from "../../sentences.js";

let ask = async () => null;
let button = null;
let isOn = false;

/** Put the switch beside the opponent; `tell(request)` asks the table, null where it refuses. */
export function prepareStudy(tell) {
  ask = tell;
  button = make("button", { id: "study", "data-action": "study", hidden: true, onclick: () => ask({ do: "study", is_wanted: !isOn }) });
  find("open-opponent").after(button);
}

/** Show whether people study; where no help may be had there is no switch. */
export function drawStudy(state) {
  isOn = state.is_study;
  button.hidden = !state.may_hint || state.lesson !== null || state.training !== null;
  button.textContent = say("Study");
  button.title = say("Try moves freely: every line is kept, and the three best moves light up");
  button.setAttribute("aria-pressed", String(isOn));
}
