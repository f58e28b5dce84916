// What opens over the page: PIN, new game, games, position, settings, help. Each is made when asked.

import { drawCue, drawPiece, element } from "./board.js";
import { make } from "./elements.js";
import { read } from "./link.js";
import { countOf, kindName, language, languages, pieceName, readingName, resultIn, say } from "./words.js";

const SHORT = 4; // moves: a game left before is hardly one

/** Open a dialog; resolves with the value of the button that closed it, "" for Escape. */
export function open(title, content, buttons = [["", say("close")]]) {
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

export async function askPin(wrong) {
  const input = make("input", { name: "pin", required: true, autocomplete: "off", inputmode: "numeric", maxlength: 40 });
  const content = [make("p", {}, say("pin-why")), labelled(say("pin"), input)];
  if (wrong) content.unshift(make("p.refused", { role: "alert" }, wrong));
  const { closed } = open(say("pin"), content, [["", say("cancel")], ["ok", say("enter")]]);
  input.focus();
  return (await closed) === "ok" ? input.value.trim() : null;
}

/** Ask for the arbiter's PIN; null where nobody tells it. */
export async function askArbiter() {
  const input = make("input", { name: "pin", required: true, autocomplete: "off", inputmode: "numeric", maxlength: 40 });
  const { closed } = open(say("arbiter"), [make("p", {}, say("arbiter-why")), labelled(say("arbiter-pin"), input)],
    [["", say("cancel")], ["ok", say("ok")]]);
  input.focus();
  return (await closed) === "ok" ? input.value.trim() : null;
}

export async function askName() {
  const input = make("input", { name: "name", required: true, maxlength: 60, autocomplete: "off" });
  const { closed } = open(say("save"), [labelled(say("name"), input)], [["", say("cancel")], ["ok", say("save")]]);
  input.focus();
  return (await closed) === "ok" ? input.value.trim() : null;
}

/** Let people choose among the games; returns {look} or {load}, or null. */
export async function askGame() {
  const { kept, saved } = await read("/api/games");
  let chosen = null;
  const choice = (value) => ({ type: "submit", value: "chosen", onclick: () => (chosen = value) });
  const buttons = (what, title) => make("span.row.tight", {},
    make("button", choice({ look: what, title }), say("look")),
    make("button", choice({ load: what }), say("load")));
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
  const { closed } = open(say("games"), [
    make("h3", {}, say("saved")),
    names.length ? make("ul.games", {}, ...names) : make("p.quiet", {}, say("none-saved")),
    labelled(say("file"), file),
    make("h3", {}, say("kept")), make("ul.games", {}, ...rows),
    tries.length ? make("details", {}, make("summary.small", {}, say("short-tries", { count: tries.length })), make("ul.games", {}, ...tries)) : null,
  ]);
  return (await closed) === "chosen" ? chosen : null;
}

function named(game) {
  const name = (side) => (game[side] === "?" ? say(side) : game[side]);
  return `${name("black")} – ${name("orange")}`;
}

/** Show position and game as text; returns a request, or null. */
export async function askPosition(state) {
  const game = await (await fetch("/api/game.jgn")).text();
  const input = make("input", { name: "position", autocomplete: "off", spellcheck: false });
  const copied = (text) => async (event) => {
    await navigator.clipboard?.writeText(text);
    event.target.textContent = say("copied");
  };
  const shown = (words, text) => [
    make("h3", {}, words), make("pre.text", { tabindex: 0 }, text),
    make("div.row", {}, make("button", { type: "button", onclick: copied(text) }, say("copy"))),
  ];
  const { closed } = open(say("position"), [
    ...shown(say("position-text"), state.position),
    ...shown(say("game-text"), game),
    make("div.row", {}, make("a.button", { href: "/api/game.jgn", download: "game.jgn" }, say("download"))),
    make("h3", {}, say("correct")), make("p.quiet", {}, say("correct-why")),
    labelled(say("position-text"), input),
  ], [["", say("close")], ["ok", say("correct")]]);
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
    make("option", { value: name, selected: name === state.side }, say(name))));
  const refused = make("p.refused", { role: "status" });
  draw();
  const { dialog, form, closed } = open(say("standing"), [
    make("p.quiet", {}, say("standing-why")), brushes, plan, labelled(say("moves-first"), side), refused,
  ], [["", say("cancel")], ["ok", say("begin")]]);
  form.addEventListener("submit", async (event) => {
    if (event.submitter?.value !== "ok") return;
    event.preventDefault();
    refused.textContent = (await begin({ do: "here", pieces: named, side: side.value })) ?? "";
    if (!refused.textContent) dialog.close("ok");
  });
  await closed;
}

/** Show what can be set; `set(name, value)` at once. */
export async function showSettings(chosen, state, set) {
  const select = (name, values, words) => make("select", { name, onchange: (event) => set(name, event.target.value) },
    ...values.map((value) => make("option", { value, selected: chosen[name] === value }, words(value))));
  const check = (name) => make("label.check", {},
    make("input", { type: "checkbox", name, checked: chosen[name], onchange: (event) => set(name, event.target.checked) }),
    make("span", {}, say(name)));
  const brightness = make("input", { type: "range", name: "brightness", min: 0.02, max: 1, step: 0.02, value: state.brightness,
    onchange: (event) => set("brightness", Number(event.target.value)) });
  const palette = make("select", { name: "palette", onchange: (event) => set("palette", event.target.value) },
    ...["standard", "red-green", "mono"].map((value) => make("option", { value, selected: value === state.palette }, say(value))));
  await open(say("settings"), [
    labelled(say("language"), select("language", Object.keys(languages), (value) => languages[value])),
    labelled(say("theme"), select("theme", ["auto", "light", "dark"], say)),
    check("sounds"), check("speech"), check("bar"), check("line"),
    labelled(say("palette"), palette), labelled(say("brightness"), brightness),
  ]).closed;
}

export async function showHelp(state, rules, palette, gestures) {
  const guide = gestures[language];
  const cues = Object.entries(palette).map(([cue, look]) => {
    return make("li", {}, drawCue(cue, look.colour), make("span", {}, say(`cue-${cue}`)));
  });
  const kinds = [..."PTWADFCQ"].map((letter) => make("li", {}, make("b", {}, letter), ` ${kindName(letter, rules)}`));
  const keys = [["↑ ↓ ← →", "key-arrows"], ["Enter", "key-enter"], ["Escape", "key-escape"], ["Delete", "key-delete"],
    ["← → Home End", "key-plies"], ["b s l n f h w t", "key-letters"]];
  const isDrawn = rules["chief-taken-by-other"] === "draw" && rules.ending !== "checkmate";
  await open(say("help"), [
    make("section.aim", {}, make("p", {}, `${say("start-what")}. `, say(isDrawn ? "start-wins" : "help-wins"))),
    make("p", {}, say(state.is_screen ? "how-screen" : state.hands ? "how" : "how-real")),
    make("h3", {}, say("keys")),
    make("dl", {}, ...keys.flatMap(([key, words]) => [make("dt", {}, key), make("dd", {}, say(words))])),
    make("h3", {}, say("gestures")), make("p", {}, guide.how),
    make("dl.gestures", {}, ...guide.rows.flatMap(([name, what]) => [make("dt", {}, name), make("dd", {}, what)])),
    make("h3", {}, say("legend")), make("ul.legend", {}, ...cues), make("ul.legend", {}, ...kinds),
  ]).closed;
}
