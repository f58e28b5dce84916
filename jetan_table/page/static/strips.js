// The players' strips at the board's edges: who sits there, how strong, and whose turn it is.

import { drawPiece, element } from "./board.js";
import { find } from "./elements.js";
import { SIDES } from "./names.js";
import { _, say } from "./sentences.js";
import { ownSide, strengthOf } from "./words.js";

const CHIEFS = { black: "C", orange: "c" };

/** Show both players of a state, or of a game that is looked at; `isFlipped`: Orange sits near; a crown where the Princess may escape. */
export function drawStrips(game, isFlipped, mayEscape = []) {
  const { black, orange, side, over, opponent = null } = game;
  const names = { black, orange };
  for (const [place, colour] of [["far", isFlipped ? "black" : "orange"], ["near", isFlipped ? "orange" : "black"]]) {
    const strip = find(`strip-${place}`);
    const isTable = opponent !== null && [colour, "both"].includes(opponent.side);
    const own = names[colour] === "?" ? null : names[colour];
    const level = isTable ? strengthOf(opponent.name) : null;
    const role = isTable ? say(game.is_screen ? _("The computer") : _("The table")) : ownSide(game) === colour ? say("You") : null;
    write(strip.querySelector(".name"), own ?? role ?? say(SIDES[colour]));
    write(strip.querySelector(".level"), [own || role ? say(SIDES[colour]) : null, level].filter(Boolean).join(" · "));
    strip.classList.toggle("turns-now", side === colour && !over);
    strip.querySelector(".crown").hidden = !mayEscape.includes(colour);
    if (strip.dataset.side === colour) continue;
    strip.dataset.side = colour;
    strip.querySelector(".emblem").replaceChildren(element("svg", { viewBox: "-52 -52 104 104" }, drawPiece(CHIEFS[colour])));
    strip.append(find(`clock-${colour}`));
  }
}

function write(element, text) {
  if (element.textContent !== text) element.textContent = element.title = text;
}
