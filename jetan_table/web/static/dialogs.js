// What opens over the page: PIN, new game, games, position, settings, help. Each is made when asked.

import { drawCue, drawPiece, element } from "./board.js";
import { make } from "./elements.js";
import { read } from "./link.js";
import { stakesRows } from "./stakes.js";
import { kindName, language, languages, pieceName, resultIn, say } from "./words.js";

// From a child's strength to all the table has.
const LEVELS = ["panthan", "than", "padwar", "dwar", "odwar", "jedwar", "jed", "jeddak"];

const CLOCKS = ["none", "5", "10", "10+5", "15+10", "15d5", "hourglass 5", "10+5 buttons"];
const CONDUCTS = ["friendly", "strict", "tournament"];

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

function labelled(words, input) {
  return make("label", {}, make("span", {}, words), input);
}

export function isOpen() {
  return document.querySelector("dialog[open]") !== null;
}

export async function confirm(question) {
  const answer = await open(question, [], [["", say("cancel")], ["ok", say("ok")]]).closed;
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

/** Ask for another game's rules; returns a request, or null. */
export async function askNew(state) {
  const about = await read("/api/about");
  const [named, ...told] = state.rules.split(",").filter((part) => !part.startsWith("board="));
  const base = named.replace("+juggernaut", "");
  const preset = make("select", { name: "preset" }, ...Object.keys(about.presets).map((name) =>
    make("option", { value: name, selected: name === base }, name)));
  const source = make("p.quiet", {});
  const juggernaut = make("input", { type: "checkbox", name: "juggernaut", checked: named.endsWith("+juggernaut") });
  const differs = Object.fromEntries(told.map((part) => part.split("=")));
  const options = about.options.map((option) => optionRow(option, differs[option.name]));
  const players = ["black", "orange"].map((side) => make("input", { name: side, maxlength: 40, autocomplete: "off",
    value: nameOfNext(state, side) }));
  const stakes = stakesRows(state, about.presets[base]?.values ?? {});
  const position = make("input", { name: "position", autocomplete: "off", spellcheck: false });
  const clock = make("input", { name: "clock", value: state.clock?.control ?? "none", list: "clocks-known", autocomplete: "off", spellcheck: false });
  const known = make("datalist", { id: "clocks-known" }, ...CLOCKS.map((value) => make("option", { value })));
  const conduct = make("select", { name: "conduct" }, ...CONDUCTS.map((value) =>
    make("option", { value, selected: value === state.conduct }, say(value))));
  const rules = make("output.rules", {});
  const refused = make("p.refused", { role: "status" });
  const written = () => [
    preset.value + (juggernaut.checked ? "+juggernaut" : ""),
    ...options.filter(({ input }) => input.value).map(({ name, input }) => `${name}=${input.value.trim()}`),
  ].join(",");
  const check = async () => {
    source.textContent = say(`preset-${preset.value}`);
    for (const { name, own } of options) own.textContent = `${say("as-reading")} (${about.presets[preset.value].values[name]})`;
    const asked = written();
    let shortest = asked, why = "";
    try {
      shortest = (await read(`/api/rules?rules=${encodeURIComponent(asked)}`)).rules;
    } catch (error) {
      why = error.message;
    }
    if (asked !== written()) return; // answers may overtake each other: another has been asked since
    rules.value = shortest;
    refused.textContent = why;
  };
  const { form, closed } = open(say("new"), [
    labelled(say("reading"), preset), source,
    make("label.check", {}, juggernaut, make("span", {}, say("juggernaut-too"))),
    make("details", {}, make("summary", {}, say("options")), make("div.options", {}, ...options.map(({ row }) => row))),
    ...["black", "orange"].map((side, index) => labelled(say("player", { side: say(side) }), players[index])),
    labelled(say("clock"), clock), known, make("p.quiet", {}, say("clock-why")),
    labelled(say("conduct"), conduct), make("p.quiet", {}, say("conduct-why")),
    stakes.row,
    labelled(say("from-position"), position),
    make("p", {}, make("span.quiet", {}, `${say("rules")}: `), rules), refused,
    make("p.quiet", {}, say("leaves")),
  ], [["", say("cancel")], ["ok", say("begin")]]);
  form.addEventListener("change", check);
  await check();
  if ((await closed) !== "ok") return null;
  return {
    do: "new",
    rules: written(),
    black: players[0].value.trim() || "?",
    orange: players[1].value.trim() || "?",
    position: position.value.trim() || null,
    clock: clock.value.trim() || "none",
    conduct: conduct.value,
    ...stakes.told(),
  };
}

/** Who has a side in the next game: in a series sides change. */
function nameOfNext(state, side) {
  const other = side === "black" ? "orange" : "black";
  const name = state[state.ledger?.series ? other : side];
  return name === "?" ? "" : name;
}

function optionRow(option, value) {
  const own = make("option", { value: "" });
  const list = `values-${option.name}`;
  const isFree = option.numbers || option.squares;
  const input = isFree
    ? make("input", { name: option.name, value: value ?? "", placeholder: freeIn(option), list, autocomplete: "off" })
    : make("select", { name: option.name }, own, ...option.values.map((each) => make("option", { value: each, selected: each === value }, each)));
  const meaning = make("small", {}, say(`option-${option.name}`));
  const row = make("label", {}, make("span", {}, make("b", {}, option.name), " ", meaning), input);
  if (isFree) row.append(make("datalist", { id: list }, ...option.values.map((each) => make("option", { value: each }))));
  return { name: option.name, input, own, row };
}

/** What may be written beside the named values: a number, or a square. */
function freeIn(option) {
  return option.numbers ? option.numbers.join("–") : say("square-such-as");
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
  const rows = kept.map((game) => make("li", {},
    make("span", {}, make("b", {}, `${game.game}. ${named(game)}`), make("small", {},
      `${date.format(game.started * 1000)} · ${game.rules} · ${say("plies", { count: game.plies })} · ${resultIn(game.result)}`)),
    buttons({ game: game.game }, String(game.game))));
  const names = saved.map((name) => make("li", {}, make("span", {}, make("b", {}, name)), buttons({ name }, name)));
  const { closed } = open(say("games"), [
    make("h3", {}, say("saved")),
    names.length ? make("ul.games", {}, ...names) : make("p.quiet", {}, say("none-saved")),
    labelled(say("file"), file),
    make("h3", {}, say("kept")), make("ul.games", {}, ...rows),
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

/** Ask who plays without hands; returns a request, or null. */
export async function askOpponent(state) {
  const named = state.opponent?.name ?? "";
  const level = make("select", { name: "level" }, make("option", { value: "" }, say("nobody")),
    ...LEVELS.map((name, at) => make("option", { value: name, selected: name === named },
      say("level-of", { name, number: at + 1, count: LEVELS.length }))));
  const side = make("select", { name: "side" }, ...["orange", "black"].map((name) =>
    make("option", { value: name, selected: name === state.opponent?.side }, say(name))));
  const ponders = make("input", { type: "checkbox", name: "ponders", checked: state.opponent?.ponders ?? false });
  const { closed } = open(say("opponent"), [
    make("p", {}, say("opponent-why")), labelled(say("level"), level), labelled(say("its-side"), side),
    make("label.check", {}, ponders, make("span", {}, say("ponders"))),
  ], [["", say("cancel")], ["ok", say("ok")]]);
  return (await closed) === "ok" ? { do: "invite", level: level.value || null, side: side.value, ponders: ponders.checked } : null;
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
  await open(say("help"), [
    make("p", {}, say(state.hands ? "how" : "how-real")),
    make("h3", {}, say("keys")),
    make("dl", {}, ...keys.flatMap(([key, words]) => [make("dt", {}, key), make("dd", {}, say(words))])),
    make("h3", {}, say("gestures")), make("p", {}, guide.how),
    make("dl.gestures", {}, ...guide.rows.flatMap(([name, what]) => [make("dt", {}, name), make("dd", {}, what)])),
    make("h3", {}, say("legend")), make("ul.legend", {}, ...cues), make("ul.legend", {}, ...kinds),
  ]).closed;
}
