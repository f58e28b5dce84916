// Move cards: where a piece may go by the rules in play, and what it is; one stands beside the moves.

import { drawPiece, element } from "./board.js";
import { open } from "./dialogs.js";
import { find, make } from "./elements.js";
import { read } from "./link.js";
import { language, say } from "./sentences.js";

const REACH = 3; // squares from the middle of the little board to its edge
const kept = new Map(); // cards by the path they were read from
let shown = null; // what stands beside the moves

function cardsBy(rules) {
  const path = `/api/cards/${language}?rules=${encodeURIComponent(rules)}`;
  if (!kept.has(path)) kept.set(path, read(path));
  return kept.get(path);
}

/** Where a piece may go on an empty board: the piece, and a dot for each square; its own side is below, or above. */
function drawReach(letter, goes, isAbove) {
  const wide = 2 * REACH + 1;
  const squares = Array.from({ length: wide * wide }, (_, at) => element("rect", { x: at % wide, y: Math.floor(at / wide), width: 1, height: 1, class: `reach-${at % 2}` }));
  const dots = goes.map(([right, ahead]) => element("circle", { cx: REACH + 0.5 + right, cy: REACH + 0.5 - (isAbove ? -ahead : ahead), r: 0.2, class: "reach-dot" }));
  const piece = element("g", { transform: `translate(${REACH + 0.5} ${REACH + 0.5}) scale(.0105)` }, drawPiece(letter));
  return element("svg", { viewBox: `0 0 ${wide} ${wide}`, class: "figure", "aria-hidden": "true" }, ...squares, ...dots, piece);
}

/** One card: where the piece may go, its name and its sentences. */
const drawCard = ({ letter, name, sentences, goes }, as = letter, heading = "h3", isAbove = false) =>
  make("article.move-card", { "data-card": letter }, drawReach(as, goes, isAbove), make("div", {}, make(heading, {}, name), make("p", {}, sentences)));

async function cardOf(letter, rules) {
  const cards = await cardsBy(rules.includes("juggernaut") || letter !== "*" ? rules : `${rules}+juggernaut`);
  return cards.find((card) => card.letter === letter.toUpperCase());
}

/** Open the card of a piece, by its letter, under the rules of this text. */
export async function openCard(letter, rules) {
  const wanted = await cardOf(letter, rules);
  if (wanted) open(say("How the pieces move"), [drawCard(wanted)]);
}

/** Show the card of the piece that was touched last beside the moves, as it stands on a board; null: none was yet. */
export async function drawTouched(letter, rules, isFlipped) {
  const wanted = `${letter} ${rules} ${language} ${isFlipped}`;
  if (shown === wanted) return;
  shown = wanted;
  const card = letter && (await cardOf(letter, rules));
  if (shown === wanted) find("piece-card").replaceChildren(card ? drawCard(card, letter, "h2", (letter !== letter.toUpperCase()) !== isFlipped) : make("p.quiet", {}, say("Touch a piece: here stands how it moves.")));
}

/** Add the cards of all pieces to what a dialog shows. */
export async function addCards(form, rules) {
  const cards = await cardsBy(rules);
  form.querySelector(".aim").after(make("section.cards", { "aria-label": say("How the pieces move") }, make("h3", {}, say("How the pieces move")), ...cards.map((card) => drawCard(card))));
}
