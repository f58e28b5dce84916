// What opens over the page: PIN, new game, games, position, settings, help. Each is made when asked.

import { drawCue, drawPiece, element } from "./board.js";
import { make } from "./elements.js";
import { read } from "./link.js";
import { CUES, PALETTES, SIDES } from "./names.js";
import { _, language, languages, say } from "./sentences.js";
import { countOf, howOneWins, kindName, pieceName, readingName, resultIn } from "./words.js";

const THEMES = { auto: _("same as the device"), light: _("light"), dark: _("dark") };
const CHECKS = { sounds: _("Sounds"), speech: _("Speak the moves"), bar: _("Show who is better, as the opponent thinks"), line: _("Show the line the opponent expects") };
const HOW_SCREEN = _("Tap a piece, then the square it should go to, or drag it there. Right-click a square to see why the piece may go there or not. The arrow keys and Enter work too.");
const HOW_HANDS = _("Lift a piece with mouse, finger or Enter, and put it down wherever you like: the table sees only its switches, as on a real board, and reads the move from them.");
const HOW_REAL = _("The pieces are on the table; this page shows what it sees and asks.");
const SHORT = 4; // moves: a game left before is hardly one

/** An element whose words change with the page's language while it is shown. */
const worded = (what, english, attributes = {}) => make(what, { "data-word": english, ...attributes }, say(english));

/** Open a dialog; resolves with the value of the button that closed it, "" for Escape. */
export function open(title, content, buttons = [["", worded("span", _("Close"))]]) {
  const form = make("form", { method: "dialog" }, ...content);
  const row = make("div.row.end", {}, ...buttons.map(([value, words], index) =>
    make(`button${index === buttons.length - 1 && value ? ".main" : ""}`, { value, type: "submit", formnovalidate: value === "" }, words)));
  const heading = make("h2", { id: "dialog-title" }, title);
  const dialog = make("dialog", { "aria-labelledby": "dialog-title" }, heading, form);
  form.append(row);
  document.querySelector("#dialogs").append(dialog);
  dialog.showModal();
  const closed = new Promise((resolve) => {
    dialog.addEventListener("close", () => {
      dialog.remove();
      resolve(dialog.returnValue);
    });
  });
  // Enter in an input means the main button, not the first one.
  form.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && event.target instanceof HTMLInputElement && event.target.type !== "file") {
      event.preventDefault();
      row.lastElementChild.click();
    }
  });
  return { dialog, form, closed };
}

/** Close a dialog only once what it asks was done, which is asked once; else it says why not, and keeps its form. */
export function keepOpen(form, dialog, refused, does) {
  form.addEventListener("submit", async (event) => {
    const button = event.submitter;
    if (button?.value !== "ok") return;
    event.preventDefault();
    button.disabled = true;
    try {
      refused.textContent = (await does()) ?? "";
    } finally {
      button.disabled = false;
    }
    if (!refused.textContent) return dialog.close("ok");
    refused.scrollIntoView({ block: "nearest" });
    button.focus({ preventScroll: true });
  });
}

export function labelled(words, input) {
  return make("label", {}, make("span", {}, words), input);
}

export function isOpen() {
  return document.querySelector("dialog[open]") !== null;
}

/** Ask a question that is answered by what happens then: `no` is nothing. */
export async function confirm(question, no, yes) {
  const answer = await open(question, [], [["", no], ["ok", yes]]).closed;
  return answer === "ok";
}

/** Ask for a line, below these words; null where nobody tells it. */
export async function askLine(title, label, { words = [], ok = say("OK"), ...attributes }) {
  const input = make("input", { required: true, autocomplete: "off", ...attributes });
  const { closed } = open(title, [...words, labelled(label, input)], [["", say("Cancel")], ["ok", ok]]);
  input.focus();
  return (await closed) === "ok" ? input.value.trim() || null : null;
}

const PIN = { name: "pin", inputmode: "numeric", maxlength: 40 };
export const NAME = { name: "name", maxlength: 60 };

export function askPin(wrong) {
  const words = make("p", {}, say("Anyone may watch. To change something, enter the PIN that the table has printed."));
  return askLine(say("The table’s PIN"), say("The table’s PIN"), { ...PIN, ok: say("Enter"), words: wrong ? [make("p.refused", { role: "alert" }, wrong), words] : [words] });
}

/** Ask for the arbiter's PIN, and say why. */
export const askArbiter = (why = say("In a tournament game only the arbiter does this.")) => askLine(say("The arbiter"), say("The arbiter’s PIN"), { ...PIN, words: [make("p", {}, why)] });

export const askName = () => askLine(say("Save"), say("Name"), { ...NAME, ok: say("Save") });

