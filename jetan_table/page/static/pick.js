// A board on the screen: a piece is picked and goes where it is told, by taps or by a drag; on the other side's time, ahead.

import { ownSide } from "./words.js";

export class Pick {
  /** `ask(request)` asks the table, null where it refuses; `mark(square, isPicked)` shows before it answers, and resolves when that is painted; `explain(from, to)` says why not; `changed()`: what is told ahead has. */
  constructor({ ask, table, mark, explain, changed }) {
    Object.assign(this, { ask, table, mark, explain, changed });
    this.from = null;
    this.isAgain = false; // the piece was picked already when the pointer went down on it
    this.ahead = null; // {from, to}: what is played as soon as it is our turn
    this.tellsAhead = false; // something was touched while it was not
  }

  /** Whether a move may be told ahead: a clock runs, and it is the other side's turn. */
  get isAhead() {
    const { is_screen: isScreen, clock, over, side } = this.table();
    const own = ownSide(this.table());
    return Boolean(isScreen && clock && !over && own && own !== side);
  }

  /** A square is touched while the other side thinks: our piece, where it is to go, or anything, which calls it off. */
  #tellAhead(name) {
    this.tellsAhead = true;
    const from = this.ahead ? null : this.from;
    const isOwn = sideOf(this.table().standing[name]) === ownSide(this.table());
    this.ahead = from && !isOwn ? { from, to: name } : null;
    this.from = isOwn && name !== from ? name : null;
    this.changed();
  }

  /** The turn may be ours now: play what was told ahead, or pick what was about to be. */
  async turn() {
    const { die, fight } = this.table();
    const { ahead, from } = this;
    if (!this.tellsAhead || this.isAhead || die?.is_due || fight) return;
    this.tellsAhead = false;
    this.ahead = this.from = null;
    this.changed();
    const start = ahead?.from ?? from;
    if (!start || !this.#isOurs(start)) return;
    if (ahead) await this.ask({ do: "move", from_square: start, to_square: ahead.to });
    else await this.#take(start);
  }

  /** The pointer goes down on a square: a piece of ours is picked, else what is picked goes there. */
  down(name) {
    if (!this.table().is_screen) return null;
    if (this.isAhead) return this.#tellAhead(name);
    this.isAgain = name === this.from;
    if (this.isAgain) return null;
    if (this.#isOurs(name)) return this.#take(name);
    return this.from ? this.#go(name) : null;
  }

  /** It comes up where it went down: who taps the picked piece once more lets it stand. */
  up(name) {
    if (this.isAgain && name === this.from) return this.clear();
    this.isAgain = false;
    return null;
  }

  /** A drag ends on a square, or beside the board (null); false where the piece does not go there. */
  drop(name) {
    this.isAgain = false;
    if (!this.from || name === this.from) return false;
    if (this.isAhead) {
      if (name) this.#tellAhead(name);
      return false;
    }
    if (name) return this.#go(name);
    this.clear();
    return false;
  }

  clear() {
    this.isAgain = false;
    if (this.ahead || this.isAhead) {
      this.ahead = this.from = null;
      this.changed();
      return null;
    }
    if (!this.from) return null;
    this.from = null;
    return this.ask({ do: "pick" });
  }

  async #take(name) {
    this.from = name;
    await this.mark(name, true);
    const isDone = (await this.ask({ do: "pick", square: name })) !== null;
    if (!isDone) this.mark(name, false);
    return isDone;
  }

  async #go(name) {
    const from = this.from;
    this.from = null;
    await this.mark(name, true);
    if ((await this.ask({ do: "move", from_square: from, to_square: name })) !== null) return true;
    this.mark(name, false);
    this.explain(from, name).then(() => this.ask({ do: "pick" }));
    return false;
  }

  #isOurs(name) {
    const { standing, side, opponent, over } = this.table();
    const letter = standing[name];
    if (!letter || letter === "*" || over || (opponent && [side, "both"].includes(opponent.side))) return false;
    return sideOf(letter) === side;
  }
}

/** Whose piece a letter is; null where it is nobody's. */
const sideOf = (letter) => (!letter || letter === "*" ? null : letter === letter.toUpperCase() ? "black" : "orange");
