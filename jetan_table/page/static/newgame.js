// The dialog of a new game: against whom, which side, how strong; and, folded away, all else.

import { drawPiece, element } from "./board.js";
import { keepOpen, labelled, open } from "./dialogs.js";
import { make } from "./elements.js";
import { read } from "./link.js";
import { CONDUCTS, SIDES, STRENGTHS } from "./names.js";
import { _, say } from "./sentences.js";
import { stakesRows } from "./stakes.js";
import { readingName } from "./words.js";

// From a child's strength to all the table has, each with the piece that pictures it.
export const LEVELS = { panthan: "P", than: "W", padwar: "A", dwar: "D", odwar: "T", jedwar: "F", jed: "C", jeddak: "Q" };

// Shown beside the recommended reading; all others are behind a link.
const FIRST = ["appendix", "ninth-ray-clockwise", "manator-arena"];
const boards = {}; // pictures of the readings, kept: to forget them takes a browser long, some time in the game
const CLOCKS = [
  ["none", _("No clock"), {}], ["5", _("{minutes} min"), { minutes: 5 }], ["10", _("{minutes} min"), { minutes: 10 }],
  ["10+5", _("{minutes} + {seconds}"), { minutes: 10, seconds: 5 }], ["15+10", _("{minutes} + {seconds}"), { minutes: 15, seconds: 10 }],
  ["hourglass 3", _("Hourglass {minutes}"), { minutes: 3 }],
];

/** A piece as a picture of its own. */
export function picture(...letters) {
  const drawn = element("svg", { viewBox: `-52 -52 ${52 + 52 * letters.length} 104`, "aria-hidden": "true" });
  letters.forEach((letter, at) => drawn.append(element("g", { transform: `translate(${52 * at} 0)` }, drawPiece(letter))));
  return drawn;
}

/** Choices that are seen: `rows` of [value, letters, words]. */
export function pictured(name, title, rows, chosen) {
  return make("fieldset.pictured", {}, make("legend", {}, title), ...rows.map(([value, letters, words]) =>
    make("label", {}, make("input", { type: "radio", name, value, checked: value === chosen }), picture(...letters), make("span", {}, words))));
}

export const chosenIn = (form, name) => form.querySelector(`[name=${name}]:checked`)?.value ?? "";

function opponentRows(state) {
  const own = state.opponent;
  const levels = Object.entries(LEVELS).map(([name, letter]) => [name, [letter], say(STRENGTHS[name])]);
  const sides = [["orange", ["P"], say("I play {side}", { side: say("Black") })], ["black", ["p"], say("I play {side}", { side: say("Orange") })], ["both", ["P", "p"], say("I only watch")]];
  return [
    pictured("level", say("Opponent"), [["", ["P", "p"], say("a friend")], ...levels], own?.name ?? ""),
    pictured("its-side", say("Play as"), sides, own?.side ?? "orange"),
  ];
}

function inviteOf(form, ponders) {
  return { do: "invite", level: chosenIn(form, "level") || null, side: chosenIn(form, "its-side"), ponders };
}

/** Hide the sides where nobody plays against us. */
function foldSides(form) {
  const fold = () => (form.querySelector("[name=its-side]").closest("fieldset").hidden = !chosenIn(form, "level"));
  form.addEventListener("change", fold);
  fold();
}

/** Ask who plays without hands; `refusal(request)` asks the table and says why not. */
export async function askOpponent(state, refusal) {
  const ponders = make("input", { type: "checkbox", name: "ponders", checked: state.opponent?.ponders ?? false });
  const refused = make("p.refused", { role: "alert" });
  const { dialog, form, closed } = open(say("Opponent"), [
    make("p", {}, say(state.is_screen ? _("From now on, the table plays one side.") : _("The table plays one side: it says what it wants to play, and you move its pieces for it."))), ...opponentRows(state),
    make("label.check", {}, ponders, make("span", {}, say("It also thinks on my time"))), refused,
  ], [["", say("Cancel")], ["ok", say("OK")]]);
  foldSides(form);
  keepOpen(form, dialog, refused, () => refusal(inviteOf(form, ponders.checked)));
  await closed;
}

