// The list of moves, and looking at a ply that has passed: of the game in play, or of another one.

import { make } from "./elements.js";
import { doerOf } from "./features.js";
import { read } from "./link.js";
import { _, say } from "./sentences.js";
import { lostSince } from "./taken.js";
import { foughtInWords, plyInWords, plyName } from "./words.js";

const RUN_MS = 900;

export class Moves {
  /** `show(past)` is called with what to look at, null for the table itself; `load` plays on. */
  constructor({ list, past, actions, show, load, rulesOf }) {
    Object.assign(this, { list, past, actions, show, load, rulesOf });
    this.other = null; // {title, document, load}: a game that is not in play
    this.at = null; // how many plies have been played where we look; null: live
    this.game = null; // the game in play, position by position, once it was asked for
    this.running = null;
    this.line = null; // {from, moves, document, at}: a line that leads off from what is looked at
    this.told = []; // what is listed, in words
    document.querySelector("#ply-first").onclick = () => this.go(0);
    document.querySelector("#ply-previous").onclick = () => this.step(-1);
    document.querySelector("#ply-next").onclick = () => this.step(1);
    document.querySelector("#ply-last").onclick = () => this.back();
    document.querySelector("#to-live").onclick = () => this.back();
    document.querySelector("#run").onclick = () => this.#run();
    document.querySelector("#from-here").onclick = () => this.#playOn();
    new ResizeObserver(() => this.state && this.#scroll()).observe(list.parentElement);
    list.addEventListener("click", (event) => {
      const ply = event.target.closest("[data-ply]")?.dataset.ply;
      if (ply) this.go(Number(ply));
    });
    list.addEventListener("keydown", (event) => roam(event, list));
  }

  get isLive() {
    return this.at === null && !this.line;
  }

  /** Whether moves are walked through on the table itself: it is a picture, and studied. */
  get #walks() {
    return Boolean(this.state?.study && this.state.is_screen && !this.other && !this.line);
  }

  /** Take in the state: its moves, unless another game is looked at. */
  follow(state, changed) {
    this.state = state;
    const hasChanged = ["game", "moves", "duels", "first_number"].some((each) => changed.has(each));
    const leavesLine = hasChanged && this.line !== null;
    if (hasChanged) this.game = null;
    if (!this.other && hasChanged) this.#list();
    if (leavesLine) this.back();
    else if (!this.other && this.at > state.moves.length) this.live();
  }

  /** Look at a game that is not in play, from its end or start. */
  look(title, document, load, plies = document.moves.length) {
    const named = load.game ? ["game", load.game] : load.name ? ["saved", load.name] : ["position", load.rules, load.position];
    this.other = { title, document, load, place: (at) => (load.position ? named : [...named, at]) };
    this.#list();
    this.go(plies);
  }

  /** Look into a line that leads off: {from, moves}, where `from` tells its start as `/api/line` is asked for it. */
  async enter({ from, moves }, at) {
    const document = await read(`/api/line?${new URLSearchParams({ ...from, moves: moves.join(",") })}`);
    this.#stop();
    this.line = { from, moves, document, at };
    this.#into(at);
  }

