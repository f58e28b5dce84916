// A kept game looked at afterwards: a graph of the chances that can be walked, and its turning points.

import { element } from "./board.js";
import { find, make } from "./elements.js";
import { doerOf } from "./features.js";
import { read } from "./link.js";
import { lineOf } from "./moves.js";
import { SIDES } from "./names.js";
import { language, say } from "./sentences.js";

const WIDE = 600;
const HIGH = 150;
const SHAPES = { "?!": "M-5 0A5 5 0 1 1 5 0A5 5 0 1 1-5 0Z", "?": "M0-6L6 0L0 6L-6 0Z", "??": "M0-7L7 6H-7Z" };

let moves = null; // the list of moves, which knows what is looked at
let complain = () => {};
let page = {}; // what else it can do: `enter` lines, `point` at moves
let card = null;
let shown = null; // {game, language, rows}
let cameFrom = null; // the game that was looked at before its moves were guessed
let drawnFor = null; // the game and language that the card is drawn for

/** Put the card below the moves; `list` knows what is looked at, `tell(words)` says what went wrong, `does` are `enter(line, at)` and `point(arrows)`. */
export function prepareAnalysis(list, tell, does) {
  [moves, complain, page] = [list, tell, does];
  card = make("section", { id: "analysis-card", hidden: true }, make("h2", {}), make("div", { id: "analysis" }), make("div.row", { id: "analysis-actions" }));
  find("analysis-tab").prepend(card);
}

/** Show the analysis of the game that is looked at, if it is a kept one, and mark the move. */
export function drawAnalysis(state) {
  const game = moves.other ? moves.other.load.game ?? null : state.over ? state.game : null;
  card.hidden = game === null || !state.helps;
  if (card.hidden) return;
  const isKnown = shown?.game === game && shown.language === language;
  const drawing = JSON.stringify([game, language, isKnown]);
  if (drawing !== drawnFor) draw(game, isKnown);
  drawnFor = drawing;
  if (isKnown) mark();
}

const gameShown = () => moves.other?.document ?? moves.state;

/** Whether dice have a say in a game: nobody can guess what was played then. */
export const hasDice = ({ rules, duels }) => duels.length > 0 || /\+juggernaut|juggernaut=(?!off)/.test(rules);

/** Look again at the game whose moves were guessed. */
export function resumeGame() {
  if (cameFrom) moves.look(cameFrom.title, cameFrom.document, cameFrom.load, cameFrom.plies);
  cameFrom = null;
}

function draw(game, isKnown) {
  card.querySelector("h2").textContent = say("Analysis");
  find("analysis").replaceChildren(...(isKnown ? [graph(), turningPoints()] : []));
  const guess = (side) => make("button", { id: `guess-${side}`, onclick: async () => {
    const at = moves.at ?? 0;
    const plies = at < gameShown().moves.length - 1 ? at : 0; // at the end there is nothing left to guess
    const looked = moves.other && { ...moves.other, plies: at };
    if (await doerOf("guess")?.({ game, side, plies })) cameFrom = looked;
  } }, say("Guess {side}'s moves", { side: say(SIDES[side]) }));
  find("analysis-actions").replaceChildren(
    ...(isKnown ? [] : [make("button.main", { id: "analyse", "data-action": "analyse", onclick: (event) => analyse(game, event.target) }, say("Analyse this game"))]),
    ...(hasDice(gameShown()) ? [] : [guess("black"), guess("orange")]));
}

/** Have a game analysed, and show what is found. */
export async function analyse(game, button = null) {
  if (button) button.disabled = true;
  find("analysis").replaceChildren(make("p.quiet", { role: "status" }, say("The table analyses every move: this may take a minute.")));
  const asked = language;
  try {
    const { rows } = await read(`/api/games/${game}/analysis?lang=${asked}`);
    shown = { game, language: asked, rows };
  } catch (error) {
    complain(error.message);
    find("analysis").replaceChildren();
  }
  drawnFor = null;
  drawAnalysis(moves.state);
  find("chances")?.focus({ preventScroll: true });
}

/** Where a game turned most, as far as it has been analysed: {ply, move, explained, show}; null where nowhere. */
export function turningPoint(game) {
  if (shown?.game !== game) return null;
  const swing = (ply) => Math.abs(chanceAt(ply) - chanceAt(ply - 1));
  const [ply] = marked().sort((one, other) => swing(other) - swing(one));
  if (!ply) return null;
  return { ply, move: numbered(shown.rows[ply - 1]), explained: shown.rows[ply - 1].explained, show: () => go(ply) };
}

const marked = () => shown.rows.flatMap((row, index) => (row.mark ? [index + 1] : []));
const chanceAt = (ply) => (ply ? shown.rows[ply - 1].chance : 0.5);
const acrossOf = (ply) => (WIDE * ply) / Math.max(shown.rows.length, 1);
const downOf = (chance) => HIGH * (1 - chance);
const numbered = ({ number, side, played, mark: how }) => `${Math.ceil(number / 2)}${side === "black" ? "." : "..."} ${played}${how ? ` ${how}` : ""}`;

