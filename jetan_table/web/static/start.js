// The first page: a game plays itself, and a visitor says what he would like.

import { find, make } from "./elements.js";
import { openCourse } from "./learn.js";
import { picture } from "./newgame.js";
import { askTheme, set } from "./training.js";
import { say } from "./words.js";

const DOES = {
  against: { letters: ["P"], level: "panthan", side: "orange" },
  two: { letters: ["C", "c"], level: null, side: "orange" },
  learn: { letters: ["Q"] },
  watch: { letters: ["F", "f"], level: "padwar", side: "both" },
  stronger: { letters: ["T"], level: "odwar", side: "orange" },
  daily: { letters: ["D"] },
};
const LARGE = ["against", "two", "learn", "watch"];

export class Start {
  /** `ask(request)` asks the table, null where it refuses; `begin()` opens the new-game dialog; `setUp()`: "new", "begun", or null. */
  constructor({ box, show, ask, state, begin, setUp }) {
    Object.assign(this, { box, show, ask, state, begin, setUp });
    // Whoever touches the board wants the board, but means no piece of the game on it.
    find("board").addEventListener("pointerdown", (event) => {
      if (this.isShown) event.stopPropagation();
      this.hide();
    }, true);
  }

  get isShown() {
    return !this.box.hidden;
  }

  /** Ask a visitor who comes to a screen on which nothing has been played yet. */
  offer() {
    const { is_screen: isScreen, moves, opening, first_number: first } = this.state();
    const isAsked = new URLSearchParams(location.search).has("play"); // somebody comes to play
    if (!isAsked && isScreen && !moves.length && first === 1 && !opening.due && !document.body.classList.contains("wall")) this.open();
  }

  open() {
    if (this.isShown) return;
    this.box.hidden = false;
    delete find("open-learn").dataset.action; // while it is one of the choices here
    document.body.classList.add("starting");
    this.refresh();
    this.show.begin();
    scrollTo(0, 0);
    this.box.querySelector("h2")?.focus({ preventScroll: true });
  }

  hide() {
    if (!this.isShown) return;
    this.box.hidden = true;
    this.box.replaceChildren();
    this.show.stop();
    find("open-learn").dataset.action = "learn";
    document.body.classList.remove("starting");
    scrollTo(0, 0);
  }

  /** Say all again, in another language. */
  refresh() {
    if (!this.isShown) return;
    this.show.refresh();
    const { moves, over, may_invite: mayInvite, may_hint: mayHint } = this.state();
    const card = (kind) => (name) => make(kind, { "data-action": name, onclick: () => this.#choose(name) },
      picture(...DOES[name].letters), make("b", {}, say(`start-${name}`)), make("small", {}, say(`start-${name}-why`)));
    const tile = (name, does) => make("button", { "data-action": name, title: say(`${name}-why`), onclick: does }, say(`tile-${name}`));
    const goesOn = moves.length && !over;
    this.box.replaceChildren(
      make("h2", { tabindex: -1 }, say("start-what")), make("p.wins", {}, say("start-wins")),
      make("div.choices", {}, ...LARGE.map(card("button.choice"))),
      make("div.two", {}, ...(mayInvite ? ["stronger", "daily"] : []).map(card("button.wide"))),
      make("div.tiles", {},
        mayInvite ? tile("puzzles", () => this.#puzzles()) : null,
        mayHint ? tile("study", () => this.#then(() => this.ask({ do: "study", is_wanted: true }))) : null,
        tile("lessons", () => this.#choose("learn")),
        make("button", { "data-action": "new", onclick: () => this.begin() }, say("start-more")),
        this.setUp() ? make("a.button", { "data-action": "setup", href: "/setup" }, say(this.setUp() === "begun" ? "tile-set-up-on" : "tile-set-up")) : null,
        make("button", { "data-action": "on", onclick: () => this.hide() }, say(goesOn ? "start-on" : "start-board"))),
    );
  }

  async #puzzles() {
    const theme = await askTheme();
    if (theme !== null) await this.#then(() => set(theme));
  }

  /** Leave this page for what is done. */
  #then(does) {
    this.hide();
    return does();
  }

  async #choose(name) {
    this.hide();
    if (name === "learn") {
      await openCourse();
      return;
    }
    if (name === "daily") {
      await set({});
      return;
    }
    const { level, side } = DOES[name];
    const { moves } = this.state();
    // A game that nobody has begun is not left for another one.
    if (moves.length && (await this.ask({ do: "new", black: "?", orange: "?" })) === null) return;
    await this.ask({ do: "invite", level, side });
  }
}
