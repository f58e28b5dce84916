// The list of moves, and looking at a ply that has passed: of the game in play, or of another one.

import { read } from "./link.js";
import { _, say } from "./sentences.js";
import { lostSince } from "./taken.js";
import { foughtInWords, plyInWords } from "./words.js";

const RUN_MS = 900;

export class Moves {
  /** `show(past)` is called with what to look at, null for the table itself; `load` plays on. */
  constructor({ list, past, actions, show, load, rulesOf }) {
    Object.assign(this, { list, past, actions, show, load, rulesOf });
    this.other = null; // {title, document, load}: a game that is not in play
    this.at = null; // how many plies have been played where we look; null: live
    this.game = null; // the game in play, position by position, once it was asked for
    this.running = null;
    document.querySelector("#ply-first").onclick = () => this.go(0);
    document.querySelector("#ply-previous").onclick = () => this.step(-1);
    document.querySelector("#ply-next").onclick = () => this.step(1);
    document.querySelector("#ply-last").onclick = () => this.live();
    document.querySelector("#to-live").onclick = () => this.live();
    document.querySelector("#run").onclick = () => this.#run();
    document.querySelector("#from-here").onclick = () => this.#playOn();
    new ResizeObserver(() => this.state && this.#scroll()).observe(list.parentElement);
    list.addEventListener("click", (event) => {
      const ply = event.target.closest("[data-ply]")?.dataset.ply;
      if (ply) this.go(Number(ply));
    });
  }

  get isLive() {
    return this.at === null;
  }

  /** Take in the state: its moves, unless another game is looked at. */
  follow(state, changed) {
    this.state = state;
    const hasChanged = ["game", "moves", "duels", "first_number"].some((each) => changed.has(each));
    if (hasChanged) this.game = null;
    if (!this.other && hasChanged) this.#list();
    if (!this.other && !this.isLive && this.at > state.moves.length) this.live();
  }

  /** Look at a game that is not in play, from its end or start. */
  look(title, document, load, plies = document.moves.length) {
    this.other = { title, document, load };
    this.#list();
    this.go(plies);
  }

  live() {
    this.#stop();
    this.at = null;
    const wasOther = this.other !== null;
    this.other = null;
    if (wasOther) this.#list();
    this.#mark();
    this.show(null);
  }

  step(by) {
    const count = this.#moves().length;
    const at = (this.at ?? count) + by;
    if (at > count || (at === count && !this.other)) this.live();
    else this.go(Math.max(at, 0));
  }

  /** Look at the position after so many plies. */
  async go(at) {
    this.at = at;
    this.#mark();
    const document = await this.#document();
    if (this.at !== at) return; // somebody went on while it came
    if (!this.other && at >= document.moves.length) {
      this.live();
      return;
    }
    const [start, standing] = [0, at].map((each) => standingOf(document.placements[each]));
    this.show({
      board: document.board,
      standing,
      taken: lostSince(start, standing),
      path: at ? document.paths[at - 1] : [],
      fought: document.duels.find(({ number }) => number === document.first_number + at - 1) ?? null,
      rules: document.rules,
      other: this.other && { ...document, side: null, over: true },
      said: this.other
        ? say("Game {name}, after move {number} of {plies}.", { name: this.other.title, number: at, plies: document.moves.length })
        : say("This is after move {number}; the table plays on.", { number: at }),
    });
  }

  /** Say all again, in another language. */
  refresh() {
    if (!this.state) return;
    this.#list();
    if (!this.isLive) this.go(this.at);
  }

  async #document() {
    if (this.other) return this.other.document;
    this.game ??= await read("/api/game");
    return this.game;
  }

  #moves() {
    return this.other ? this.other.document.moves : this.state.moves;
  }

  #fights() {
    return this.other ? this.other.document.duels : this.state.duels;
  }

  #list() {
    const first = this.other ? this.other.document.first_number : this.state.first_number;
    const rows = [];
    this.#moves().forEach((move, index) => {
      const number = first + index;
      let row = rows.at(-1);
      if (!row || number % 2 === 1) {
        row = document.createElement("li");
        row.append(cell("number", `${Math.ceil(number / 2)}.`));
        if (number % 2 === 0) row.append(cell("ply", "…"));
        rows.push(row);
      }
      const button = cell("ply", move, "button");
      button.dataset.ply = index + 1;
      const fought = foughtInWords(this.#fights().find((each) => each.number === number));
      if (fought) button.append(" ", cell("fought", fought, "small"));
      button.setAttribute("aria-label", `${say("Move {number}", { number })}: ${plyInWords(move, this.rulesOf())}${fought && `, ${fought}`}`);
      row.append(button);
    });
    if (!rows.length) {
      const row = document.createElement("li");
      row.append(cell("quiet", say("No move has been made yet.")));
      rows.push(row);
    }
    this.list.replaceChildren(...rows);
    this.#mark();
  }

  #mark() {
    const at = this.at ?? this.#moves().length;
    for (const button of this.list.querySelectorAll("[data-ply]")) {
      const isCurrent = Number(button.dataset.ply) === at;
      button.toggleAttribute("aria-current", isCurrent);
      if (isCurrent) button.setAttribute("aria-current", "step");
    }
    this.#scroll();
    this.past.hidden = this.actions.hidden = this.isLive;
    document.querySelector("#run").textContent = say(this.running ? _("Stop") : _("Play it through"));
  }

  /** Bring the move that is looked at into view: only the panel scrolls, the page stays where people look. */
  #scroll() {
    const panel = this.list.parentElement;
    const current = this.list.querySelector("[aria-current]");
    const isLast = Number(current?.dataset.ply) === this.#moves().length;
    if (current) panel.scrollTop = isLast ? panel.scrollHeight : current.offsetTop - panel.clientHeight / 2;
  }

  #run() {
    if (this.running) {
      this.#stop();
      this.#mark();
      return;
    }
    const isAtEnd = this.at >= this.#moves().length;
    this.running = setInterval(() => {
      if (this.isLive || this.at + 1 > this.#moves().length) this.#stop();
      else this.step(1);
    }, RUN_MS);
    if (isAtEnd) this.go(0);
    this.#mark();
  }

  #stop() {
    clearInterval(this.running);
    this.running = null;
  }

  async #playOn() {
    const source = this.other ? this.other.load : { game: this.state.game };
    if (await this.load({ do: "load", ...source, plies: this.at })) this.live();
  }
}

function cell(kind, text, name = "span") {
  const made = document.createElement(name);
  made.className = kind;
  made.textContent = text;
  return made;
}

/** Read the placement of a position text: which letter stands on which square. */
export function standingOf(placement) {
  const standing = {};
  placement.split("/").forEach((rank, index) => {
    let file = 0;
    for (const [token] of rank.matchAll(/10|\d|./g)) {
      if (/\d/.test(token)) file += Number(token);
      else standing[`${"abcdefghij"[file++]}${10 - index}`] = token;
    }
  });
  return standing;
}
