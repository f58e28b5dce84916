// The game that plays itself on the first page: slowly, with a caption for each piece that moves.

import { make } from "./elements.js";
import { standingOf } from "./moves.js";
import { say } from "./words.js";

const BOARDS = ["grid", "disk"];
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
  async begin(name = this.name ?? BOARDS[0]) {
    const run = ++this.run;
    this.name = name;
    this.refresh();
    const told = await (await fetch(`/static/show-${name}.json`)).json();
    while (run === this.run) {
      const standing = standingOf(told.placement);
      this.caption.textContent = say("show-begin");
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
    this.switch.setAttribute("aria-label", say("board"));
    this.switch.replaceChildren(...BOARDS.map((name) => make("button", {
      type: "button", "data-show": name, "aria-pressed": String(name === this.name), onclick: () => this.begin(name),
    }, say(`show-${name}`))));
  }

  async #ply(told, standing, path, isLast) {
    const [start, end] = [path[0], path.at(-1)];
    const letter = standing[start];
    const side = say(letter === letter.toUpperCase() ? "black" : "orange");
    this.caption.textContent = isLast ? say("show-won", { side }) : say(`show-${letter.toUpperCase()}`);
    delete standing[start];
    standing[end] = letter;
    await this.#show(told, standing, path);
  }

  #show({ board, rules }, standing, path) {
    return this.look({ board, standing, path, rules, said: "", isShow: true });
  }
}

const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
