// Arrows on the board, along the way a piece walks: a hint, threats, a line, and those that people draw. Listed in words for ears.

import { element } from "./board.js";
import { make } from "./elements.js";
import { _, say } from "./sentences.js";
import { wayOver } from "./walk.js";
import { plyInWords } from "./words.js";

const SAYS = {
  hint: _("Hint: {move}"), best: _("Best: {move}"), line: _("Next: {move}"), reply: _("It is answered by {move}"),
  threat: _("Threat: {move}"), ahead: _("Played when it is your turn: {move}"), own: _("Your arrow: {move}"),
};
const PARTS = 12; // of a step, between which an arrow runs straight
const HEAD = 40; // of an arrow to a square of full size

export class Arrows {
  #own = new Map(); // paths that people have drawn, by both ends
  #from = null; // where one is begun: by a key, or by the right button
  #group = element("g", { class: "arrows", "aria-hidden": "true" });
  #told = [];

  /** `list` names them for ears; `wayOf(from, to)` is the way a piece goes there, `tell(words)` says something. */
  constructor({ board, list, wayOf, tell }) {
    Object.assign(this, { board, list, wayOf, tell });
    board.svg.addEventListener("contextmenu", (event) => event.preventDefault());
    board.svg.addEventListener("pointerdown", ({ button, clientX, clientY }) => {
      if (button === 2) this.#from = board.at(clientX, clientY);
    });
    addEventListener("pointerup", ({ button, clientX, clientY }) => button === 2 && this.#end(board.at(clientX, clientY)));
  }

  /** Show these {kind, path} besides people's own. */
  show(told, rules) {
    [this.#told, this.rules] = [told, rules];
    this.#draw();
  }

  /** A key on a square: an arrow begins there, ends there, or, where it ends on its own square, all are cleared. */
  key(square) {
    if (this.#from) this.#end(square);
    else {
      this.#from = square;
      this.tell(say("An arrow from {square}: press a on the square it is to end on, or here to clear all.", { square }));
    }
  }

  /** Forget those that people have drawn. */
  clear() {
    this.#from = null;
    if (!this.#own.size) return;
    this.#own.clear();
    this.#draw();
  }

  async #end(to) {
    const from = this.#from;
    this.#from = null;
    if (!from || !to) return;
    if (from === to) {
      this.clear();
      return;
    }
    const ends = from + to;
    if (this.#own.has(ends)) this.#own.delete(ends);
    else this.#own.set(ends, [from, to]);
    this.#draw();
    const path = this.#own.has(ends) && await this.wayOf(from, to);
    if (!path || !this.#own.has(ends)) return;
    this.#own.set(ends, path);
    this.#draw();
    this.tell(this.words({ kind: "own", path }));
  }

  #draw() {
    const { svg } = this.board;
    const all = [...this.#told, ...[...this.#own.values()].map((path) => ({ kind: "own", path }))].filter(({ path }) => path.every((name) => this.board.squares.has(name)));
    if (this.#group.parentNode !== svg) svg.append(this.#group);
    this.#group.replaceChildren(...all.map((arrow) => this.#arrow(arrow)));
    svg.classList.toggle("pointed", all.some(({ kind }) => ["hint", "best"].includes(kind)));
    this.list.replaceChildren(...all.map((arrow) => make("li", {}, this.words(arrow))));
  }

  /** What an arrow says of its move. */
  words({ kind, path: [from, ...way] }) {
    const letter = this.board.standing[from]?.[0]?.toUpperCase() ?? "";
    const move = /[A-Z]/.test(letter) ? plyInWords(`${letter}${from}-${way.at(-1)}`, this.rules) : say("{start} to {end}", { start: from, end: way.at(-1) });
    return say(SAYS[kind], { move });
  }

  #arrow({ kind, path }) {
    const way = path.map((name) => this.board.squares.get(name));
    const [start, end] = [way[0], way.at(-1)];
    const { at, steps } = wayOver(way, this.board.data.is_disk, false);
    const size = Math.min(1, Math.min(start.room, end.room) / 40);
    const points = Array.from({ length: PARTS * steps + 1 }, (_, part) => at(part / (PARTS * steps))).map(({ x, y }) => [x, y]);
    const beyond = ([x, y], { middle: [a, b] }, distance) => Math.hypot(x - a, y - b) > distance;
    const shaft = points.filter((point) => beyond(point, start, 0.5 * start.room) && beyond(point, end, HEAD * size));
    const tip = end.middle;
    const [x, y] = shaft.at(-1) ?? start.middle;
    const length = Math.hypot(tip[0] - x, tip[1] - y) || 1;
    const [u, v] = [(tip[0] - x) / length, (tip[1] - y) / length];
    const [foot, half] = [HEAD * size, 0.62 * HEAD * size];
    const base = [tip[0] - foot * u, tip[1] - foot * v];
    const corner = (by) => `${(base[0] - by * half * v).toFixed(1)} ${(base[1] + by * half * u).toFixed(1)}`;
    return element("g", { class: `arrow ${kind}`, "data-arrow": path.join(" ") },
      element("path", { d: `M${[...shaft, base].map((point) => point.map((n) => n.toFixed(1)).join(" ")).join("L")}`, "stroke-width": 15 * size }),
      element("path", { class: "head", d: `M${tip.map((n) => n.toFixed(1)).join(" ")}L${corner(1)}L${corner(-1)}Z` }));
  }
}
