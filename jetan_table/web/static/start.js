// What a visitor is asked first: to learn, to play the table, to play together, or to watch.

import { find, make } from "./elements.js";
import { openCourse } from "./learn.js";
import { picture } from "./newgame.js";
import { say } from "./words.js";

const DOES = {
  learn: { letters: ["Q"] },
  against: { letters: ["P"], level: "panthan", side: "orange" },
  two: { letters: ["C", "c"], level: null, side: "orange" },
  watch: { letters: ["F", "f"], level: "padwar", side: "both" },
};

export class Start {
  /** `ask(request)` asks the table, null where it refuses; `begin()` opens the new-game dialog; `setUp()`: "new", "begun", or null. */
  constructor({ box, ask, state, begin, setUp }) {
    Object.assign(this, { box, ask, state, begin, setUp });
  }

  /** Ask a visitor who comes to a screen on which nothing has been played yet. */
  offer() {
    const { is_screen: isScreen, moves, opening, first_number: first } = this.state();
    const isAsked = new URLSearchParams(location.search).has("play"); // somebody comes to play
    if (!isAsked && isScreen && !moves.length && first === 1 && !opening.due && !document.body.classList.contains("wall")) this.show();
  }

  show() {
    this.box.hidden = false;
    delete find("open-learn").dataset.action; // while it is one of the choices here
    document.body.classList.add("starting");
    this.refresh();
    this.box.querySelector("h2")?.focus({ preventScroll: true });
  }

  hide() {
    this.box.hidden = true;
    this.box.replaceChildren();
    find("open-learn").dataset.action = "learn";
    document.body.classList.remove("starting");
  }

  /** Say all again, in another language. */
  refresh() {
    if (this.box.hidden) return;
    const { moves, over } = this.state();
    const choices = Object.entries(DOES).map(([name, { letters }]) =>
      make("button.choice", { "data-action": name, onclick: () => this.#choose(name) },
        picture(...letters), make("b", {}, say(`start-${name}`)), make("small", {}, say(`start-${name}-why`))));
    const goesOn = moves.length && !over;
    this.box.replaceChildren(
      make("h2", { tabindex: -1 }, say("start-title")), make("p.quiet", {}, say("start-what")),
      make("div.choices", {}, ...choices),
      make("div.row", {},
        make("button", { "data-action": "on", onclick: () => this.hide() }, say(goesOn ? "start-on" : "start-board")),
        make("button", { "data-action": "new", onclick: () => { this.hide(); this.begin(); } }, say("start-more")),
        this.setUp() ? make("a.button", { "data-action": "setup", href: "/setup" }, say(this.setUp() === "begun" ? "setup-go-on" : "setup-offer")) : null),
    );
  }

  async #choose(name) {
    this.hide();
    if (name === "learn") {
      await openCourse();
      return;
    }
    const { level, side } = DOES[name];
    const { moves } = this.state();
    // A game that nobody has begun is not left for another one.
    if (moves.length && (await this.ask({ do: "new", black: "?", orange: "?" })) === null) return;
    await this.ask({ do: "invite", level, side });
  }
}
