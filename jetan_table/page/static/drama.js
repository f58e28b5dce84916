// What chance has decided, over the board: both throws of a fight and who won, and the Juggernaut's roll.

import { drawPiece, element } from "./board.js";
import { find, make } from "./elements.js";
import { FOUGHT_MS, ROLLED_MS } from "./motion.js";
import { standingOf } from "./moves.js";
import { _, inWords, say } from "./sentences.js";
import { play } from "./sound.js";
import { isStill } from "./walk.js";
import { pieceName } from "./words.js";

const TUMBLE_MS = 90;
const READ_MS = 4500;
const FACES = 10;

let box = null;
let timers = [];
let tumbling = null;
let untold = []; // what is told once the dice lie still

/** Take away what is shown. */
export function hideDrama() {
  stop();
  if (box) box.hidden = true;
}

/** Whether something is there to be read. */
export const isDramatic = () => box !== null && !box.hidden;

/** Tell what dice have shown once none rolls any more, at once where none does. */
export function whenAtRest(tell) {
  if (tumbling === null) tell();
  else untold.push(tell);
}

/** Show what has happened since the state before: a fight that opens or is decided, a roll; nothing else. */
export function drawDrama(before, state, rules) {
  const fought = state.duels.length > before.duels.length ? state.duels.at(-1) : null;
  if (fought) showFought(fought, before.fight?.square ?? state.last_path.at(-1), rules);
  else if (state.fight && !before.fight) showFight(state.fight, rules);
  else if (isRolledAnew(before, state)) showRoll(before, state, rules);
  else if (state.moves.length !== before.moves.length || state.game !== before.game) hideDrama();
}

function isRolledAnew(before, { die, moves, game }) {
  const rolls = die?.rolls ?? [];
  if (!rolls.length || game !== before.game || moves.length < before.moves.length) return false;
  return moves.length > before.moves.length || rolls.length > (before.die?.rolls.length ?? 0);
}

/** A fight that is open: who fights, and what each adds to the throw. */
function showFight({ square, attacker, defender, values }, rules) {
  open(square, fighters([attacker, defender], values, ["?", "?"], rules), say("The fight for {square}", { square }));
}

/** A fight that is decided: the dice roll, and then it is seen who has won. */
function showFought({ attacker, defender, values, throws, attacker_won: isWon }, square, rules) {
  const letters = [attacker, defender];
  const winner = pieceName(isWon ? attacker : defender, rules);
  const words = say(isWon ? _("The {piece} wins the fight for {square}.") : _("The {piece} holds {square}."), { piece: winner, square });
  const thrown = throws.at(-1)?.split(" ")[0].split(",") ?? null;
  const sides = fighters(letters, values, thrown ?? ["", ""], rules);
  open(square, sides, thrown ? say("The fight for {square}", { square }) : words);
  const settle = () => {
    for (const [at, side] of [...sides.querySelectorAll(".fighter")].entries()) {
      side.classList.add((at === 0) === isWon ? "won" : "lost");
      if (thrown) side.querySelector(".sum").textContent = `= ${Number(thrown[at]) + values[at]}`;
    }
    write(words, throws.length > 1 ? say("Equal at first, so thrown again: {throws}", { throws: throws.slice(0, -1).map((each) => each.split(" ")[0].replace(",", ":")).join(", ") }) : null);
  };
  if (thrown) tumble(FOUGHT_MS, settle);
  else settle();
  later(READ_MS, hideDrama);
}

/** The Juggernaut's roll, and where it sends it. */
function showRoll(before, state, rules) {
  const at = squareOf(byRules(state), "*");
  const roll = state.die.rolls.at(-1).split(" ")[0].split(",");
  const faces = make("div.dice", { "aria-hidden": "true" }, ...roll.map((each) => dieOf(each === "10" ? "0" : each)));
  open(at, faces, "");
  tumble(ROLLED_MS, () => write(rollWords(before, state, roll, at, rules)));
  later(READ_MS - 1000, hideDrama);
}

function rollWords(before, state, roll, at, rules) {
  const was = squareOf(byRules(before), "*");
  if (state.die.is_due) return say("That leads off the board: the die is rolled again.");
  if (!at) return inWords(state.opening.told.at(-1)); // it was rolled for who begins
  if (at === was) return say("The Juggernaut rests.");
  const crushed = byRules(before)[at];
  if (crushed && crushed !== "*") return say("The Juggernaut crushes the {piece} on {square}.", { square: at, piece: pieceName(crushed, rules) });
  return say(roll.length > 1 ? _("The Juggernaut appears on {square}.") : _("The Juggernaut steps to {square}."), { square: at });
}

/** What stands where by the game, whatever hands have still to move. */
const byRules = ({ position }) => standingOf(position.split(" ")[0]);

const squareOf = (standing, letter) => Object.keys(standing).find((name) => standing[name] === letter);

function fighters(letters, values, thrown, rules) {
  const sides = letters.map((letter, at) => {
    const picture = element("svg", { viewBox: "-52 -52 104 104" }, drawPiece(letter));
    return make("div.fighter", { title: pieceName(letter, rules) }, picture, thrown[at] === "" ? null : dieOf(thrown[at]), make("span", {}, `+ ${values[at]}`), make("b.sum", {}, ""));
  });
  return make("div.fighters", { "aria-hidden": "true" }, ...sides);
}

/** A ten-sided die that shows a number. */
function dieOf(number) {
  const text = element("text", { class: "die-number", y: 9 });
  text.textContent = number;
  return element("svg", { viewBox: "-40 -46 80 92", class: "d10", "data-shows": number },
    element("path", { class: "d10-body", d: "M0 -42L36 -8V10L0 42L-36 10V-8Z" }),
    element("path", { class: "d10-edge", d: "M0 -42L22 14L0 42L-22 14Z M22 14L36 10 M-22 14L-36 10" }), text);
}

/** Put it over the half of the board in which its square does not lie. */
function open(square, picture, words) {
  stop();
  if (!box) {
    box = make("div.drama", { id: "drama" });
    find("board").parentNode.append(box);
  }
  const y = square ? document.querySelector(`#square-${square}`)?.getBoundingClientRect() : null;
  const board = find("board").getBoundingClientRect();
  box.classList.toggle("low", y !== null && y !== undefined && y.top + y.height / 2 < board.top + board.height / 2);
  box.replaceChildren(picture, make("p", { role: "status" }, words), make("small", { hidden: true }, ""));
  box.hidden = false;
}

function write(words, more = null) {
  box.querySelector("p").textContent = words;
  const small = box.querySelector("small");
  small.textContent = more ?? "";
  small.hidden = more === null;
}

/** Let all dice roll for a while, and then show what they have shown from the first. */
function tumble(ms, settle) {
  play("die");
  if (isStill()) {
    settle();
    return;
  }
  const dice = [...box.querySelectorAll(".d10")];
  for (const die of dice) die.classList.add("rolling");
  tumbling = setInterval(() => {
    for (const die of dice) die.querySelector("text").textContent = Math.floor(Math.random() * FACES);
  }, TUMBLE_MS);
  later(ms, () => {
    for (const die of dice) {
      die.classList.remove("rolling");
      die.querySelector("text").textContent = die.dataset.shows;
    }
    settle();
    rest();
  });
}

function later(ms, does) {
  timers.push(setTimeout(does, ms));
}

function stop() {
  for (const timer of timers) clearTimeout(timer);
  timers = [];
  rest();
}

/** The dice lie still, or are taken away: what they have shown is told. */
function rest() {
  clearInterval(tumbling);
  tumbling = null;
  for (const tell of untold.splice(0)) tell();
}
