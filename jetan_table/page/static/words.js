// What pieces, plies, results and readings are called in sentences.

import { KINDS, SIDES, STRENGTHS } from "./names.js";
import { _, inWords, say } from "./sentences.js";

/** How a game has ended for who plays one side of it alone, by why it has: won, and lost. */
const ENDINGS = {
  "princess taken": [_("You won: you have taken the enemy Princess."), _("You lost: your Princess was taken.")],
  "chief taken by chief": [_("You won: your Chief has taken the enemy Chief."), _("You lost: your Chief was taken by the enemy Chief.")],
  "chief taken by another piece": [_("You won: you have taken the enemy Chief."), _("You lost: your Chief was taken.")],
  checkmate: [_("You won: the enemy Princess cannot be saved."), _("You lost: your Princess cannot be saved.")],
  "no move": [_("You won: the enemy cannot move."), _("You lost: you cannot move.")],
  resigned: [_("You won: the enemy has resigned."), _("You lost: you have resigned.")],
  "time forfeit": [_("You won: the enemy has run out of time."), _("You lost: your time has run out.")],
};

/** What each sign between the squares of a ply says. */
const PLIES = { "-": _("{piece} {start} to {end}"), x: _("{piece} {start} takes on {end}"), "~": _("{piece} {start} flees to {end}") };

/** The name of a piece by its letter, under these rules: "Black Panthan", "Juggernaut". */
export function pieceName(letter, rules = {}) {
  if ("*?".includes(letter)) return kindName(letter);
  const side = letter === letter.toUpperCase() ? "black" : "orange";
  return `${say(SIDES[side])} ${kindName(letter, rules)}`;
}

export function kindName(letter, rules = {}) {
  if (letter === "*") return say("Juggernaut");
  if (letter === "?") return say("unknown piece");
  const kind = letter.toUpperCase();
  const other = kind === "F" ? rules["flier-name"] : undefined;
  return other && other !== "Flier" ? other : say(KINDS[kind]);
}

/** A ply in words, for ears: "Panthan d2 to d3". */
export function plyInWords(move, rules = {}) {
  const read = /^([A-Z])?([a-j]\d+)([-x~])([a-j]\d+)$/.exec(move);
  if (!read) return move;
  const [, letter, start, sign, end] = read;
  return say(PLIES[sign], { piece: letter ? kindName(letter, rules) : "", start, end }).trim();
}

/** A ply by its number, as the list of moves has it: "Move 2 (Orange)", one of each side together. */
export const plyName = (number) => say("Move {number} ({side})", { number: Math.ceil(number / 2), side: say(number % 2 ? SIDES.black : SIDES.orange) });

/** How a ply was fought for, in words: "fight lost 7:13"; nothing where it was not. */
export function foughtInWords(fought) {
  if (!fought) return "";
  const thrown = fought.throws.at(-1)?.split(" ")[0].split(",").map((each, at) => Number(each) + fought.values[at]);
  return say(fought.attacker_won ? _("fight won {throws}") : _("fight lost {throws}"), { throws: thrown?.join(":") ?? "" }).trim();
}

/** How a game has ended, in words. */
export function resultIn(result) {
  if (result === "*") return say("unfinished");
  return result === "draw" ? say("A draw") : say("{side} won", { side: say(SIDES[result]) });
}

/** The same as a heading, for who plays the side `own` alone where that is one. */
export function titleOf(result, own = null) {
  const words = own && result in SIDES ? say(result === own ? _("You won") : _("You lost")) : resultIn(result);
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** The side that people here play alone; null where they play both, or none. */
export function ownSide({ far, opponent }) {
  if (far) return far.own_side;
  return { black: "orange", orange: "black" }[opponent?.side] ?? null;
}

/** What the table says, line by line: how the game has ended, as who plays a side of it alone sees it. */
export function linesOf(state) {
  const lines = state.said.map(inWords);
  const own = ownSide(state);
  const endings = ENDINGS[state.over?.termination];
  if (own && endings && state.over.result in SIDES) lines[endingAt(state)] = say(endings[Number(state.over.result !== own)]);
  return lines;
}

/** Which of these lines says how the game has ended. */
export const endingAt = ({ over, trouble }) => (over ? Number(Boolean(trouble)) : -1);

/** How strong the table plays; a program that plays for it goes by its own name. */
export const strengthOf = (name) => (name in STRENGTHS ? say(STRENGTHS[name]) : name);

/** How many moves were made, in words: as they are numbered, one of each side together. */
export function countOf(plies) {
  const count = Math.ceil(plies / 2);
  return say(count === 1 ? _("1 move") : _("{count} moves"), { count });
}

/** How one wins by these rules, in a sentence. */
export function howOneWins(rules) {
  const isTaken = rules.ending !== "checkmate";
  if (isTaken && rules["chief-taken-by-other"] === "win") return say("Take the enemy Princess or the enemy Chief, with any piece, and you win.");
  if (isTaken && rules["chief-taken-by-other"] === "draw") return say("Take the enemy Princess, or take the enemy Chief with your own, and you win. A Chief taken by any other piece is a draw.");
  return say("Take the enemy Princess, and you win.");
}

/** The published readings of the rules by name, as `/api/about` tells them. */
export const readings = {};

/** A rules text as people call it: its reading, and whether something differs. */
export function readingName(rules) {
  const [named, ...differs] = rules.split(",");
  const [base, juggernaut] = named.split("+");
  const parts = [base in readings ? say(readings[base].title) : base];
  if (juggernaut) parts.push(say("with the Juggernaut"));
  if (differs.length) parts.push(say("with changes"));
  return parts.join(", ");
}
