// A board on the screen: a piece is picked and goes where it is told, by taps or by a drag.

export class Pick {
  /** `ask(request)` asks the table, null where it refuses; `explain(from, to)` says why not. */
  constructor({ ask, table, explain }) {
    Object.assign(this, { ask, table, explain });
    this.from = null;
    this.isAgain = false; // the piece was picked already when the pointer went down on it
  }

  /** The pointer goes down on a square: a piece of ours is picked, else what is picked goes there. */
  down(name) {
    if (!this.table().is_screen) return null;
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
    if (name) return this.#go(name);
    this.clear();
    return false;
  }

  clear() {
    this.isAgain = false;
    if (!this.from) return null;
    this.from = null;
    return this.ask({ do: "pick" });
  }

  #take(name) {
    this.from = name;
    return this.ask({ do: "pick", square: name });
  }

  async #go(name) {
    const from = this.from;
    this.from = null;
    if ((await this.ask({ do: "move", from_square: from, to_square: name })) !== null) return true;
    this.explain(from, name).then(() => this.ask({ do: "pick" }));
    return false;
  }

  #isOurs(name) {
    const { standing, side, opponent, over } = this.table();
    const letter = standing[name];
    if (!letter || letter === "*" || over || (opponent && [side, "both"].includes(opponent.side))) return false;
    return (letter === letter.toUpperCase() ? "black" : "orange") === side;
  }
}
