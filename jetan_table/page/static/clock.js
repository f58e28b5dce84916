// Both clocks, in their players' strips. The table says how they stood; here they run on.

import { find, make } from "./elements.js";
import { tableNow } from "./link.js";
import { SIDES } from "./names.js";
import { _, say } from "./sentences.js";

const TICK_MS = 100;
const DOES = { press: _("Press the clock"), pause: _("Pause"), resume: _("Resume") };

let clock = null;
let ticking = null; // while a clock runs
let told = new Set(); // sides whose little time has been told to ears

/** Show the clocks of a state; `ask` hands on what the buttons want, `tell` speaks to ears. */
export function drawClocks(state, ask, tell) {
  if (state.clock === null || clock?.control !== state.clock.control) told = new Set();
  clock = state.clock && { ...state.clock, tell };
  find("clocks").hidden = clock === null || state.over !== null;
  for (const side of Object.keys(SIDES)) {
    find(`clock-${side}`).hidden = clock === null;
    find(`clock-${side}`).setAttribute("aria-label", `${say("Clock")}: ${say(SIDES[side])}`);
  }
  find("clock-actions").replaceChildren(...(clock && !state.over ? actions(state, ask) : []));
  clearInterval(ticking);
  ticking = clock?.running && !clock.stands ? setInterval(tick, TICK_MS) : null;
  tick();
}

function actions(state, ask) {
  const offered = [];
  const button = (what) => make("button", { id: `do-${what}`, onclick: () => ask({ do: what }) }, say(DOES[what]));
  if (clock.takes_press && !state.is_paused) offered.push(button("press"));
  offered.push(button(state.is_paused ? "resume" : "pause"));
  return offered;
}

/** What a side has left now, in seconds. */
function leftOf(side) {
  const passed = clock.running && !clock.stands ? Math.max(0, tableNow() - clock.at) : 0;
  const left = clock[`${side}_s`];
  if (side === clock.running) return left - Math.max(0, passed - clock.free_s);
  return clock.gains ? left + passed : left;
}

function tick() {
  if (clock === null) return;
  for (const side of Object.keys(SIDES)) {
    const box = find(`clock-${side}`);
    const left = leftOf(side);
    const isLow = left < clock.low_s;
    const isRunning = clock.running === side;
    write(box.querySelector(".clock-time"), timeText(left));
    write(box.querySelector(".clock-mark"), isRunning ? (clock.stands ? "❚❚" : "▶") : "");
    // Translators: of the time that is left on a clock
    write(box.querySelector(".clock-low"), isLow ? `! ${say("low")}` : "");
    box.classList.toggle("running", isRunning);
    box.classList.toggle("low", isLow);
    // Ears are told once; a clock that is read out second by second would drown all else.
    if (isLow && isRunning && !told.has(side)) {
      told.add(side);
      clock.tell(`${say(SIDES[side])}: ${say("little time left")}`);
    }
  }
}

function write(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

/** As a clock shows a time: 1:02:03, 9:58, and below ten seconds 0:09.8. */
export function timeText(seconds) {
  const tenths = Math.max(0, Math.ceil(seconds * 10 - 1e-6));
  if (tenths > 0 && tenths < 100) return `0:0${(tenths / 10).toFixed(1)}`;
  const whole = Math.max(0, Math.ceil(seconds - 1e-6));
  const minutes = Math.floor(whole / 60);
  const rest = String(whole % 60).padStart(2, "0");
  return minutes < 60 ? `${minutes}:${rest}` : `${Math.floor(minutes / 60)}:${String(minutes % 60).padStart(2, "0")}:${rest}`;
}
