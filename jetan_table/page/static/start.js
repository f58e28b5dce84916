// The first page: a game plays itself, and a visitor says what he would like.

import { find, make } from "./elements.js";
import { tilesOf } from "./features.js";
import { freshGame, picture } from "./newgame.js";
import { _, say } from "./sentences.js";
import { howOneWins } from "./words.js";

// A tile has letters, the pieces that picture it; all else stands in the line below the tiles.
const OWN = [
  { name: "against", rank: 10, words: _("Play the computer"), why: _("Easy to beat"), letters: ["P"], level: "panthan", side: "orange" },
  { name: "two", rank: 20, words: _("Play a friend"), why: _("Both at this screen"), letters: ["C", "c"], level: null, side: "orange" },
  // Translators: a button: look on while the table plays against itself
  { name: "watch", rank: 50, words: _("Watch a game"), level: "padwar", side: "both" },
];

export class Start {
  /** `ask(request)` asks the table, null where it refuses; `about()` is what never changes of the table. */
  constructor({ box, show, ask, state, about }) {
    Object.assign(this, { box, show, ask, state, about });
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
    const { moves, over } = this.state();
    const { presets, recommended } = this.about();
    const goesOn = moves.length && !over;
    const offered = [...OWN, ...tilesOf(this.state(), this.about()), { name: "on", rank: 60, words: goesOn ? _("Continue the game") : _("Just the board"), does: () => null }];
    const made = (isTile) => offered.filter(({ letters }) => Boolean(letters) === isTile).sort((one, other) => one.rank - other.rank).map((each) => this.#made(each));
    this.box.replaceChildren(
      make("figure.lit", {},
        make("img", { src: "/static/table.webp", width: 880, height: 400, alt: say("A painted picture of the table: a Flier is lifted, and four squares in light say where it may go") }),
        make("figcaption", {}, make("small", {}, say("Edgar Rice Burroughs, 1922")), make("h2", { tabindex: -1 }, say("The chess of Mars, on a table that shows you how")))),
      make("p.wins", {}, howOneWins(presets[recommended].values)), make("div.choices", {}, ...made(true)), make("div.others", {}, ...made(false)),
    );
  }

  #made(tile) {
    const { name, words, why, letters, href } = tile;
    const attributes = { "data-action": name, onclick: () => this.#choose(tile) };
    if (href) return make("a", { "data-action": name, href }, say(words));
    if (!letters) return make("button", attributes, say(words));
    return make("button.choice", attributes, picture(...letters), make("b", {}, say(words)), make("small", {}, say(why)));
  }

  /** Leave this page for what is done, or for the game that it begins. */
  async #choose({ does, level, side }) {
    if (!does) {
      this.box.inert = true; // until it is begun: nobody begins two, or moves in the game before
      const isBegun = (await this.ask(await freshGame())) !== null;
      this.box.inert = false;
      if (!isBegun) return;
    }
    this.hide();
    await (does ? does() : this.ask({ do: "invite", level, side }));
  }
}
