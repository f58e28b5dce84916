// Lessons, puzzles and study among the table's other parts.

import { find } from "../../elements.js";
import { _ } from "../../sentences.js";
import { drawLesson, openCourse, prepareCourse } from "./learn.js";
import { drawStudy, prepareStudy, study, walk } from "./study.js";
import { askTheme, drawTraining, prepareTraining, set } from "./training.js";

export function prepare(page) {
  prepareCourse(page.ask);
  prepareStudy(page);
  prepareTraining(page);
  // While the start page offers it, it is offered there alone.
  document.addEventListener("starting", ({ detail }) => (detail ? delete find("open-learn").dataset.action : (find("open-learn").dataset.action = "learn")));
}

export async function draw(state, values) {
  drawStudy(state);
  await drawLesson(state, values);
  await drawTraining(state, values);
}

async function choosePuzzle() {
  const theme = await askTheme();
  return theme !== null && { then: () => set(theme) };
}

export const tiles = ({ may_invite: mayInvite, may_hint: mayHint }) => [
  { name: "learn", size: "choice", rank: 30, words: _("Learn"), why: _("the pieces, in three minutes"), letters: ["Q"], does: openCourse },
  ...(mayInvite ? [
    { name: "daily", size: "wide", rank: 20, words: _("The puzzle of the day"), why: _("find the move that wins or saves the game"), letters: ["D"], does: () => set({}) },
    { name: "puzzles", size: "tile", rank: 10, words: _("Puzzles"), why: _("Positions from games, each with one proved answer"), asks: choosePuzzle },
  ] : []),
  ...(mayHint ? [{ name: "study", size: "tile", rank: 20, words: _("Study"), why: _("Try moves freely: every line is kept, and the three best moves light up"), needsGame: true, does: study }] : []),
  { name: "lessons", size: "tile", rank: 30, words: _("Lessons"), why: _("The pieces and how to win, move by move"), does: openCourse },
];

export const does = { lessons: openCourse, guess: (wanted) => set(wanted, "guess"), walk };
