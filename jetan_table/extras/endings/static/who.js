// Who wins this? Four pieces are set on a board, and the table says what each move comes to.

import { Board, loadPieces } from "../../board.js";
import { find, make } from "../../elements.js";
import { read } from "../../link.js";
import { SIDES } from "../../names.js";
import { _, say, speakAsAsked } from "../../sentences.js";
import { countOf, readingName, readings } from "../../words.js";

const SAID = { 1: _("{side} wins in {moves}"), 0: _("A draw"), "-1": _("{side} loses in {moves}") };
const AFTER = { 1: _("{move} wins in {moves}"), 0: _("{move} draws"), "-1": _("{move} loses in {moves}") };
const WAYS = { ArrowUp: 0, ArrowRight: 1, ArrowDown: 2, ArrowLeft: 3 };

const places = { C: "j4", Q: "b7", c: "j9", q: "a5" }; // one move of sixty wins, in seven plies
const mayEscape = { black: false, orange: false };
const board = new Board(find("board"));
let chosen = null; // the letter of the piece that is put down next
let asking = 0;

/** The position as a text. */
function positionText() {
  const standing = Object.fromEntries(Object.entries(places).map(([letter, square]) => [square, letter]));
  const ranks = [10, 9, 8, 7, 6, 5, 4, 3, 2, 1].map((rank) => [..."abcdefghij"].map((file) => standing[file + rank] ?? ".").join("").replace(/\.+/g, (run) => run.length));
  const escapes = (mayEscape.black ? "B" : "") + (mayEscape.orange ? "O" : "") || "-";
  return `${ranks.join("/")} ${find("side").value[0]} ${escapes} - 0 1`;
}

/** A square is touched: its piece is taken up, or put back; else the one that is held goes there. */
function touch(square) {
  const there = Object.keys(places).find((letter) => places[letter] === square);
  if (there) chosen = there === chosen ? null : there;
  else if (chosen) [places[chosen], chosen] = [square, null];
  else return;
  show();
}

async function show() {
  board.setPieces(Object.fromEntries(Object.entries(places).map(([letter, square]) => [square, letter])));
  board.setMarks(chosen ? { [places[chosen]]: "lifted" } : {}, new Set(), {});
  const mine = ++asking;
  const side = say(SIDES[find("side").value]);
  const answer = await read(`/api/ending?rules=${encodeURIComponent(find("rules").value)}&position=${encodeURIComponent(positionText())}`).catch((error) => ({ refused: error.message, moves: [] }));
  if (mine !== asking) return;
  find("answer").textContent = answer.refused ?? say(SAID[answer.result], { side, moves: countOf(answer.plies) });
  find("moves").replaceChildren(...answer.moves.map(({ move, result, plies }) => make("li", {}, say(AFTER[result], { move, moves: countOf(plies) }))));
}

function onKey(event) {
  const square = event.target.closest("[data-square]")?.dataset.square;
  if (!square) return;
  if (event.key in WAYS) board.focus(board.neighbour(square, WAYS[event.key]));
  else if (event.key === "Enter" || event.key === " ") touch(square);
  else return;
  event.preventDefault();
}

async function begin() {
  const about = await read("/api/about");
  Object.assign(readings, about.presets);
  await Promise.all([speakAsAsked(about), loadPieces(), board.show("grid", false)]);
  const names = await read("/api/endings");
  if (!names.length) {
    find("asks").replaceChildren(say("There are no tables of endings here yet; the table's owner makes them by: jetan endings make zillions"));
    return;
  }
  find("rules").replaceChildren(...names.map((name) => make("option", { value: name, selected: name === "zillions" }, readingName(name))));
  find("side").replaceChildren(...Object.entries(SIDES).map(([value, words]) => make("option", { value }, say(words))));
  find("escapes").replaceChildren(...Object.keys(mayEscape).map((side) => make("label.check", {}, make("input", { type: "checkbox", onchange: (event) => { mayEscape[side] = event.target.checked; show(); } }),
    make("span", {}, say("{side} may still escape", { side: say(SIDES[side]) })))));
  for (const id of ["rules", "side"]) find(id).addEventListener("change", show);
  find("board").addEventListener("click", (event) => {
    const square = event.target.closest("[data-square]")?.dataset.square;
    if (square) touch(square);
  });
  find("board").addEventListener("keydown", onKey);
  show();
}

begin();
