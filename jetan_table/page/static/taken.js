// What each side has taken, in its strip at the board's edge.

import { drawPiece, element } from "./board.js";
import { say } from "./sentences.js";

const ORDER = "QCFDAWTP";

/** Show the pieces that have left the board, by their letters, each with who took it. */
export function drawTaken(letters) {
  for (const side of ["black", "orange"]) {
    const tray = document.querySelector(`[data-side="${side}"] .taken`);
    if (!tray) continue;
    const theirs = [...letters].filter((letter) => (letter === letter.toUpperCase()) === (side === "orange"));
    theirs.sort((one, other) => ORDER.indexOf(other.toUpperCase()) - ORDER.indexOf(one.toUpperCase()));
    fill(tray, theirs);
  }
}

function fill(tray, letters) {
  const held = [...tray.children];
  if (held.map((each) => each.dataset.letter).join("") === letters.join("")) return;
  const free = new Map();
  for (const each of held) free.set(each.dataset.letter, [...(free.get(each.dataset.letter) ?? []), each]);
  tray.replaceChildren(...letters.map((letter) => free.get(letter)?.pop() ?? token(letter)));
  tray.setAttribute("role", "img");
  tray.setAttribute("aria-label", say("Taken: {pieces}", { pieces: letters.join(" ") || say("nothing") }));
}

function token(letter) {
  const made = element("svg", { viewBox: "-52 -52 104 104", "aria-hidden": "true", "data-letter": letter, class: "trophy" });
  made.append(drawPiece(letter));
  return made;
}

/** The letters that stood at the start of a game, and stand no more. */
export function lostSince(start, standing) {
  const left = Object.values(standing);
  return Object.values(start).filter((letter) => {
    const at = left.indexOf(letter);
    if (at >= 0) left.splice(at, 1);
    return at < 0 && letter !== "*";
  }).join("");
}
