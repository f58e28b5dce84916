// Mouse, finger and keys at the board: a hand that lifts, carries and puts, as sloppily as it likes.

import { drawPiece } from "./board.js";
import { painted } from "./elements.js";
import { Pick } from "./pick.js";
import { isStill } from "./walk.js";

const DRAG_PIXELS = 8;
const HOME_MS = 160;
const PATIENCE_MS = 1000; // so long what was dropped lies there before the table has shown it
const WAYS = { ArrowUp: 0, ArrowRight: 1, ArrowDown: 2, ArrowLeft: 3 };

export class Hand {
  /**
   * `ask(request)` asks the table; `table()` is its state; `choose(square)` is told a square while
   * something else is being chosen, and returns whether it was; `explain(from, to)` says why a
   * piece may go there or not, `complain(words)` what went wrong, `changed()` that a move told ahead has changed.
   */
  constructor({ board, stage, held, ask, table, choose, explain, complain, changed }) {
    Object.assign(this, { board, stage, held, ask, table, choose, explain, complain });
    this.chosen = null;
    this.from = null;
    this.drag = null;
    this.dropped = null; // {from, to}: a drag has ended there, and the table has not answered yet
    this.asking = Promise.resolve();
    const mark = (square, isPicked) => { board.squares.get(square).group.dataset.cue = isPicked ? "lifted" : ""; return painted(); };
    this.pick = new Pick({ ask, table, mark, explain, changed });
    board.svg.addEventListener("pointerdown", (event) => this.#down(event));
    board.svg.addEventListener("keydown", (event) => this.#key(event));
    board.svg.addEventListener("contextmenu", (event) => this.#explain(event));
    addEventListener("pointermove", (event) => this.#move(event));
    addEventListener("pointerup", (event) => this.#up(event));
    addEventListener("pointercancel", () => {
      this.drag = null;
      this.refresh();
    });
    stage.addEventListener("click", (event) => this.#beside(event));
  }

  get isFree() {
    return this.table().hands !== null;
  }

  /** The letter of the piece that is put down next: the one chosen, or the last one lifted. */
  get letter() {
    const { hands, is_screen: isScreen, standing } = this.table();
    if (isScreen) return this.dropped?.letter ?? standing[this.#carried] ?? null;
    if (!hands) return null;
    const { in_hand: inHand, box } = hands;
    if (this.chosen && [...inHand, ...box].includes(this.chosen)) return this.chosen;
    return inHand.at(-1) ?? null;
  }

  /** The square whose piece is shown in the hand instead; null where none is. */
  get #carried() {
    if (!this.table().is_screen) return null;
    return this.dropped?.from ?? (this.drag?.hasMoved ? this.pick.from : null);
  }

  /** Show what is held beside the pointer. */
  refresh() {
    const letter = this.letter;
    this.board.carry(letter === null ? null : this.#carried);
    this.stage.classList.toggle("holding", letter !== null);
    if ((letter ?? "") === this.held.dataset.letter) return;
    this.held.replaceChildren(...(letter ? [drawPiece(letter)] : []));
    this.held.setAttribute("viewBox", "-52 -52 104 104");
    if (letter) this.#fit(this.#carried ?? this.from);
    this.held.dataset.letter = letter ?? "";
    this.held.toggleAttribute("hidden", letter === null);
  }

  choosePiece(letter) {
    this.chosen = letter;
    this.refresh();
  }

  /** Touch a square, after what was touched before: what it means depends on that. */
  touch(name) {
    this.#then(() => this.#touch(name));
  }

  /** Lift, put or take; or answer; or tell it to whatever is being chosen. */
  #touch(name) {
    const state = this.table();
    if (this.choose(name)) return null;
    if (state.is_screen) return this.pick.down(name);
    if (state.asks?.candidates.includes(name) && this.letter === null) return this.ask({ do: "answer", square: name });
    if (!this.isFree) return null;
    const there = state.standing[name];
    const letter = this.letter;
    if (letter === null) return there ? this.#lift(name) : null;
    if (!there) return this.#put({ do: "put", square: name, letter });
    if (isTaking(letter, there, state.side)) return this.#put({ do: "take", square: name, letter });
    return this.#lift(name);
  }

  #lift(name) {
    this.chosen = null;
    this.from = name;
    return this.ask({ do: "lift", square: name });
  }

  #put(request) {
    this.chosen = null;
    return this.ask(request);
  }

  /** Put what is held into the box. */
  drop() {
    this.#then(() => this.#drop());
  }

  #drop() {
    const isHeld = this.isFree && this.table().hands.in_hand.includes(this.letter);
    return isHeld ? this.#put({ do: "box", letter: this.letter }) : null;
  }

  /** Put what is held back to where it came from. */
  putBack() {
    this.#then(() => {
      if (this.table().is_screen) return this.pick.clear();
      const [from, more] = this.table().lifted;
      const letter = this.letter;
      const isClear = letter && from && !more && !this.table().standing[from];
      this.choosePiece(null);
      return isClear ? this.#put({ do: "put", square: from, letter }) : null;
    });
  }

  #then(act) {
    this.asking = this.asking.then(act).catch((error) => this.complain(error.message));
  }

