// Lessons, puzzles and study among the table's other parts.

import { find } from "../../elements.js";
import { _ } from "../../sentences.js";
import { drawLesson, openCourse, prepareCourse, starOf } from "./learn.js";
import { drawStudy, prepareStudy, walk } from "./study.js";
import { drawTraining, prepareTraining, set } from "./training.js";

export function prepare(page) {
  prepareCourse(page.ask);
  prepareStudy(page);
  prepareTraining(page);
  // While the start page offers it, it is offered there alone.
  document.addEventListener("starting", ({ detail }) => (detail ? delete find("open-learn").dataset.action : (find("open-learn").dataset.action = "learn")));
}

export async function draw(state) {
  drawStudy(state);
  await drawLesson(state);
  await drawTraining(state);
}

export const tiles = ({ may_invite: mayInvite }) => [
  { name: "learn", rank: 30, words: _("Learn"), why: _("The pieces, in three minutes"), letters: ["Q"], does: openCourse },
  ...(mayInvite ? [{ name: "daily", rank: 40, words: _("The puzzle of the day"), why: _("Find the move that wins or saves the game"), letters: ["D"], does: () => set({}) }] : []),
];

export const does = { lessons: openCourse, star: starOf, guess: (wanted) => set(wanted, "guess"), walk };
