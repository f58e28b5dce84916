// The game that plays itself on the first page: slowly, with a caption for each piece that moves.

import { make } from "./elements.js";
import { standingOf } from "./moves.js";
import { _, say } from "./sentences.js";

// Translators: the shape of a board
const BOARDS = { grid: _("Square"), disk: _("Round") };
const CAPTIONS = {
  P: _("The Panthan takes one step, but never back."),
  T: _("The Thoat takes one straight step and one diagonal."),
  W: _("The Warrior takes two straight steps, and may turn."),
  A: _("The Padwar takes two diagonal steps, and may turn."),
  D: _("The Dwar takes three straight steps, round corners too."),
  F: _("The Flier leaps over everyone."),
  C: _("The Chief takes three steps, in any direction."),
  Q: _("The Princess leaps as well, but may not take."),
};
const PLY_MS = 1900;
const END_MS = 6000;
const still = matchMedia("(prefers-reduced-motion: reduce)");

export class Show {
  /** `look(view)` shows a position, null the table itself; the switch goes to `far`, captions to `near`. */
  constructor({ look, far, near }) {
    this.look = look;
    this.caption = make("p.caption.shown", { id: "caption" });
    this.switch = make("div.switch.shown", { role: "group" });
    far.append(this.switch);
    near.append(this.caption);
    this.run = 0; // each beginning and each stop has a number of its own
  }

  /** Play a game on this board, again and again, until it is stopped. */
  async begin(name = this.name ?? "grid") {
    const run = ++this.run;
    this.name = name;
    this.refresh();
    const told = await (await fetch(`/static/show-${name}.json`)).json();
    while (run === this.run) {
      const standing = standingOf(told.placement);
      this.caption.textContent = say("A game of Jetan: every piece walks in its own way.");
      await this.#show(told, standing, []);
      if (still.matches) return;
      for (const [at, path] of told.plies.entries()) {
        await sleep(PLY_MS);
        if (run !== this.run) return;
        await this.#ply(told, standing, path, at === told.plies.length - 1);
      }
      await sleep(END_MS);
    }
  }

  stop() {
    this.run++;
    this.look(null);
  }

  /** Say all again, in another language. */
  refresh() {
    this.switch.setAttribute("aria-label", say("Board"));
    this.switch.replaceChildren(...Object.entries(BOARDS).map(([name, words]) => make("button", {
      type: "button", "data-show": name, "aria-pressed": String(name === this.name), onclick: () => this.begin(name),
    }, say(words))));
  }

  async #ply(told, standing, path, isLast) {
    const [start, end] = [path[0], path.at(-1)];
    const letter = standing[start];
    const side = say(letter === letter.toUpperCase() ? _("Black") : _("Orange"));
    this.caption.textContent = isLast ? say("{side} takes the Princess and wins.", { side }) : say(CAPTIONS[letter.toUpperCase()]);
    delete standing[start];
    standing[end] = letter;
    await this.#show(told, standing, path);
  }

  #show({ board, rules }, standing, path) {
    return this.look({ board, standing, path, rules, said: "", isShow: true });
  }
}

const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