  #down(event) {
    const name = event.target.closest("[data-square]")?.dataset.square;
    if (!name || event.button !== 0) return;
    event.preventDefault();
    painted().then(() => this.board.focus(name));
    this.#follow(event);
    this.drag = { name, x: event.clientX, y: event.clientY, hasMoved: false };
    this.touch(name);
  }

  #move(event) {
    this.#follow(event);
    const drag = this.drag;
    if (drag && Math.hypot(event.clientX - drag.x, event.clientY - drag.y) > DRAG_PIXELS) {
      drag.hasMoved = true;
      this.refresh();
    }
  }

  #up(event) {
    const drag = this.drag;
    this.drag = null;
    if (!drag) return;
    if (!drag.hasMoved) {
      this.#then(() => this.pick.up(drag.name));
      this.refresh();
      return;
    }
    const name = this.board.at(event.clientX, event.clientY);
    if (this.table().is_screen) {
      this.#dropAt(name);
      return;
    }
    const isBeside = !name && this.#isBeside(event.target);
    this.refresh();
    // What was lifted by this very drag is known once the table has answered.
    this.#then(() => {
      if (this.letter === null || name === drag.name) return null;
      return name ? this.#touch(name) : isBeside ? this.#drop() : null;
    });
  }

  /** Let what is carried lie where it was dropped until the table has answered. */
  #dropAt(name) {
    const from = this.pick.from;
    const letter = from ? this.table().standing[from] : null;
    const dropped = letter ? { from, letter, to: name } : null;
    this.dropped = dropped;
    if (dropped && name && name !== from) {
      this.#holdAt(name);
      this.#fit(name);
    }
    this.refresh();
    this.#then(async () => {
      const isDone = await this.pick.drop(name);
      if (!isDone && dropped) await this.#glideHome(dropped);
      else setTimeout(() => this.#release(dropped), PATIENCE_MS);
    });
  }

  /** The walks that are to be shown where these lead on: what was carried by hand needs none. */
  walksAfter(walks) {
    const { dropped } = this;
    const [first, ...others] = walks;
    const isHis = dropped && first?.path?.[0] === dropped.from && first.path.at(-1) === dropped.to;
    return isHis ? [{ ...first, isCarried: true, placed: () => this.#release(dropped) }, ...others] : walks;
  }

  /** Take what was dropped out of the hand: the board shows it from now on. */
  #release(dropped) {
    if (!dropped || this.dropped !== dropped) return;
    this.dropped = null;
    this.refresh();
  }

  async #glideHome(dropped) {
    if (!isStill()) {
      const { x, y } = this.#middleOf(dropped.from);
      this.#fit(dropped.from);
      await this.held.animate({ transform: placed(x, y) }, { duration: HOME_MS, easing: "ease-out" }).finished.catch(() => {});
    }
    this.#release(dropped);
  }

  #isBeside(target) {
    return target instanceof Element && !target.closest("button, dialog, .side, .bar");
  }

  /** A click beside the board puts what is held into the box. */
  #beside(event) {
    if (event.target.closest("[data-square]") || !this.#isBeside(event.target)) return;
    if (this.pick.isAhead) this.pick.clear();
    else this.drop();
  }

  #follow(event) {
    if (!this.dropped) this.#hold(event.clientX, event.clientY);
  }

  /** Show what is held at a point of the screen. */
  #hold(x, y) {
    this.held.style.transform = placed(x, y);
    this.held.classList.add("placed");
  }

  #holdAt(name) {
    const { x, y } = this.#middleOf(name);
    this.#hold(x, y);
  }

  /** Draw what is held as large as pieces of that square. */
  #fit(name) {
    const room = this.board.squares.get(name)?.room;
    const scale = this.board.svg.getScreenCTM()?.a;
    if (room && scale) this.held.style.width = this.held.style.height = `${2.08 * room * scale}px`;
  }

  /** The middle of a square on the screen. */
  #middleOf(name) {
    return new DOMPoint(...this.board.squares.get(name).middle).matrixTransform(this.board.svg.getScreenCTM());
  }

  #explain(event) {
    const name = event.target.closest("[data-square]")?.dataset.square;
    if (!name) return;
    this.#then(() => {
      const from = this.pick.from ?? this.table().lifted[0] ?? (this.letter && this.from);
      return from ? this.explain(from, name) : null;
    });
  }

  #key(event) {
    const name = event.target.dataset?.square;
    if (!name || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key in WAYS) this.board.focus(this.board.neighbour(name, WAYS[event.key]));
    else if (event.key === "Enter" || event.key === " ") this.#keyTouch(name);
    else if (event.key === "Delete" || event.key === "Backspace") this.drop();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  #keyTouch(name) {
    this.#holdAt(name);
    this.touch(name);
    this.#then(() => this.pick.up(name));
  }
}

const placed = (x, y) => `translate(${x}px, ${y}px) translate(-50%, -50%)`;

/** Whether putting a piece on another one means to take it: the mover's own, on an enemy. */
function isTaking(letter, there, side) {
  const sideOf = (piece) => (piece === piece.toUpperCase() ? "black" : "orange");
  return letter !== "*" && there !== "*" && there !== "?" && sideOf(letter) === side && sideOf(there) !== side;
}
