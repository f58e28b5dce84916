// Move cards: the figure of a piece and how it goes by the rules in play; every piece's name opens one.

import { drawPiece, element } from "./board.js";
import { open } from "./dialogs.js";
import { make } from "./elements.js";
import { read } from "./link.js";
import { language, say } from "./sentences.js";
import { kindName } from "./words.js";

const KINDS = "PTWADFCQ";

async function cardsBy(rules) {
  return read(`/api/cards/${language}?rules=${encodeURIComponent(rules)}`);
}

/** One card: the piece as it is drawn on the board, its name and its sentences. */
function drawCard({ letter, name, sentences }) {
  const figure = element("svg", { viewBox: "-52 -52 104 104", class: "figure", "aria-hidden": "true" }, drawPiece(letter));
  return make("article.move-card", { "data-card": letter }, figure, make("div", {}, make("h3", {}, name), make("p", {}, sentences)));
}

/** Open the card of a piece, by its letter, under the rules of this text. */
export async function openCard(letter, rules) {
  const cards = await cardsBy(rules.includes("juggernaut") || letter !== "*" ? rules : `${rules}+juggernaut`);
  const wanted = cards.find((card) => card.letter === letter.toUpperCase());
  if (wanted) open(say("How the pieces move"), [drawCard(wanted)]);
}

/** Add the cards of all pieces to what a dialog shows. */
export async function addCards(form, rules) {
  const cards = await cardsBy(rules);
  form.querySelector(".aim").after(make("section.cards", { "aria-label": say("How the pieces move") }, make("h3", {}, say("How the pieces move")), ...cards.map(drawCard)));
}

/** Let every piece's name in the text of an element open its card. */
export function linkNames(root, values, rules) {
  const letters = new Map([...KINDS].map((letter) => [kindName(letter, values), letter]));
  letters.set(say("Juggernaut"), "*");
  const names = new RegExp(`(?<![\\p{L}])(${[...letters.keys()].join("|")})(?![\\p{L}])`, "u");
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  const texts = [];
  while (walker.nextNode()) if (!walker.currentNode.parentElement.closest("button")) texts.push(walker.currentNode);
  for (const text of texts) {
    const parts = text.data.split(names);
    if (parts.length < 2) continue;
    text.replaceWith(...parts.map((part) => {
      const letter = letters.get(part);
      if (!letter) return part;
      return make("button.piece-name", { type: "button", title: say("How it moves: {piece}", { piece: part }), onclick: () => openCard(letter, rules) }, part);
    }));
  }
}
