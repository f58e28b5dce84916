// Exercises at the table: puzzles by day, theme and number, and moves of a kept game to be guessed.

import { find, make } from "../../elements.js";
import { fetchKnown, read } from "../../link.js";
import { lineOf } from "../../moves.js";
import { inWords, language, say } from "../../sentences.js";
import { showTab } from "../../tabs.js";
import { readingName } from "../../words.js";

let page = {}; // `ask`, `complain`, `enter`, `point` and `resume`
let card = null;
let puzzles = { language: null, themes: [] };
let theme = ""; // of the puzzles that come next; empty: any
const OWN = "own"; // a theme: mistakes of one's own games
const PROVED = "proved"; // a theme: endings drawn from tables
let drawn = null; // what the card shows

/** Put the card and the way to it into the page. */
export function prepareTraining(does) {
  page = does;
  card = make("section.card.lesson", { id: "training-card", hidden: true },
    make("h2", { id: "training-heading" }),
    make("div", { id: "training-words", role: "status" }),
    make("p.quiet", { id: "training-rules" }),
    make("div.row", { id: "training-actions" }));
  document.querySelector(".side > .actions").after(card);
  find("open-opponent").after(make("button", { id: "puzzle", "data-action": "puzzle", onclick: () => set({}) }));
}

/** Set a puzzle, or moves to be guessed; the keys are then on the board. Returns whether it was set. */
export async function set(wanted, what = "puzzle") {
  const isSet = (await page.ask({ do: what, ...wanted })) !== null;
  if (isSet) find("board").querySelector("[tabindex='0']")?.focus({ preventScroll: true });
  return isSet;
}

async function readPuzzles() {
  if (puzzles.language !== language) puzzles = { language, ...(await read(`/api/puzzles/${language}`)) };
}

/** Set a puzzle of the chosen theme, and return whether it was set. One's own games are looked through first, where they are new. */
async function setOfTheme() {
  if (theme === PROVED) return set({ is_proved: true });
  if (theme !== OWN) return set(theme ? { theme } : {});
  const words = find("training-words"), before = [...words.childNodes];
  words.replaceChildren(make("p", {}, say("Your games are being looked through: each takes a few seconds.")));
  try {
    if ((await fetchKnown("/api/mistakes")) === null) return false;
  } catch (error) {
    page.complain(error.message);
    return false;
  } finally {
    words.replaceChildren(...before);
  }
  return set({ is_own: true });
}

/** Show what exercise is set. */
export async function drawTraining(state) {
  const { training } = state;
  const button = find("puzzle");
  Object.assign(button, { hidden: !state.may_invite || training !== null, textContent: say("Puzzle"), title: say("The puzzle of the day: find the moves that win or save the game") });
  if (training && card.hidden) showTab("moves");
  card.hidden = training === null;
  if (training) document.body.classList.add("learning");
  const shown = JSON.stringify([training, language, state.rules]);
  if (training === null || shown === drawn) return;
  drawn = shown;
  find("training-heading").textContent = inWords(training.heading);
  const lines = training.words.map(inWords).map((line, index) => make(index || training.is_over ? `p.answer${training.is_right ? ".praise" : ""}` : "p", {}, line));
  find("training-words").replaceChildren(...lines);
  if (training.refuted.length) refute(state);
  find("training-rules").textContent = `${say("Rules")}: ${readingName(state.rules)}`; // puzzles are by several
  Object.assign(card.dataset, { puzzle: training.name, over: training.is_over, right: training.is_right });
  await readPuzzles();
  find("training-actions").replaceChildren(...(training.name ? choices(training) : []),
    make("button", { id: "leave-training", onclick: async () => (await page.ask({ do: "leave" })) !== null && page.resume() }, say("Back to the game")));
}

/** Show what is wrong with a try: the move and the reply, on the board and as a line to step through. */
async function refute({ training: { refuted }, rules, position }) {
  const from = { rules, position };
  find("training-words").append(lineOf({ from, moves: refuted }, page.enter));
  const { paths } = await read(`/api/line?${new URLSearchParams({ ...from, moves: refuted.join(",") })}`);
  if (page.state().position === position) page.point(paths.map((path, at) => ({ kind: at ? "reply" : "line", path })));
}

function choices(training) {
  const apart = training.is_own ? OWN : training.is_proved ? PROVED : "";
  if (apart || theme === OWN || theme === PROVED) theme = apart;
  const option = (value, words) => make("option", { value, selected: value === theme }, words);
  const select = make("select", { id: "puzzle-theme", onchange: async (event) => {
    const before = theme;
    theme = event.target.value;
    if (!(await setOfTheme())) event.target.value = theme = before;
  } }, option("", say("The puzzle of the day")), option(OWN, say("My own mistakes")), option(PROVED, say("Endings with proof")), ...puzzles.themes.map(({ theme, title, level }) => option(theme, say("{title} (level {level})", { title, level }))));
  const numbers = puzzles.themes.filter((each) => !theme || each.theme === theme).flatMap((each) => each.numbers).sort((a, b) => a - b);
  const next = numbers.find((number) => number > Number(training.name)) ?? numbers[0];
  return [
    make("button", { id: "puzzle-next", class: training.is_over ? "main" : "", onclick: () => set(training.is_own ? { is_own: true } : training.is_proved ? { is_proved: true } : { number: next }) }, say("Next puzzle")),
    make("label", {}, make("span", {}, say("Theme")), select),
    ...(apart ? [] : [make("span.quiet", {}, say("{solved} of {count} solved.", { solved: training.solved.length, count: puzzles.count }))]),
  ];
}
