// A table that plays both sides: how fast, and whether it stands still.

import { find, make } from "./elements.js";
import { _, say } from "./sentences.js";

const SLOWEST_S = 8;
const FASTEST_S = 0.25;

/** Offer slower, pause and faster where the table plays both sides; nothing otherwise. */
export function drawWatch({ watch, over }, ask) {
  const box = find("watch");
  box.hidden = watch === null || over !== null;
  if (box.hidden) return;
  const { every_s: everyS, is_paused: isPaused } = watch;
  const button = (action, words, request, disabled = false) =>
    make("button", { "data-action": action, disabled, onclick: () => ask({ do: "pace", ...request }) }, words);
  const focused = document.activeElement?.dataset?.action;
  box.replaceChildren(
    button("slower", say("Slower"), { every_s: everyS * 2, is_paused: isPaused }, everyS >= SLOWEST_S),
    button("halt", say(isPaused ? _("Resume") : _("Pause")), { is_paused: !isPaused }),
    button("faster", say("Faster"), { every_s: everyS / 2, is_paused: isPaused }, everyS <= FASTEST_S),
    make("small", { role: "status" }, say("One move in {seconds} s", { seconds: everyS.toLocaleString(document.documentElement.lang) })),
  );
  if (focused) box.querySelector(`[data-action="${focused}"]:not(:disabled)`)?.focus();
}