/** The graph: a slider of moves, so that keys and readers of the screen can walk it. */
function graph() {
  const { rows } = shown;
  const points = [0.5, ...rows.map((row) => row.chance)].map((chance, ply) => `${acrossOf(ply).toFixed(1)},${downOf(chance).toFixed(1)}`);
  const picture = element("svg", { viewBox: `-8 -16 ${WIDE + 16} ${HIGH + 32}`, class: "chances", "aria-hidden": "true" },
    element("rect", { class: "ground", width: WIDE, height: HIGH }),
    element("polygon", { class: "ours", points: `0,${HIGH} ${points.join(" ")} ${WIDE},${HIGH}` }),
    element("line", { class: "even", x2: WIDE, y1: HIGH / 2, y2: HIGH / 2 }),
    element("polyline", { class: "course", points: points.join(" ") }),
    element("line", { class: "here", y2: HIGH }));
  for (const ply of marked()) {
    const { chance, mark: how } = rows[ply - 1];
    picture.append(element("path", { class: "swing", d: SHAPES[how], transform: `translate(${acrossOf(ply)} ${downOf(chance)})` }));
  }
  const slider = make("div.walk", {
    id: "chances", role: "slider", tabindex: 0, "aria-label": say("Black's chances, move by move"), "aria-description": say("Arrow keys step through the moves, Page Up and Page Down through the turning points."),
    "aria-valuemin": 0, "aria-valuemax": rows.length, onkeydown: walk,
    onpointerdown: (event) => follow(event), onpointermove: (event) => event.buttons && follow(event),
  }, picture);
  return slider;

  function follow(event) {
    const { left, width } = picture.getBoundingClientRect();
    const share = ((event.clientX - left) / width) * (WIDE + 16) - 8;
    go(Math.round((share / WIDE) * rows.length));
  }
}

function walk(event) {
  const { at } = moves;
  const turns = marked();
  const to = {
    ArrowLeft: at - 1, ArrowDown: at - 1, ArrowRight: at + 1, ArrowUp: at + 1, Home: 0, End: shown.rows.length,
    PageUp: turns.findLast((ply) => ply < at), PageDown: turns.find((ply) => ply > at),
  }[event.key];
  if (to === undefined) return;
  event.preventDefault();
  event.stopPropagation();
  go(to);
}

function go(ply) {
  // The end of the game that was played is the table itself, which is no past: its last move is walked to, not past.
  const last = moves.other ? shown.rows.length : shown.rows.length - 1;
  moves.go(Math.min(Math.max(ply, 0), last));
}

function turningPoints() {
  const turns = marked();
  if (!turns.length) return make("p.quiet", {}, say("Nobody gave much away."));
  const rows = turns.map((ply) => {
    const row = shown.rows[ply - 1];
    return make("li", {},
      make("button.turning", { "data-turn": ply, onclick: () => go(ply) }, numbered(row)),
      ...row.explained.map((words) => make("p", {}, words)),
      lineOf({ from: { game: shown.game, plies: ply - 1 }, moves: row.line }, page.enter),
      ...(row.reply.length ? [make("p.quiet", {}, say("After {move}:", { move: row.played })), lineOf({ from: { game: shown.game, plies: ply }, moves: row.reply }, page.enter)] : []));
  });
  return make("section", { "aria-label": say("Turning points") }, make("h3", {}, say("Turning points")), make("ol.turns", {}, ...rows));
}

/** Black's share of the points where we look, 0..1, once it is known; null before. */
export function chanceShown() {
  return card.hidden || !shown || moves.line ? null : chanceAt(moves.at ?? shown.rows.length);
}

/** Point at the best move of the position that is looked at, and at the answer to what was played where that was a mistake. */
async function pointAt(ply) {
  const next = shown.rows[ply];
  const lines = [["best", next?.line], ["reply", shown.rows[ply - 1]?.mark && shown.rows[ply - 1].reply]];
  const { game } = shown;
  const arrows = await Promise.all(lines.map(async ([kind, line]) => {
    if (!line?.length) return null;
    const { paths } = await read(`/api/line?${new URLSearchParams({ game, plies: ply, moves: line[0] })}`);
    return { kind, path: paths[0] };
  }));
  if (moves.at === ply && !moves.line && shown?.game === game) page.point(arrows.filter(Boolean));
}

/** Mark the move that is looked at. */
function mark() {
  if (moves.at !== null && !moves.line) pointAt(moves.at).catch((error) => complain(error.message));
  const at = moves.at ?? shown.rows.length;
  const row = shown.rows[at - 1];
  const words = row ? say("{move}: Black's chances {chance} %", { move: numbered(row), chance: Math.round(100 * row.chance) }) : say("Start");
  const slider = find("chances");
  slider.setAttribute("aria-valuenow", at);
  slider.setAttribute("aria-valuetext", words);
  slider.title = words;
  slider.querySelector(".here").setAttribute("transform", `translate(${acrossOf(at)} 0)`);
  for (const button of card.querySelectorAll("[data-turn]")) button.toggleAttribute("aria-current", Number(button.dataset.turn) === at);
}
