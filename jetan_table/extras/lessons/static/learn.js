// The course: what the lesson says, beside the board, and how far one has come.

import { find, make } from "../../elements.js";
import { read } from "../../link.js";
import { freshGame } from "../../newgame.js";
import { _, inWords, language, say } from "../../sentences.js";
import { play } from "../../sound.js";
import { showTab } from "../../tabs.js";

const GO = _("{words} Collect the star on {square}.");

let ask = async () => null;
let card = null; // the course beside the board
let titles = { language: null, lessons: [] };
let drawn = null; // what the card shows

/** Put the course's card into the page; `tell(request)` asks the table, null where it refuses. */
export function prepareCourse(tell) {
  ask = tell;
  card = make("section.card.lesson", { id: "lesson-card", hidden: true },
    make("h2", { id: "lesson-heading" }),
    make("p", { id: "lesson-words" }),
    make("p", { id: "lesson-answer", role: "status" }),
    make("ol.lessons", { id: "lessons" }),
    make("div.row", { id: "lesson-actions" }));
  document.querySelector(".side > .actions").after(card);
  find("open-new").before(make("button", { id: "open-learn", "data-action": "learn", onclick: openCourse }, make("span", {}, say("Learn"))));
}

/** Open the course at the first lesson that is not solved, or at the one of this name. */
export async function openCourse(lesson) {
  const named = typeof lesson === "string" ? { lesson } : {};
  if ((await ask({ do: "learn", ...named })) !== null) find("board").querySelector("[tabindex='0']")?.focus({ preventScroll: true });
}

/** Leave the course for a first game, in which the table shows a good move each time. */
async function playFirst() {
  if ((await ask({ do: "leave" })) === null) return;
  if ((await ask(await freshGame())) === null) return;
  await ask({ do: "invite", level: "panthan", side: "orange", guides: true });
}

/** Show what is taught. */
export async function drawLesson({ lesson }) {
  find("open-learn").firstElementChild.textContent = say("Learn");
  document.body.classList.toggle("learning", lesson !== null);
  if (lesson && card.hidden) showTab("moves"); // where the piece's card is
  card.hidden = lesson === null;
  const shown = JSON.stringify([lesson, language]);
  if (lesson === null || shown === drawn) return;
  drawn = shown;
  find("lesson-heading").textContent = inWords(lesson.heading);
  // On the page a star lies on the square, and nobody need know its name.
  const { template, values: told } = lesson.words;
  find("lesson-words").textContent = template === GO ? say("{words} Collect the star.", told) : inWords(lesson.words);
  if (lesson.is_solved && card.dataset.solved === "false") play("star");
  find("lesson-answer").textContent = inWords(lesson.answer);
  find("lesson-answer").classList.toggle("praise", lesson.is_solved);
  Object.assign(card.dataset, { lesson: lesson.name, solved: lesson.is_solved, done: lesson.is_done });
  find("lesson-actions").replaceChildren(
    ...(lesson.is_done ? [make("button.main", { id: "first-game", onclick: playFirst }, say("Play a first game")),
      make("button", { id: "lesson-again", onclick: () => openCourse("panthan") }, say("Once more from the start"))] : []),
    make("button", { id: "leave-course", onclick: () => ask({ do: "leave" }) }, say("Leave the lessons")));
  await drawList(lesson);
}

/** The square of the star that a lesson wants to be collected; null where there is none. */
export const starOf = ({ lesson }) => (lesson && !lesson.is_solved && lesson.words.template === GO ? lesson.words.values.square : null);

async function drawList(lesson) {
  if (titles.language !== language) titles = { language, lessons: await read(`/api/lessons/${language}`) };
  const solved = new Set(lesson.solved);
  find("lessons").replaceChildren(...titles.lessons.slice(0, lesson.count).map(({ name, title }, index) => {
    const label = solved.has(name) ? say("{title}: solved", { title }) : title;
    const button = make("button", { type: "button", title, "aria-label": label, onclick: () => openCourse(name) }, String(index + 1));
    button.classList.toggle("solved", solved.has(name));
    if (name === lesson.name) button.setAttribute("aria-current", "step");
    return make("li", {}, button);
  }));
  find("lessons").setAttribute("aria-label", say("Lessons"));
}