/** What begins a game as the page promises it: by the recommended rules, and like no game before it. */
export async function freshGame() {
  const { recommended: rules } = await read("/api/about");
  return { do: "new", rules, black: "?", orange: "?", clock: "none", conduct: "friendly" };
}

/** Cards of the readings, those that most people want first: a small board and a sentence each. */
function readingCards({ presets, recommended }, chosen) {
  const first = [recommended, ...FIRST];
  const card = (name) => make("label.reading", {},
    make("input", { type: "radio", name: "preset", value: name, checked: name === chosen }),
    (boards[name] ??= make("img", { src: `/board.svg?rules=${name}`, alt: "", loading: "lazy", width: 80, height: 80 })),
    make("span", {}, make("b", {}, say(presets[name].title), name === recommended ? make("i", {}, say("recommended")) : null), make("small", {}, say(presets[name].gist))));
  const rest = Object.keys(presets).filter((name) => !first.includes(name));
  return [
    make("fieldset.readings", {}, make("legend", {}, say("Rules")), ...first.map(card)),
    make("details", { open: rest.includes(chosen) }, make("summary.small", {}, say("{count} more published versions", { count: rest.length })), make("fieldset.readings", { "aria-label": say("Rules") }, ...rest.map(card))),
  ];
}

/** Chips of the usual clocks, and a field for any other one. */
function clockChips(control) {
  const isUsual = CLOCKS.some(([value]) => value === control);
  const input = make("input", { name: "clock", value: control, autocomplete: "off", spellcheck: false, "aria-label": say("Other …") });
  const chip = (value, words, isChosen) => make("label.chip", {}, make("input", { type: "radio", name: "clock-chip", value, checked: isChosen }), make("span", {}, words));
  const other = make("div.other-clock", { hidden: isUsual }, input, make("p.quiet", {}, say("10d5: ten minutes each, and the first five seconds of each move are free. 10b5: you get back up to five seconds of each move. Add “buttons” to press the clock yourselves.")));
  const row = make("fieldset.chips", {}, make("legend", {}, say("Clock")),
    ...CLOCKS.map(([value, word, values]) => chip(value, say(word, values), value === control)), chip("other", say("Other …"), !isUsual), other);
  const picked = () => chosenIn(row, "clock-chip");
  row.addEventListener("change", () => {
    other.hidden = picked() !== "other";
  });
  const value = () => (picked() === "other" ? input.value.trim() || "none" : picked());
  const words = () => row.querySelector(":checked").value === "other" ? value() : row.querySelector(":checked").nextElementSibling.textContent;
  return { row, value, words };
}

