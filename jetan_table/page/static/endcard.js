// The end, beside the board: who has won and how, where the game turned, and what can be done now.

import { analyse, hasDice, turningPoint } from "./analysis.js";
import { hideDrama, isDramatic } from "./drama.js";
import { find, make } from "./elements.js";
import { doerOf } from "./features.js";
import { SIDES } from "./names.js";
import { _, inWords, say } from "./sentences.js";
import { play } from "./sound.js";
import { showTab } from "./tabs.js";
import { isStill } from "./walk.js";
import { endingAt, linesOf, ownSide, titleOf } from "./words.js";

const LANDED_MS = 900; // so long the last piece is looked at
const READ_MS = 2600; // and so long a fight, or a roll

const CLOSED = "jetan.end-closed"; // where the game is kept whose card was closed

let shownFor = null;
let timer = null;

/** Show how the game has ended, once the last piece has landed; `isNew`: it has ended before people's eyes. */
export async function drawEnd(state, isNew, rest) {
  const card = find("end-card");
  const game = state.over ? state.game : null;
  if (game === null) {
    clearTimeout(timer);
    shownFor = null;
    localStorage.removeItem(CLOSED);
    card.hidden = find("end-open").hidden = true;
    return;
  }
  write(state);
  if (shownFor === game) return;
  shownFor = game;
  const wait = isNew && !isStill() ? (isDramatic() ? READ_MS : LANDED_MS) : 0;
  if (wait) await rest();
  if (shownFor === game) timer = setTimeout(() => open(isNew), wait);
}

function open(isNew) {
  if (shownFor === null) return;
  const isClosed = localStorage.getItem(CLOSED) === String(shownFor);
  find("end-card").hidden = isClosed;
  find("end-open").hidden = !isClosed;
  if (isClosed) return;
  hideDrama();
  if (!isNew) return;
  play("over");
  if (!document.activeElement?.closest("input, select, dialog, .panel")) find("end-result").focus({ preventScroll: true });
}

function close() {
  localStorage.setItem(CLOSED, shownFor);
  find("end-card").hidden = true;
  find("end-open").hidden = false;
  find("end-open").focus({ preventScroll: true });
}

function write(state) {
  const sentence = whyOf(inWords(state.said[endingAt(state)]));
  find("end-result").textContent = titleOf(state.over.result, ownSide(state));
  find("end-why").textContent = whyOf(linesOf(state)[endingAt(state)] ?? "");
  drawTurn(state);
  find("end-close").onclick = close;
  find("end-card").onkeydown = (event) => {
    if (event.key !== "Escape") return;
    event.stopPropagation();
    close();
  };
  find("end-open").onclick = () => {
    localStorage.removeItem(CLOSED);
    drawTurn(state);
    open(false);
    find("end-result").focus({ preventScroll: true });
  };
  const isKept = state.moves.length > 0 && state.helps;
  find("end-analyse").hidden = !isKept;
  find("end-guess").hidden = !isKept || hasDice(state);
  find("end-analyse").onclick = () => {
    close();
    showTab("analysis");
    analyse(state.game);
  };
  const ours = state.opponent?.side === "black" ? "orange" : "black";
  const guessed = state.over.result in { black: 0, orange: 0 } ? state.over.result : ours;
  find("end-guess").onclick = () => doerOf("guess")?.({ game: state.game, side: guessed, plies: 0 });
  // What draws a game to be sent on is fetched when somebody asks for it.
  find("end-show").onclick = async () => (await import("./keepsake.js")).offerKeepsake({ title: titleOf(state.over.result), players: playersOf(state), sentence }, find("strip-near").dataset.side === "orange");
}

/** Who has played, where one of them has a name or is the table: "Ann – the computer". */
function playersOf({ black, orange, opponent, is_screen: isScreen }) {
  const name = (side, own) => (own !== "?" ? own : opponent && [side, "both"].includes(opponent.side) ? say(isScreen ? _("The computer") : _("The table")) : say(SIDES[side]));
  return black === "?" && orange === "?" && !opponent ? "" : `${name("black", black)} – ${name("orange", orange)}`;
}

/** "Black wins: the Princess is taken." says who twice, where that is the heading. */
function whyOf(words) {
  const why = words.slice(words.indexOf(": ") + 1).trim();
  return why.charAt(0).toUpperCase() + why.slice(1);
}

/** Where the game turned, with its position, once it has been analysed. */
function drawTurn(state) {
  const turn = turningPoint(state.game);
  if (!turn) {
    find("end-turn").replaceChildren();
    return;
  }
  find("end-turn").replaceChildren(
    make("button.turned", { type: "button", onclick: () => turn.show(), title: say("Look at the turning point") },
      make("img.small-board", { src: `/board.svg?game=${state.game}&plies=${turn.ply - 1}`, alt: "", width: 132, height: 132 }),
      make("span", {}, make("b", {}, turn.move), ...turn.explained.map((words) => make("span", {}, ` ${words}`)))),
  );
}