  #into(at) {
    const { document } = this.line;
    this.line.at = at;
    this.#mark();
    const words = at ? say("A line: {move}", { move: plyInWords(document.moves[at - 1], this.rulesOf()) }) : say("A line: its start");
    this.show({ ...viewOf(document, at), next: document.paths[at] ?? null, other: this.other && { ...document, side: null, over: true }, said: words });
  }

  /** Back from a line to where it leads off, else to the table. */
  back() {
    if (!this.line || this.at === null) this.live();
    else this.go(this.at);
  }

  live() {
    this.#stop();
    this.at = this.line = null;
    const wasOther = this.other !== null;
    this.other = null;
    if (wasOther) this.#list();
    this.#mark();
    this.show(null);
  }

  step(by) {
    if (this.line) {
      const at = this.line.at + by;
      if (at < 0) this.back();
      else if (at <= this.line.moves.length) this.#into(at);
      return;
    }
    const count = this.#moves().length;
    if (this.#walks) {
      doerOf("walk")(by < 0 ? this.#moves().slice(0, by) : null);
      return;
    }
    const at = (this.at ?? count) + by;
    if (at > count || (at === count && !this.other)) this.live();
    else this.go(Math.max(at, 0));
  }

  /** Look at the position after so many plies. */
  async go(at) {
    this.line = null;
    if (this.#walks) {
      doerOf("walk")(this.#moves().slice(0, at));
      return;
    }
    this.at = at;
    this.#mark();
    const document = await this.#document();
    if (this.at !== at || this.line) return; // somebody went on while it came
    if (!this.other && at >= document.moves.length) {
      this.live();
      return;
    }
    const ply = document.first_number + at - 1;
    this.show({
      ...viewOf(document, at),
      other: this.other && { ...document, side: null, over: true },
      said: this.other
        ? say(at ? _("Game {name}: {move} of {count}.") : _("Game {name}: the start."), { name: this.other.title, move: plyName(ply), count: Math.ceil((ply - at + document.moves.length) / 2) })
        : say(at ? _("{move} is shown; the table plays on.") : _("The start is shown; the table plays on."), { move: plyName(ply) }),
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
    const told = this.#moves().map((move, index) => {
      const fought = foughtInWords(this.#fights().find(({ number }) => number === first + index));
      return { move, fought, words: `${plyName(first + index)}: ${plyInWords(move, this.rulesOf())}${fought && `, ${fought}`}` };
    });
    // Rows stay above the first that says something new.
    const news = told.findIndex(({ words }, at) => words !== this.told[at]);
    let from = news < 0 ? told.length : news;
    if (from && (first + from) % 2 === 0) from--;
    this.told = told.map(({ words }) => words);
    const rows = rowsOf(told.slice(from), first + from, ({ move, fought, words }, index) => {
      const button = make("button.ply", { "data-ply": from + index + 1, "aria-label": words }, move);
      if (fought) button.append(" ", make("small.fought", {}, fought));
      return button;
    });
    if (!told.length) rows.push(make("li", {}, make("span.quiet", {}, say("No move has been made yet."))));
    const held = this.list.contains(document.activeElement) ? document.activeElement.dataset.ply : null;
    const kept = (from + (first % 2 ? 0 : Math.sign(from))) / 2;
    for (const row of [...this.list.children].slice(kept)) row.remove();
    this.list.append(...rows);
    this.#mark();
    if (held) this.list.querySelector(`[data-ply="${held}"]`)?.focus({ preventScroll: true });
  }

  #mark() {
    const at = this.at ?? this.#moves().length;
    const buttons = [...this.list.querySelectorAll("[data-ply]")];
    stop(buttons, Math.max(at - 1, 0));
    for (const button of buttons) button.removeAttribute("aria-current");
    buttons[at - 1]?.setAttribute("aria-current", "step");
    requestAnimationFrame(() => this.#scroll());
    this.past.hidden = this.actions.hidden = this.isLive;
    document.querySelector("#to-live").textContent = say(this.line && this.at !== null ? _("Back to the game") : _("Back to the table"));
    for (const button of document.querySelectorAll(".line [data-at]")) button.toggleAttribute("aria-current", Boolean(this.line) && isOf(button, this.line));
    document.querySelector("#run").textContent = say(this.running ? _("Stop") : _("Play it through"));
  }

  /** Bring the move that is looked at into view: only the panel scrolls, the page stays where people look. */
  #scroll() {
    const panel = this.list.parentElement;
    const current = this.list.querySelector("[aria-current]");
    const isLast = Number(current?.dataset.ply) === this.#moves().length;
    if (current && this.list.offsetParent) panel.scrollTop = isLast ? panel.scrollHeight : current.offsetTop - panel.clientHeight / 2;
  }

  #run() {
    if (this.running) {
      this.#stop();
      this.#mark();
      return;
    }
    const last = () => (this.line ? this.line.at >= this.line.moves.length : this.at >= this.#moves().length);
    const isAtEnd = last();
    this.running = setInterval(() => {
      if (this.isLive || last()) this.#stop();
      else this.step(1);
      this.#mark();
    }, RUN_MS);
    if (isAtEnd) this.line ? this.#into(0) : this.go(0);
    this.#mark();
  }

  #stop() {
    clearInterval(this.running);
    this.running = null;
  }

  async #playOn() {
    if (this.line) {
      const { from, moves, at, document } = this.line;
      if (this.state.study && this.state.is_screen && !this.other) {
        this.live();
        doerOf("walk")([...this.state.moves, ...moves.slice(0, at)]);
        return;
      }
      const { position } = await read(`/api/line?${new URLSearchParams({ ...from, moves: moves.slice(0, at).join(",") })}`);
      if (await this.load({ do: "new", rules: document.rules, position })) this.live();
      return;
    }
    const source = this.other ? this.other.load : { game: this.state.game };
    if (await this.load(source.do ? source : { do: "load", ...source, plies: this.at })) this.live();
  }
}

/** A position of a document that tells a game, as the board is to show it. */
function viewOf(document, at) {
  const ply = document.first_number + at - 1;
  const [start, standing] = [0, at].map((each) => standingOf(document.placements[each]));
  return {
    board: document.board,
    standing,
    taken: lostSince(start, standing),
    path: at ? document.paths[at - 1] : [],
    fought: document.duels.find(({ number }) => number === ply) ?? null,
    rules: document.rules,
  };
}

/** The moves of a line as buttons, each of which `enter(line, at)` shows on the board. */
export function lineOf(line, enter) {
  const buttons = line.moves.map((move, at) => make("li", {}, make("button", { type: "button", "data-at": at + 1, "aria-label": plyInWords(move), onclick: () => enter(line, at + 1) }, move)));
  return make("ol.line", { "data-line": keyOf(line) }, ...buttons);
}

const keyOf = ({ from, moves }) => JSON.stringify([from, moves]);
const isOf = (button, line) => button.closest("[data-line]").dataset.line === keyOf(line) && Number(button.dataset.at) === line.at;

/** A list of buttons is one stop of Tab; arrow keys go from one to another in it. */
export function roam(event, list) {
  const buttons = [...list.querySelectorAll("button")];
  const at = buttons.indexOf(event.target);
  const to = { ArrowLeft: at - 1, ArrowRight: at + 1, ArrowUp: at - 2, ArrowDown: at + 2, Home: 0, End: buttons.length - 1 }[event.key];
  if (at < 0 || to === undefined) return;
  event.preventDefault();
  event.stopPropagation();
  if (to in buttons) stop(buttons, to).focus();
}

/** Let Tab stop at this one of some buttons alone, and return it. */
export function stop(buttons, at) {
  for (const [index, button] of buttons.entries()) button.tabIndex = index === at ? 0 : -1;
  return buttons[at];
}

/** The rows of a list of moves, one of each side together; `made(move, index)` is what stands for one. */
export function rowsOf(moves, first, made) {
  const rows = [];
  moves.forEach((move, index) => {
    const number = first + index;
    if (!rows.length || number % 2) rows.push(make("li", {}, make("span.number", {}, `${Math.ceil(number / 2)}.`), number % 2 ? null : make("span.ply", {}, "…")));
    rows.at(-1).append(made(move, index));
  });
  return rows;
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
