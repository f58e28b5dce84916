// The first page: a game plays itself, and a visitor says what he would like.

import { find, make } from "./elements.js";
import { openCourse } from "./learn.js";
import { freshGame, picture } from "./newgame.js";
import { _, language, say } from "./sentences.js";
import { askTheme, set } from "./training.js";
import { howOneWins } from "./words.js";

const DOES = {
  against: { words: _("Play the table"), why: _("it plays like a beginner"), letters: ["P"], level: "panthan", side: "orange" },
  two: { words: _("Two players"), why: _("both at this screen"), letters: ["C", "c"], level: null, side: "orange" },
  learn: { words: _("Learn"), why: _("the pieces, in three minutes"), letters: ["Q"] },
  watch: { words: _("Watch"), why: _("the table plays both sides"), letters: ["F", "f"], level: "padwar", side: "both" },
  stronger: { words: _("A stronger opponent"), why: _("the table plays well"), letters: ["T"], level: "odwar", side: "orange" },
  daily: { words: _("The puzzle of the day"), why: _("find the move that wins or saves the game"), letters: ["D"] },
};
const LARGE = ["against", "two", "learn", "watch"];

export class Start {
  /** `ask(request)` asks the table, null where it refuses; `begin()` opens the new-game dialog; `about()` is what never changes of the table. */
  constructor({ box, show, ask, state, begin, about }) {
    Object.assign(this, { box, show, ask, state, begin, about });
    // Whoever touches the board wants the board, but means no piece of the game on it.
    find("board").addEventListener("pointerdown", (event) => {
      if (this.isShown) event.stopPropagation();
      if (!this.box.inert) this.hide();
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
      picture(...DOES[name].letters), make("b", {}, say(DOES[name].words)), make("small", {}, say(DOES[name].why)));
    const tile = (name, words, why, does) => make("button", { "data-action": name, title: why, onclick: does }, words);
    const { presets, recommended, set_up: setUp } = this.about();
    const goesOn = moves.length && !over;
    this.box.replaceChildren(
      make("h2", { tabindex: -1 }, say("The chess of Mars, from Edgar Rice Burroughs, 1922")), make("p.wins", {}, howOneWins(presets[recommended].values)),
      make("div.choices", {}, ...LARGE.map(card("button.choice"))),
      make("div.two", {}, ...(mayInvite ? ["stronger", "daily"] : []).map(card("button.wide"))),
      make("div.tiles", {},
        mayInvite ? tile("puzzles", say("Puzzles"), say("Positions from games, each with one proved answer"), () => this.#puzzles()) : null,
        mayHint ? tile("study", say("Study"), say("Try moves freely: every line is kept, and the three best moves light up"), () => this.#study()) : null,
        tile("lessons", say("Lessons"), say("The pieces and how to win, move by move"), () => this.#choose("learn")),
        make("button", { "data-action": "new", onclick: () => this.begin() }, say("More choices …")),
        setUp ? make("a.button", { "data-action": "setup", href: `/setup?lang=${language}` }, say(setUp === "begun" ? _("Continue the set-up") : _("Set up a real table"))) : null,
        make("button", { "data-action": "on", onclick: () => this.hide() }, say(goesOn ? _("Continue the game") : _("Just the board")))),
    );
  }

  async #puzzles() {
    const theme = await askTheme();
    if (theme !== null) await this.#then(() => set(theme));
  }

  /** Study the game that is played; where none goes on, a new one. */
  async #study() {
    const { moves, over, lesson, training } = this.state();
    if (!lesson && !training && (!moves.length || over)) await this.#begin(DOES.two);
    await this.#then(() => this.ask({ do: "study", is_wanted: true }));
  }

  /** Leave this page for what is done. */
  #then(does) {
    this.hide();
    return does();
  }

  async #choose(name) {
    if (name === "learn") return this.#then(openCourse);
    if (name === "daily") return this.#then(() => set({}));
    return this.#begin(DOES[name]);
  }

  async #begin({ level, side }) {
    this.box.inert = true; // until it is begun: nobody begins two, or moves in the game before
    const isBegun = (await this.ask(await freshGame())) !== null;
    this.box.inert = false;
    if (isBegun) await this.#then(() => this.ask({ do: "invite", level, side }));
  }
}