/** Let people begin another game; `refusal(request)` asks the table and says why not. */
export async function askNew(state, refusal) {
  const about = await read("/api/about");
  const last = state.lesson || state.training ? about.recommended : state.rules; // what is taught is by rules of its own
  const [named, ...told] = last.split(",").filter((part) => !part.startsWith("board="));
  const base = named.replace("+juggernaut", "");
  const readings = readingCards(about, base);
  const preset = { get value() { return readings.find((row) => row.querySelector(":checked"))?.querySelector(":checked").value ?? base; } };
  const source = make("p.quiet", {});
  const juggernaut = make("input", { type: "checkbox", name: "juggernaut", checked: named.endsWith("+juggernaut") });
  const differs = Object.fromEntries(told.map((part) => part.split("=")));
  const options = about.options.map((option) => optionRow(option, differs[option.name]));
  const players = ["black", "orange"].map((side) => make("input", { name: side, maxlength: 40, autocomplete: "off",
    value: nameOfNext(state, side) }));
  const stakes = stakesRows(state, about.presets[base]?.values ?? {});
  const position = make("input", { name: "position", autocomplete: "off", spellcheck: false });
  const clock = clockChips(state.clock?.control ?? "none");
  const conduct = make("select", { name: "conduct" }, ...Object.entries(CONDUCTS).map(([value, words]) =>
    make("option", { value, selected: value === state.conduct }, say(words))));
  const rules = make("output.rules", {});
  const carried = make("p.carried", { role: "status" });
  const refused = make("p.refused", { role: "alert" });
  const written = () => [
    preset.value + (juggernaut.checked ? "+juggernaut" : ""),
    ...options.filter(({ input }) => input.value).map(({ name, input }) => `${name}=${input.value.trim()}`),
  ].join(",");
  let wrong = ""; // with the rules, as they were checked last
  const check = async () => {
    source.textContent = say(about.presets[preset.value].source);
    carried.textContent = [readingName(written()), clock.words(), ...stakes.words(),
      ...(players.some((each) => each.value.trim()) ? [players.map((each, at) => each.value.trim() || say(at ? _("Orange") : _("Black"))).join(" – ")] : []),
      ...(conduct.value === "friendly" ? [] : [say(CONDUCTS[conduct.value])])].join(" · ");
    for (const { name, own } of options) own.textContent = `${say("as these rules have it")} (${about.presets[preset.value].values[name]})`;
    const asked = written();
    let shortest = asked, why = "";
    try {
      shortest = (await read(`/api/rules?rules=${encodeURIComponent(asked)}`)).rules;
    } catch (error) {
      why = error.message;
    }
    if (asked !== written()) return; // answers may overtake each other: another has been asked since
    rules.value = shortest;
    // What the table itself has refused stays until something else is wrong.
    if (why || refused.textContent === wrong) refused.textContent = why;
    wrong = why;
  };
  const { dialog, form, closed } = open(say("New game"), [
    ...(state.may_invite ? opponentRows(state) : []),
    ...readings,
    make("label.check.juggernaut", {}, juggernaut, picture("*"), make("span", {}, make("b", {}, say("with the Juggernaut")), make("small", {}, say("It belongs to nobody: after each move a die sends it on.")))),
    clock.row,
    refused,
    make("details.more", { open: Boolean(state.ledger) || !state.is_screen }, make("summary", {}, say("More: names, strictness, wagers, all rules")),
      make("div.two", {}, ...["black", "orange"].map((side, index) => labelled(say("{side} is played by", { side: say(SIDES[side]) }), players[index]))),
      // Translators: how strictly the rules of behaviour are kept, as in chess: whether you must move the piece you touch
      labelled(say("Strictness"), conduct), make("p.quiet", {}, say("Strict: you must move the piece you touch. Tournament: no help either, and only the arbiter corrects.")),
      stakes.row,
      make("details", {}, make("summary", {}, say("All options")), source, make("div.options", {}, ...options.map(({ row }) => row)),
        labelled(say("Start from a position text (leave empty for the usual start)"), position),
        make("p", {}, make("span.quiet", {}, `${say("Rules")}: `), rules))),
    state.moves.length && !state.over ? make("p.quiet", {}, say("The current game ends here; you will find it under Games.")) : null,
  ].filter((each) => each !== null), [["", say("Cancel")], ["ok", say("Begin")]]);
  dialog.classList.add("wide");
  dialog.querySelector(".row.end").prepend(make("div.carries", {}, make("small", {}, say("You begin with")), carried));
  if (state.may_invite) foldSides(form);
  form.addEventListener("change", check);
  keepOpen(form, dialog, refused, async () => {
    const why = await refusal({
      do: "new",
      rules: written(),
      black: players[0].value.trim() || "?",
      orange: players[1].value.trim() || "?",
      position: position.value.trim() || null,
      clock: clock.value(),
      conduct: conduct.value,
      ...stakes.told(),
    });
    return why ?? (state.may_invite ? refusal(inviteOf(form, state.opponent?.ponders ?? false)) : null);
  });
  await check();
  await closed;
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
  const meaning = make("small", {}, say(option.meaning));
  const row = make("label", {}, make("span", {}, make("b", {}, option.name), " ", meaning), input);
  if (isFree) row.append(make("datalist", { id: list }, ...option.values.map((each) => make("option", { value: each }))));
  return { name: option.name, input, own, row };
}

/** What may be written beside the named values: a number, or a square. */
function freeIn(option) {
  return option.numbers ? option.numbers.join("–") : say("a square such as e5");
}
