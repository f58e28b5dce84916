// What stands around the board: whose turn it is, what the table says, counters, die, hand and box.

import { drawPiece, element } from "./board.js";
import { find, make } from "./elements.js";
import { actionsOf } from "./features.js";
import { lineOf } from "./moves.js";
import { SIDES } from "./names.js";
import { _, inWords, say } from "./sentences.js";
import { openingActions } from "./stakes.js";
import { countOf, endingAt, kindName, linesOf, ownSide, plyName, readingName, resultIn, titleOf } from "./words.js";

const MANY_QUIET = 20; // plies
const MOST_NAMED = 3; // squares to choose from: of more than these the board is easier to look at
const LOOKING = _("I am looking for a hint.");
const HINTED = _("Hint: {move}.");

/** So many whole moves, one of each side together, are in these plies. */
const movesIn = (plies) => Math.floor(plies / 2);

export function drawTurn(state) {
  const next = state.opening.due ? say("Before the first move") : `${say(SIDES[state.side])} ${say("to move")}`;
  const turn = state.fight ? say("The fight for {square}", { square: state.fight.square }) : next;
  find("turn").textContent = state.over ? titleOf(state.over.result, ownSide(state)) : turn;
  find("turn").className = `turn ${state.over ? "over" : state.side}`;
}

export function drawSaid(state, ask) {
  const told = linesOf(state);
  // What is said already is not said again to those who listen.
  if (told.join("\n") !== [...find("said").children].map((line) => line.textContent).join("\n")) {
    find("said").replaceChildren(...told.map((words) => make("p", {}, words)));
  }
  // What stands in the line above already is said to ears alone.
  for (const line of find("said").children) line.classList.toggle("same", line.textContent === say("{side} to move.", { side: say(SIDES[state.side]) }));
  for (const line of find("said").children) line.classList.toggle("looking", line.textContent === say(LOOKING));
  find("said").children[endingAt(state)]?.classList.add("ending");
  // What was said of a move stays beside the moves once it was played.
  const hint = state.said.findIndex(({ template }) => template === HINTED);
  if (hint >= 0) find("last-word").textContent = told.slice(hint).join(" ");
  find("last-word").hidden = hint >= 0;
  find("said-card").classList.toggle("urgent", Boolean(state.trouble || state.asks || state.boards || state.offers_draw || (state.wish && !state.is_screen) || state.opening.due || state.is_led));
  find("said-actions").replaceChildren(...actions(state, ask));
  if (!find("open-camera").hidden) import("./camera.js").then(({ drawCompared }) => drawCompared(state.asks));
}

/** What can be done about what the table says just now. */
function actions(state, ask) {
  const offered = [];
  if (state.said.some(({ template }) => template === LOOKING)) offered.push(make("button", { id: "do-hint-off", onclick: () => ask({ do: "hint", wanted: "off" }) }, say("Call it off")));
  const candidates = state.asks?.candidates ?? [];
  if (candidates.length > MOST_NAMED) offered.push(make("span", {}, say("Press its square on the board.")));
  else for (const square of candidates) {
    offered.push(make("button.main", { onclick: () => ask({ do: "answer", square }) }, say(state.asks.corner ? _("{corner} is {square}") : _("It was {square}"), { square, corner: state.asks.corner })));
  }
  for (let board = 1; board <= state.boards; board++) {
    offered.push(make("button.main", { onclick: () => ask({ do: "right", board }) }, say("It is board {number}", { number: board })));
  }
  if (state.offers_draw && state.offers_draw !== ownSide(state)) {
    offered.push(make("button.main", { id: "do-accept", onclick: () => ask({ do: "accept" }) }, say("Accept the draw")));
    offered.push(make("button", { id: "do-decline", onclick: () => ask({ do: "decline" }) }, say("Decline")));
  }
  offered.push(...actionsOf(state, ask));
  offered.push(...openingActions(state, ask));
  if (state.wish && state.hands && !state.hands.in_hand.length) {
    offered.push(make("button.main", { onclick: () => ask({ do: "oblige" }) }, say("Make the opponent’s move")));
  }
  if (state.touched.length) {
    offered.push(make("button", { id: "do-release", title: say("It was touched by accident and need not move."), onclick: () => ask({ do: "release" }) }, say("Release it")));
  }
  if (state.is_led && !state.boards) {
    if (state.hands) offered.push(make("button.main", { onclick: () => ask({ do: "tidy" }) }, say("Set the pieces up for me")));
    offered.push(make("button", { title: say("Choose this if a switch is wrong: the table then plays on without it."), onclick: () => ask({ do: "right" }) }, say("I’ve fixed the board")));
  }
  return offered;
}

/** What is counted in the game, and by what rules it is played; of an `other` one that is looked at, its rules and end. */
export function drawCounters(state, rules, other = null) {
  if (other) {
    find("counters").replaceChildren(...[readingName(other.rules), resultIn(other.result)].map((words) => make("li", {}, words)));
    return;
  }
  const told = [];
  if (state.few !== null) told.push(say("Few pieces: {count} of 5 moves", { count: movesIn(state.few) }));
  const limit = Number(rules.captureless);
  if (limit) told.push(say("Without a capture: {count} of {most} moves", { count: movesIn(state.quiet), most: limit }));
  else if (state.quiet > MANY_QUIET) told.push(say("Without a capture: {count} moves", { count: movesIn(state.quiet) }));
  told.unshift(...state.opening.told.map(inWords));
  find("counters").replaceChildren(make("li", { title: state.rules }, readingName(state.rules)), ...told.map((words) => make("li", {}, words)));
}