/** Let people choose among the games; returns {look} or {load}, or null. */
export async function askGame() {
  const { kept, saved } = await read("/api/games");
  let chosen = null;
  const choice = (value) => ({ type: "submit", value: "chosen", onclick: () => (chosen = value) });
  const buttons = (what, title) => make("span.row.tight", {},
    // Translators: a button: look at a saved game
    make("button", choice({ look: what, title }), say("View")),
    make("button", choice({ load: what }), say("Play on")));
  const file = make("input", { type: "file", accept: ".jgn,text/plain", onchange: async () => {
    chosen = { load: { text: await file.files[0].text() } };
    file.closest("dialog").close("chosen");
  } });
  const date = new Intl.DateTimeFormat(language, { dateStyle: "medium", timeStyle: "short" });
  const rowOf = (game) => make("li", {},
    make("img.small-board", { src: `/board.svg?game=${game.game}`, alt: "", loading: "lazy", width: 72, height: 72 }),
    make("span", {}, make("b", {}, `${game.game}. ${named(game)}`), make("small", {},
      `${date.format(game.started * 1000)} · ${readingName(game.rules)} · ${countOf(game.plies)} · ${game.is_damaged ? say("damaged") : resultIn(game.result)}`)),
    buttons({ game: game.game }, String(game.game)));
  const hidden = (game) => make("li", {}, make("span", {}, make("b", {}, String(game.game)), make("small", {}, say("damaged"))));
  const isShort = (game) => !game.is_damaged && game.result === "*" && game.plies < SHORT;
  const rows = kept.filter((game) => !isShort(game)).map((game) => (game.is_damaged && !game.plies ? hidden : rowOf)(game));
  const tries = kept.filter(isShort).map(rowOf);
  const names = saved.map((name) => make("li", {}, make("span", {}, make("b", {}, name)), buttons({ name }, name)));
  const { closed } = open(say("Games"), [
    make("h3", {}, say("Saved games")),
    names.length ? make("ul.games", {}, ...names) : make("p.quiet", {}, say("No games have been saved yet.")),
    labelled(say("Load a game file (.jgn)"), file),
    make("h3", {}, say("All games")), make("ul.games", {}, ...rows),
    tries.length ? make("details", {}, make("summary.small", {}, say("{count} abandoned games", { count: tries.length })), make("ul.games", {}, ...tries)) : null,
  ]);
  return (await closed) === "chosen" ? chosen : null;
}

function named(game) {
  const name = (side) => (game[side] === "?" ? say(SIDES[side]) : game[side]);
  return `${name("black")} – ${name("orange")}`;
}

/** Show position and game as text, to be kept in any of the forms of `exports`; returns a request, or null. */
export async function askPosition(state, exports) {
  const game = await (await fetch("/api/game.jgn")).text();
  const input = make("input", { name: "position", autocomplete: "off", spellcheck: false });
  const copied = (text) => async (event) => {
    await navigator.clipboard?.writeText(text);
    event.target.textContent = say("copied");
  };
  const shown = (words, text) => [
    make("h3", {}, words), make("pre.text", { tabindex: 0 }, text),
    make("div.row", {}, make("button", { type: "button", onclick: copied(text) }, say("Copy"))),
  ];
  const { closed } = open(say("Position"), [
    ...shown(say("Position text"), state.position),
    ...shown(say("Its address"), `${location.origin}${location.pathname}#position/${[state.rules, state.position].map(encodeURIComponent).join("/")}`),
    ...shown(say("Game text"), game),
    make("div.row", {}, ...exports.map((form) => make("a.button", { href: `/api/game.${form}`, download: `game.${form}` },
      exports.length > 1 ? `${say("Download")} (.${form})` : say("Download")))),
    make("h3", {}, say("Play on from this position")), make("p.quiet", {}, say("Use this where the table has misread the board.")),
    labelled(say("Position text"), input),
  ], [["", say("Close")], ["ok", say("Play on from this position")]]);
  return (await closed) === "ok" && input.value.trim() ? { do: "correct", position: input.value.trim() } : null;
}

