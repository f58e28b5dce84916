// A study: a tree of all that was tried, each move of which is a click away; the best moves, a name, and a way out.

import { askLine, NAME, open } from "../../dialogs.js";
import { find, make } from "../../elements.js";
import { read } from "../../link.js";
import { lineOf, roam, stop } from "../../moves.js";
import { say } from "../../sentences.js";
import { showTab } from "../../tabs.js";
import { plyInWords } from "../../words.js";

let page = {}; // `ask`, `enter` and `state`
let card = null;
let drawn = null; // what the card shows

/** Put the card above the moves, and the way to it beside the opponent. */
export function prepareStudy(does) {
  page = does;
  card = make("section", { id: "study-card", hidden: true },
    make("h2", {}), make("ol", { id: "study-best" }), make("ul.tree", { id: "study-tree", onkeydown: (event) => roam(event, find("study-tree")) }), make("div.row", { id: "study-actions" }));
  find("moves-card").prepend(card);
  find("open-opponent").after(make("button", { id: "study", "data-action": "study", hidden: true, onclick: () => page.ask({ do: "study", is_wanted: true }) }));
}

/** Show the study; where no help may be had there is no way to one. */
export function drawStudy(state) {
  const { study: now, moves, rules, position } = state;
  const button = find("study");
  Object.assign(button, { hidden: now !== null || !state.may_hint || state.lesson !== null || state.training !== null, textContent: say("Study") });
  button.title = say("Try moves freely: every line is kept, and the three best moves light up");
  if (now && card.hidden) showTab("moves");
  card.hidden = now === null;
  document.body.classList.toggle("studying", now !== null);
  const shown = JSON.stringify([now, moves, say("Study")]);
  if (now === null || shown === drawn) return;
  drawn = shown;
  card.querySelector("h2").textContent = now.name ? say("Study: {name}", { name: now.name }) : say("Study");
  find("study-best").setAttribute("aria-label", say("Best moves"));
  find("study-best").replaceChildren(...now.best.map(({ moves: line, chance }) => make("li", {},
    make("b", { title: say("Black's chances") }, `${Math.round(100 * chance)} %`), lineOf({ from: { rules, position }, moves: line }, page.enter))));
  find("study-tree").setAttribute("aria-label", say("Lines"));
  find("study-tree").replaceChildren(...branch(grown(now.lines), state.first_number, true));
  const here = [...find("study-tree").querySelectorAll("button")];
  const at = here.findIndex(({ dataset }) => dataset.moves === moves.join(" "));
  if (at >= 0) here[at].setAttribute("aria-current", "step");
  stop(here, Math.max(at, 0))?.scrollIntoView({ block: "nearest" });
  find("study-actions").replaceChildren(
    make("button", { id: "study-name", onclick: askName }, now.name ? say("Rename") : say("Name it")),
    make("button", { id: "study-other", onclick: askOther }, say("Other studies")),
    make("button", { id: "leave-study", onclick: () => page.ask({ do: "study", is_wanted: false }) }, say("Leave the study")));
}

/** The tree of lines: each node has its `moves` from the start, and the nodes after it. */
function grown(lines) {
  const root = { moves: [], after: new Map() };
  for (const line of lines) {
    line.reduce((node, move) => {
      if (!node.after.has(move)) node.after.set(move, { moves: [...node.moves, move], after: new Map() });
      return node.after.get(move);
    }, root);
  }
  return root;
}

/** The moves after a node as items of a list: its first line on one level, what else was tried folded into it. */
function branch(node, first, isStart) {
  const items = [];
  for (let at = node, isFirst = isStart; at.after.size; ) {
    const [main, ...others] = at.after.values();
    items.push(moveOf(main, first, isFirst), ...others.map((other) => make("li.other", {}, make("ul", {}, moveOf(other, first, true), ...branch(other, first, false)))));
    [at, isFirst] = [main, others.length > 0];
  }
  return items;
}

function moveOf({ moves }, first, isFirst) {
  const number = first + moves.length - 1;
  const count = number % 2 ? `${(number + 1) / 2}. ` : isFirst ? `${number / 2}… ` : "";
  return make("li", {}, make("button", { type: "button", "data-moves": moves.join(" "), "aria-label": count + plyInWords(moves.at(-1)), onclick: () => walk(moves) }, count + moves.at(-1)));
}

/** Go to a node: the table takes back and plays what leads there; without one, on along the first line. A real board is only shown it. */
export async function walk(to) {
  const { study: { lines, start }, rules, is_screen: isScreen } = page.state();
  const begins = (line, moves) => moves.every((move, at) => line[at] === move);
  const now = () => page.state().moves;
  const moves = to ?? lines.find((line) => line.length > now().length && begins(line, now()))?.slice(0, now().length + 1) ?? now();
  if (!isScreen) return page.enter({ from: { rules, position: start }, moves }, moves.length);
  while (!begins(moves, now())) if ((await page.ask({ do: "back" })) === null) return null;
  for (const move of moves.slice(now().length)) {
    const [start, end] = move.match(/[a-j]\d+/g);
    if ((await page.ask({ do: "move", from_square: start, to_square: end })) === null) return null;
  }
  return null;
}

async function askName() {
  const name = await askLine(say("Name of the study"), say("Name"), { ...NAME, ok: say("Keep"), value: page.state().study.name });
  if (name) await page.ask({ do: "name-study", name });
}

async function askOther() {
  const names = await read("/api/studies");
  const rows = names.map((name) => make("button", { type: "submit", value: name }, name));
  const words = names.length ? [make("div.themes", {}, ...rows)] : [make("p", {}, say("No study has a name yet."))];
  const name = await open(say("Studies"), words, [["", say("Cancel")]]).closed;
  if (name) await page.ask({ do: "study", is_wanted: true, name });
}