/** The bar of chances: Black's share of the points, 0..1; null where it is not known, or not wanted. */
export function drawBar(chance) {
  find("bar").hidden = chance === null;
  if (chance === null) return;
  const black = Math.round(100 * chance);
  find("bar").setAttribute("aria-label", say("Expected score: Black {black} %, Orange {orange} %", { black, orange: 100 - black }));
  find("bar").title = find("bar").getAttribute("aria-label");
  find("bar").firstElementChild.style.width = `${black}%`;
}

/** What the opponent thinks: how far it looks, and the line it expects of the position where that is wanted. */
export function drawThinking({ opponent, rules, position }, isWanted, enter) {
  const thinks = opponent?.thinks ?? null;
  find("thinks").hidden = !thinks || !isWanted;
  if (!thinks || !isWanted) return;
  const told = [say("{moves} ahead", { moves: countOf(thinks.depth) })];
  if (thinks.win_in !== null) told.push(say(thinks.win_in > 0 ? _("It sees a win in {moves}") : _("It sees a loss in {moves}"), { moves: countOf(Math.abs(thinks.win_in)) }));
  find("thinks").replaceChildren(
    make("h3", {}, say("What it thinks")), make("p", {}, told.join(" · ")), lineOf({ from: { rules, position }, moves: thinks.line }, enter),
  );
}

/** The die, its rolls and its seal: while it is rolled, before the first move and after the last one. */
export function drawDie({ die, standing, moves, over, is_screen: isScreen }) {
  const isIdle = moves.length > 0 && !over && !Object.values(standing).includes("*");
  find("die-card").hidden = die === null || isIdle;
  if (!die) return;
  find("own-die").hidden = isScreen && !over; // the seal is shown at the end
  for (const form of ["shown-form", "number-form"]) find(form).hidden = isScreen;
  const numbers = die.rolls.at(-1)?.split(" ")[0] ?? "";
  find("die-face").textContent = die.is_due && !numbers ? "?" : numbers === "10" ? "0" : numbers || "–";
  find("die-face").classList.toggle("teleport", numbers.includes(","));
  find("die-face").setAttribute("aria-label", numbers || say("not rolled yet"));
  const rolled = die.history.slice(-6).reverse().map(([number, roll]) => make("li", {}, `${plyName(number)}: ${roll.split(" ")[0].replaceAll(",", ", ")}`));
  find("die-history").replaceChildren(...rolled);
  const seal = [];
  if (die.commit) seal.push(say("Sealed before the first roll, SHA-256: {commit}", { commit: die.commit }));
  if (die.added.length) seal.push(say("Added: {numbers}", { numbers: die.added.join(", ") }));
  if (die.seed) seal.push(say("Its seed was {seed}", { seed: die.seed }));
  find("die-seal").textContent = seal.join(" · ");
}

/** Who fights for which square, with what they add to their throws, and what was thrown so far. */
export function drawFight({ fight, is_screen: isScreen }, rules) {
  find("fight-card").hidden = fight === null;
  if (!fight) return;
  const pieces = [fight.attacker, fight.defender].map((letter) => kindName(letter, rules));
  find("fight-title").textContent = say("The fight for {square}", { square: fight.square });
  find("fight-sides").replaceChildren(
    ...pieces.map((piece, at) => make("li", {}, `${piece} +${fight.values[at]}`)),
    ...fight.throws.map((thrown) => make("li", {}, thrown.split(" ")[0].replace(",", " : "))),
  );
  find("attacker-won").textContent = say("{piece} has won", { piece: pieces[0] });
  find("defender-won").textContent = say("{piece} has won", { piece: pieces[1] });
  for (const button of ["attacker-won", "defender-won"]) find(button).disabled = fight.throws.length > 0;
  for (const own of ["attacker-won", "defender-won", "throw-form"]) find(own).hidden = isScreen;
  find("our-dice-label").textContent = say("Our own dice show ({attacker} first)", { attacker: pieces[0] });
  find("our-dice").placeholder = say("7,4");
}

/** Show pieces in a tray, those of a letter together; the `chosen` one is pressed. */
export function fillTray(tray, letters, empty, chosen, rules, choose) {
  const counts = new Map();
  for (const letter of letters) counts.set(letter, (counts.get(letter) ?? 0) + 1);
  const pieces = [...counts].map(([letter, count]) => {
    const picture = element("svg", { viewBox: "-52 -52 104 104", "aria-hidden": "true" });
    picture.append(drawPiece(letter));
    const button = make("button.token", {
      "aria-pressed": String(letter === chosen),
      "aria-label": `${kindName(letter, rules)}${count > 1 ? ` (${count})` : ""}`,
      onclick: (event) => {
        event.stopPropagation();
        choose(letter);
      },
    }, picture);
    if (count > 1) button.append(make("b", {}, count));
    return button;
  });
  tray.replaceChildren(...(pieces.length ? pieces : [make("span.quiet", {}, empty)]));
}
