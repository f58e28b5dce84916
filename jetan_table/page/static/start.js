// The first page: a game plays itself, and a visitor says what he would like.

import { find, make } from "./elements.js";
import { tilesOf } from "./features.js";
import { freshGame, picture } from "./newgame.js";
import { _, say } from "./sentences.js";
import { howOneWins } from "./words.js";

const OWN = [
  { name: "against", size: "choice", rank: 10, words: _("Play the table"), why: _("it plays like a beginner"), letters: ["P"], level: "panthan", side: "orange" },
  { name: "two", size: "choice", rank: 20, words: _("Two players"), why: _("both at this screen"), letters: ["C", "c"], level: null, side: "orange" },
  // Translators: a button: look on while the table plays against itself
  { name: "watch", size: "choice", rank: 40, words: _("Watch"), why: _("the table plays both sides"), letters: ["F", "f"], level: "padwar", side: "both" },
  { name: "stronger", size: "wide", rank: 10, words: _("A stronger opponent"), why: _("the table plays well"), letters: ["T"], level: "odwar", side: "orange" },
];
const [, TWO] = OWN;

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
    document.dispatchEvent(new CustomEvent("starting", { detail: true }));
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
    document.dispatchEvent(new CustomEvent("starting", { detail: false }));
    document.body.classList.remove("starting");
    scrollTo(0, 0);
  }

  /** Say all again, in another language. */
  refresh() {
    if (!this.isShown) return;
    this.show.refresh();
    const { moves, over, may_invite: mayInvite } = this.state();
    const { presets, recommended } = this.about();
    const goesOn = moves.length && !over;
    const offered = [
      ...OWN.filter(({ name }) => mayInvite || name !== "stronger"), ...tilesOf(this.state(), this.about()),
      { name: "new", size: "tile", rank: 40, words: _("More choices …"), opens: this.begin },
      { name: "on", size: "tile", rank: 60, words: goesOn ? _("Continue the game") : _("Just the board"), opens: () => this.hide() },
    ].sort((one, other) => one.rank - other.rank);
    const sized = (wanted) => offered.filter(({ size }) => size === wanted).map((tile) => this.#made(tile));
    this.box.replaceChildren(
      make("h2", { tabindex: -1 }, say("The chess of Mars, from Edgar Rice Burroughs, 1922")), make("p.wins", {}, howOneWins(presets[recommended].values)),
      make("div.choices", {}, ...sized("choice")), make("div.two", {}, ...sized("wide")), make("div.tiles", {}, ...sized("tile")),
    );
  }

  #made(tile) {
    const { name, size, words, why, letters, href } = tile;
    const attributes = { "data-action": name, onclick: () => this.#choose(tile) };
    if (href) return make("a.button", { "data-action": name, href }, say(words));
    if (size === "tile") return make("button", { ...attributes, ...(why && { title: say(why) }) }, say(words));
    return make(`button.${size}`, attributes, picture(...letters), make("b", {}, say(words)), make("small", {}, say(why)));
  }

  /** Leave this page for what is done. */
  #then(does) {
    this.hide();
    return does();
  }

  async #choose({ opens, asks, does, needsGame, ...game }) {
    if (opens) return opens();
    if (asks) {
      const asked = await asks();
      return asked && this.#then(asked.then);
    }
    if (!does) return this.#begin(game);
    const { moves, over, lesson, training } = this.state();
    if (needsGame && !lesson && !training && (!moves.length || over)) await this.#begin(TWO);
    return this.#then(does);
  }

  async #begin({ level, side }) {
    this.box.inert = true; // until it is begun: nobody begins two, or moves in the game before
    const isBegun = (await this.ask(await freshGame())) !== null;
    this.box.inert = false;
    if (isBegun) await this.#then(() => this.ask({ do: "invite", level, side }));
  }
}