/** Let people name every piece that stands on the board; `begin(request)` says why it cannot. */
export async function askStanding(state, rules, begin) {
  const named = Object.fromEntries(Object.entries(state.standing).map(([square, letter]) =>
    [square, letter === "?" ? (Number(square.slice(1)) > 5 ? "p" : "P") : letter]));
  let brush = "P";
  const token = (letter, words, does, pressed = null) => {
    const picture = element("svg", { viewBox: "-52 -52 104 104", "aria-hidden": "true" });
    picture.append(drawPiece(letter));
    const how = pressed === null ? {} : { "aria-pressed": String(pressed) };
    return make("button.token", { type: "button", "aria-label": words, onclick: does, ...how }, picture);
  };
  const pieceOf = (letter) => pieceName(letter, rules);
  const brushes = make("div.brushes", { role: "group" });
  const plan = make("div.plan", { role: "group" });
  const draw = (focused = null) => {
    brushes.replaceChildren(...[..."PTWADFCQptwadfcq*"].map((letter) =>
      token(letter, pieceOf(letter), () => draw((brush = letter)), letter === brush)));
    plan.replaceChildren(...Object.entries(named).map(([square, letter]) => {
      const button = token(letter, `${square}, ${pieceOf(letter)}`, () => draw((named[square] = brush) && square));
      button.dataset.named = square;
      button.style.gridArea = `${11 - Number(square.slice(1))} / ${square.charCodeAt(0) - 96}`;
      return button;
    }));
    const again = focused?.length > 1 ? plan.querySelector(`[data-named=${focused}]`) : brushes.querySelector("[aria-pressed=true]");
    if (focused) again?.focus();
  };
  const side = make("select", { name: "side" }, ...["black", "orange"].map((name) =>
    make("option", { value: name, selected: name === state.side }, say(SIDES[name]))));
  const refused = make("p.refused", { role: "status" });
  draw();
  const { dialog, form, closed } = open(say("Start from the pieces on the board"), [
    make("p.quiet", {}, say("Choose a piece, then tap each square where one stands: the table sees where pieces are, but not which.")), brushes, plan, labelled(say("To move"), side), refused,
  ], [["", say("Cancel")], ["ok", say("Begin")]]);
  keepOpen(form, dialog, refused, () => begin({ do: "here", pieces: named, side: side.value }));
  await closed;
}

/** Show what can be set; `set(name, value)` at once. */
export async function showSettings(chosen, state, set) {
  const select = (name, options, now = chosen[name]) => make("select", { name, onchange: (event) => set(name, event.target.value) },
    ...Object.entries(options).map(([value, words]) => worded("option", words, { value, selected: now === value })));
  const check = (name) => make("label.check", {},
    make("input", { type: "checkbox", name, checked: chosen[name], onchange: (event) => set(name, event.target.checked) }),
    worded("span", CHECKS[name]));
  const brightness = make("input", { type: "range", name: "brightness", min: 0.02, max: 1, step: 0.02, value: state.brightness,
    onchange: (event) => set("brightness", Number(event.target.value)) });
  const row = (words, input) => labelled(worded("span", words), input);
  await open(worded("span", _("Settings")), [
    row(_("Language"), select("language", languages)),
    row(_("Appearance"), select("theme", THEMES)),
    check("sounds"), check("speech"), check("bar"), check("line"),
    ...(state.is_screen ? [] : [row(_("Lamps’ colours"), select("palette", PALETTES, state.palette)), row(_("Lamps’ brightness"), brightness)]),
  ]).closed;
}

export async function showHelp(state, rules, palette, gestures) {
  const cues = Object.entries(palette).map(([cue, look]) => {
    return make("li", {}, drawCue(cue, state.is_screen ? null : look.colour), make("span", {}, say(CUES[cue])));
  });
  const kinds = [..."PTWADFCQ"].map((letter) => make("li", {}, make("b", {}, letter), ` ${kindName(letter, rules)}`));
  const keys = [["↑ ↓ ← →", _("on the board: from square to square")], ["Enter", _("lift or put down")], ["Escape", _("put back where it came from")],
    ["Delete", _("into the box")], ["a", _("on the board: begin an arrow, and end it; twice on one square: clear all")], ["← → Home End", _("move back and on, start and table (off the board)")],
    ["b s l n f h w t", _("take back, save, load, new game, turn, hint, why, danger")]];
  await open(say("Help"), [
    make("section.aim", {}, make("p", {}, `${say("The chess of Mars, from Edgar Rice Burroughs, 1922")}. `, howOneWins(rules))),
    make("p", {}, say(state.is_screen ? HOW_SCREEN : state.hands ? HOW_HANDS : HOW_REAL)),
    make("h3", {}, say("Keys")),
    make("dl", {}, ...keys.flatMap(([key, words]) => [make("dt", {}, key), make("dd", {}, say(words))])),
    make("h3", {}, say("Gestures at the board")), make("p", {}, say(gestures.how)),
    make("dl.gestures", {}, ...gestures.rows.flatMap(([name, what]) => [make("dt", {}, say(name)), make("dd", {}, say(what))])),
    make("h3", {}, say("What the marks mean")), make("ul.legend", {}, ...cues), make("ul.legend", {}, ...kinds),
  ]).closed;
}
