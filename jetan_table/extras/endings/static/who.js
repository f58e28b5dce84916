// Who wins this? Four pieces are set on a board, and the table says what each move comes to.

import { Board, loadPieces } from "../../board.js";
import { find, make } from "../../elements.js";
import { read } from "../../link.js";
import { _, languages, ofBrowser, say, speak } from "../../sentences.js";
import { pieceName, readingName } from "../../words.js";

const SIDES = { b: _("Black"), o: _("Orange") };
const SAID = { 1: _("{side} wins in {plies} moves of both sides"), 0: _("A draw"), "-1": _("{side} loses in {plies} moves of both sides") };
const AFTER = { 1: _("{move} wins in {plies}"), 0: _("{move} draws"), "-1": _("{move} loses in {plies}") };
const KEYS = { ArrowUp: [0, 1], ArrowDown: [0, -1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] };

const places = { C: "j4", Q: "b7", c: "j9", q: "a5" }; // one move of sixty wins, in seven
const mayEscape = { B: false, O: false };
const board = new Board(find("board"));
let chosen = "C";
let asking = 0;

/** The position as a text. */
function positionText() {
  const standing = Object.fromEntries(Object.entries(places).map(([letter, square]) => [square, letter]));
  const ranks = [10, 9, 8, 7, 6, 5, 4, 3, 2, 1].map((rank) => [..."abcdefghij"].map((file) => standing[file + rank] ?? ".").join("").replace(/\.+/g, (run) => run.length));
  const escapes = Object.keys(mayEscape).filter((side) => mayEscape[side]).join("") || "-";
  return `${ranks.join("/")} ${find("side").value} ${escapes} - 0 1`;
}

function put(square) {
  const there = Object.keys(places).find((letter) => places[letter] === square);
  if (there) places[there] = places[chosen]; // they change places
  places[chosen] = square;
  show();
}

async function show() {
  board.setPieces(Object.fromEntries(Object.entries(places).map(([letter, square]) => [square, letter])));
  board.setMarks({}, new Set(), {});
  find("pieces").replaceChildren(...Object.keys(places).map((letter) => make("button", {
    type: "button", role: "radio", "aria-checked": String(letter === chosen), onclick: () => { chosen = letter; show(); },
  }, `${pieceName(letter)} ${places[letter]}`)));
  const mine = ++asking;
  const side = say(SIDES[find("side").value]);
  try {
    const answer = await read(`/api/ending?rules=${encodeURIComponent(find("rules").value)}&position=${encodeURIComponent(positionText())}`);
    if (mine !== asking) return;
    find("answer").textContent = say(SAID[answer.result], { side, plies: answer.plies });
    find("moves").replaceChildren(...answer.moves.map(({ move, result, plies }) => make("li", {}, say(AFTER[result], { move, plies }))));
  } catch (error) {
    if (mine !== asking) return;
    find("answer").textContent = error.message;
    find("moves").replaceChildren();
  }
}

function onKey(event) {
  const square = event.target.closest("[data-square]")?.dataset.square;
  if (!square) return;
  if (event.key === "Enter" || event.key === " ") {
    event.preventDefault();
    put(square);
  } else if (event.key in KEYS) {
    event.preventDefault();
    const [files, ranks] = KEYS[event.key];
    const file = "abcdefghij"["abcdefghij".indexOf(square[0]) + files], rank = Number(square.slice(1)) + ranks;
    if (file && rank >= 1 && rank <= 10) board.focus(file + rank);
  }
}

async function begin() {
  const about = await read("/api/about");
  Object.assign(languages, about.languages);
  const asked = new URLSearchParams(location.search).get("lang");
  await Promise.all([speak(asked in languages ? asked : ofBrowser() ?? about.language), loadPieces(), board.show("grid", false)]);
  const names = await read("/api/endings");
  find("rules").replaceChildren(...names.map((name) => make("option", { value: name, selected: name === "zillions" }, readingName(name))));
  find("side").replaceChildren(...Object.entries(SIDES).map(([value, words]) => make("option", { value }, say(words))));
  find("escapes").replaceChildren(...Object.keys(mayEscape).map((side) => make("label", {}, make("input", { type: "checkbox", onchange: (event) => { mayEscape[side] = event.target.checked; show(); } }),
    make("span", {}, say("{side} may still escape", { side: say(SIDES[side.toLowerCase()]) })))));
  for (const id of ["rules", "side"]) find(id).addEventListener("change", show);
  find("board").addEventListener("click", (event) => {
    const square = event.target.closest("[data-square]")?.dataset.square;
    if (square) put(square);
  });
  find("board").addEventListener("keydown", onKey);
  if (names.length) return show();
  find("answer").textContent = say("There are no tables of endings here yet; the table's owner makes them by: jetan endings make zillions");
}

begin();
