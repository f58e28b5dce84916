// Set-up on the page: one step at a time, all of it kept by the table as it is told.

import { askPin } from "../../dialogs.js";
import { find, make } from "../../elements.js";
import { ask, fetchKnown, onPin, read, takePinFromAddress, tell } from "../../link.js";
import { PALETTES, STRENGTHS } from "../../names.js";
import { LEVELS } from "../../newgame.js";
import { _, languages, say, speak, speakAsAsked } from "../../sentences.js";

const AGAIN_MS = 300;
const PROVED = ["serial", "pins", "camera"]; // boards that a trial can prove
const MAIN = ["next", "finish"];
const BEFORE_A_GAME = ["language", "kind", "find"]; // until these are told there is no table to play at
/** The rules of each board that a camera may be over. */
const BOARDS = { appendix: _("Ten by ten squares"), "ninth-ray-clockwise": _("The round Ninth-Ray board") };
const FILES = [..."abcdefghij"];
const RANKS = [10, 9, 8, 7, 6, 5, 4, 3, 2, 1];
const MARKS = { o: _("good"), X: _("dead"), "#": _("stuck closed"), ".": _("not tried") };
const VERDICTS = { pass: _("fine"), warn: _("check this"), fail: _("wrong") };
/** Each step: its name, its title, and what is said of it. */
const TITLES = {
  language: [_("Language"), _("Which language should the table speak?"),
    _("Each answer is saved at once: you can stop at any step and continue later.")],
  kind: [_("Table"), _("What sort of table is it?"),
    _("You can set it up again at any time.")],
  find: [_("Find it"), _("Where is it?"),
    _("Check that everything works before you go on.")],
  wire: [_("Wires"), _("How is it wired?"),
    _("Rows, columns and lamps may run in any order: placing about fifteen pieces is enough. On a simulated board, tap a square to put the piece there; on a real one, to say that it is lit.")],
  lamps: [_("Lamps"), _("How should the lamps shine?"),
    _("The table dims them to what their power supply can give.")],
  name: [_("Name"), _("What is this table called?"),
    _("A hall of several tables uses this name; a single table needs none.")],
  sound: [_("Sound"), _("Should the table speak?"),
    _("It says moves and questions aloud where espeak-ng is installed.")],
  opponent: [_("Opponent"), _("Who plays the first game?"),
    _("The table can play Orange, at any strength from a child’s to its full strength.")],
  clock: [_("Clock"), _("Do you want a clock?"),
    _("Minutes for each side, and extra seconds for each move.")],
  done: [_("Play"), _("The table is set up"),
    _("The settings are saved in {file}, and the table starts with them.")],
};
/** Each kind of table, and what it means. */
const KINDS = {
  screen: [_("None yet"), _("the board is on this page")],
  camera: [_("A camera over a board"), _("any board, any pieces")],
  serial: [_("Switches on a cable"), _("a microcontroller reads them")],
  pins: [_("Switches on a Pi's pins"), _("and lamps on its SPI")],
  emulated: [_("An emulated board"), _("the real firmware, without a chip")],
  practice: [_("A board to practise on"), _("simulated, and wired in any order")],
};
let seen = null;
let refused = ""; // why the table has not done what it was last told
let telling = Promise.resolve();
let told = 0; // so many times something was
let drawnOrder = ""; // the order of lamps that is drawn
let drawn = ""; // the step that is drawn: it is not drawn anew while people type into it

/** One thing after another, in the order people told it: two at once may overtake each other. */
function tellSetUp(request) {
  telling = telling.then(() => tellNow(request));
  return telling;
}

async function tellNow(request) {
  told += 1;
  refused = "";
  try {
    const answered = await tell("/api/setup", request);
    told += 1;
    if (answered) take(answered);
    return answered;
  } catch (error) {
    refused = error.message;
    find("trouble").textContent = refused;
    return null;
  }
}

function take(answered) {
  const isOther = drawn !== answered.step || seen?.kind !== answered.kind;
  seen = answered;
  drawSteps();
  if (isOther) drawStep();
  DRAWN[seen.step]?.();
  find("trouble").textContent = seen.trouble ?? seen.walk?.trouble ?? refused;
}

function drawSteps() {
  const at = seen.steps.indexOf(seen.step);
  find("steps").replaceChildren(...seen.steps.map((step, n) => make("li", {}, make("button", {
    type: "button", "data-action": `step-${step}`, "aria-current": step === seen.step ? "step" : false,
    onclick: () => tellSetUp({ do: "go", step }),
  }, `${n < at ? "✓ " : ""}${say(TITLES[step][0])}`))));
}

function drawStep() {
  drawn = seen.step;
  drawnOrder = "";
  find("title").textContent = say(TITLES[seen.step][1]);
  find("why").textContent = say(TITLES[seen.step][2], { file: seen.file });
  find("step").replaceChildren(...STEPS[seen.step]());
  const isLast = seen.step === "done";
  const answer = ANSWERS[seen.step];
  find("buttons").replaceChildren(...[
    isLast ? button("finish", say("Begin the first game"), finish) : null,
    answer ? button("next", say("Next"), tellAnswer) : null,
    isLast ? null : button("skip", say("Leave it as it is"), () => tellSetUp({ do: "skip" })),
    isLast || BEFORE_A_GAME.includes(seen.step) ? null : make("button", {
      type: "button", "data-action": "finish", onclick: async () => (!answer || (await tellAnswer())) && finish(),
    }, say("Begin the first game")),
  ].filter(Boolean));
  find("title").focus({ preventScroll: true });
}

const tellAnswer = () => tellSetUp({ do: "answer", ...ANSWERS[seen.step]() });

const button = (action, words, onclick) => make(MAIN.includes(action) ? "button.main" : "button", { type: "button", "data-action": action, onclick }, words);

/** Buttons of which one is chosen, and takes people to the next step. */
function choices(name, all, chosen, request) {
  return make("div.choices", {}, ...all.map(([value, words, why]) => make("button.choice", {
    type: "button", "data-action": `${name}-${value === "" ? "none" : value}`, "aria-pressed": String(value === chosen), onclick: () => request(value),
  }, make("b", {}, words), make("small", {}, why ?? ""))));
}

const clocks = () => [["none", say("No clock")], ["10+5", "10+5"], ["30+10", "30+10"], ["hourglass 10", say("An hourglass")]];

const input = (name, words, attributes) => make("label", {}, words, make("input", { id: name, ...attributes }));
const valueOf = (name) => find(name).value.trim();

const STEPS = {
  language: () => [choices("language", Object.entries(languages), seen.settings.language, async (value) => {
    await speak(value);
    await tellSetUp({ do: "answer", options: { table: { language: value } } });
  })],
  kind: () => [choices("kind", seen.kinds.map((kind) => [kind, ...KINDS[kind].map((each) => say(each))]), seen.kind,
    (kind) => tellSetUp({ do: "answer", kind }))],
  find: () => {
    const isCamera = seen.kind === "camera";
    const isPins = seen.kind === "pins";
    const name = isCamera ? "source" : "port";
    const use = (value) => { find(name).value = value; };
    return [
      isPins ? make("p", {}, say("A board on the pins is wired as in the drawings.")) : make("div.row", {}, ...seen.candidates.map((each) => button(`use-${each}`, each, () => use(each)))),
      isPins ? make("span") : input(name, say(isCamera ? _("Camera: usb:0, rpicam:0, an address, or a folder of pictures") : _("Port: a device or an address; auto takes the first that answers")), { value: seen.settings[name], autocomplete: "off" }),
      ...(isCamera ? [
        make("label", {}, say("Board"), make("select", { id: "rules" }, ...Object.entries({ ...BOARDS, [seen.settings.rules]: BOARDS[seen.settings.rules] ?? seen.settings.rules })
          .map(([value, each]) => make("option", { value, selected: value === seen.settings.rules }, say(each))))),
        input("markers", say("Markers: the file markers.json that was written with the printed board; empty without one"), { value: seen.settings.markers, autocomplete: "off" }),
      ] : []),
      button("examine", say("Look for it"), async () => {
        if (!isPins && !(await tellSetUp({ do: "answer", ...ANSWERS.find() }))) return;
        await tellSetUp({ do: "go", step: "find" });
        await tellSetUp({ do: "examine" });
        if (isCamera) showPicture();
      }),
      make("ul.found", { id: "found", role: "status" }), make("div", { id: "picture" }),
    ];
  },
  wire: () => [
    make("div.walk", {},
      make("div.switches", { id: "squares", role: "group", "aria-label": say("Squares") }, ...squares((square) => ({ do: "tap", square }))),
      make("div", {}, make("output", { id: "words", role: "status" }),
        make("div.row", {},
          button("walk", say("Begin"), () => tellSetUp({ do: "walk" })),
          button("nothing", say("The board is empty, or nothing happens"), () => tellSetUp({ do: "nothing" })),
          button("every", say("Try every square"), () => tellSetUp({ do: "every" })),
          button("again", say("Once more from the start"), () => tellSetUp({ do: "again" }))),
        make("p.quiet", {}, say("Each lamp lights in turn, so that you try every switch; stop whenever you like.")))),
  ],
  lamps: () => [
    make("div.walk", {},
      make("div.switches", { id: "squares", role: "group", "aria-label": say("Squares") }, ...squares((square) => ({ do: "shine", square }))),
      make("div", {},
        ...Object.entries(ORDERS).map(([name, [words, all]]) => make("label", {}, say(words), make("select", {
          id: `order-${name}`, onchange: chooseOrder,
        }, ...Object.entries(all).map(([value, each]) => make("option", { value }, say(each)))))),
        make("p.quiet", {}, say("Each square shows the number of its lamp. Tap one: if another lights up, choose the order your board uses, or walk along the wires, which finds any order.")),
        make("output", { id: "words", role: "status" }))),
    input("brightness", say("Brightness"), { type: "range", min: 0.02, max: 1, step: 0.01, value: seen.settings.brightness }),
    make("label", {}, say("Colours"), make("select", { id: "palette" }, ...Object.entries(PALETTES).map(([value, each]) =>
      make("option", { value, selected: value === seen.settings.palette }, say(each))))),
    input("limit", say("Power supply, in milliamperes"), { type: "number", min: 200, max: 12000, step: 100, value: seen.settings.limit_ma }),
    button("shine", say("Light the board"), async () => {
      if (await tellSetUp({ do: "answer", ...ANSWERS.lamps() })) {
        await tellSetUp({ do: "go", step: "lamps" });
        await tellSetUp({ do: "shine" });
      }
    }),
  ],
  name: () => [input("name", say("Name: small letters, digits and dashes"), { value: seen.settings.name, pattern: "[a-z0-9-]*", autocomplete: "off" })],
  sound: () => [choices("sound", [[true, say("Aloud")], [false, say("Silent")]], seen.settings.speak,
    (value) => tellSetUp({ do: "answer", options: { sound: { speak: value } } }))],
  opponent: () => [choices("opponent", [["", say("Two people")], ...Object.keys(LEVELS).map((level) => [level, level, say(STRENGTHS[level])])],
    seen.opponent, (opponent) => tellSetUp({ do: "answer", opponent }))],
  clock: () => [choices("clock", clocks(), seen.settings.clock, (clock) => tellSetUp({ do: "answer", options: { table: { clock } } }))],
  done: () => [
    button("examine", say("Check this machine"), () => tellSetUp({ do: "examine" })),
    make("ul.found", { id: "found", role: "status" }),
    make("dl.facts", {}, ...[
      ["kind", say(KINDS[seen.kind][0])],
      seen.marks ? ["wire", say("The wiring is known: {good} tried and good, {dead} dead, {stuck} stuck.", { good: count("o"), dead: count("X"), stuck: count("#") })] : null,
      ["opponent", say(STRENGTHS[seen.opponent] ?? _("Two people"))],
      ["clock", clocks().find(([value]) => value === seen.settings.clock)?.[1] ?? seen.settings.clock],
    ].filter(Boolean).flatMap(([step, value]) => [make("dt.quiet", {}, say(TITLES[step][0])), make("dd", {}, value)])),
    PROVED.includes(seen.kind) ? make("p.quiet", {}, say("A trial of ten minutes shows how well this board really works: {command}", { command: "jetan trial" })) : null,
  ].filter(Boolean),
};

const ANSWERS = {
  find: () => ({ options: seen.kind === "camera" ? { camera: { source: valueOf("source"), markers: valueOf("markers") }, table: { rules: valueOf("rules") } } : seen.kind === "serial" ? { serial: { port: valueOf("port") || "auto" } } : {} }),
  wire: () => ({}),
  lamps: () => ({ options: { lamps: { brightness: Number(valueOf("brightness")), palette: valueOf("palette"), limit_ma: Number(valueOf("limit")) } } }),
  name: () => ({ options: valueOf("name") ? { hall: { table: valueOf("name") } } : {} }),
};

const drawFound = () => find("found").replaceChildren(...seen.found.map(({ check, verdict, found, mend }) =>
  make("li", { "data-verdict": verdict }, make("b", {}, say(VERDICTS[verdict])), ` ${check}: ${found}`, mend ? ` → ${mend}` : "")));

const DRAWN = { find: drawFound, wire: drawWalk, lamps: drawLamps, done: drawFound };

const ORDERS = {
  pattern: [_("The lamps run"), { rows: _("row by row, each from the same side"), snake: _("back and forth, row by row"), rings: _("ring by ring, from the rim") }],
  corner: [_("The first one lies under"), { a1: "a1", j1: "j1", a10: "a10", j10: "j10" }],
  along: [_("The chain runs along"), { ranks: _("ranks"), files: _("files") }],
};

const chooseOrder = () => tellSetUp({ do: "order", ...Object.fromEntries(Object.keys(ORDERS).map((name) => [name, valueOf(`order-${name}`)])) });

const squares = (request) => RANKS.flatMap((rank) => FILES.map((file) => make("button", {
  type: "button", "data-square": `${file}${rank}`, onclick: () => tellSetUp(request(`${file}${rank}`)),
}, `${file}${rank}`)));

/** Each square with the number of its lamp: the chain is read off the board, and a tap lights one. */
function drawLamps() {
  const { name, squares: order, lit } = seen.lamps;
  for (const each of find("squares").children) {
    const { square } = each.dataset;
    const number = order.indexOf(square) + 1;
    each.textContent = number;
    each.classList.toggle("first", number === 1);
    each.classList.toggle("lit", lit === square);
    each.setAttribute("aria-label", say("{square}, lamp {number}", { square, number }));
  }
  if (!drawnOrder || drawnOrder !== String(name)) {
    drawnOrder = String(name);
    Object.keys(ORDERS).forEach((part, n) => { if (name) find(`order-${part}`).value = name[n]; });
  }
  find("words").textContent = name ? "" : say("The lamps run in an order of their own, which the walk has found.");
}

function drawWalk() {
  const { walk, marks } = seen;
  for (const each of find("squares").children) {
    const { square } = each.dataset;
    const at = (Number(square.slice(1)) - 1) * 10 + FILES.indexOf(square[0]);
    each.classList.toggle("wanted", walk?.wanted === square);
    each.classList.toggle("lit", walk?.lit === square);
    each.dataset.mark = marks[at] ?? "";
    const known = marks[at] ? `, ${say(MARKS[marks[at]])}` : "";
    each.setAttribute("aria-label", `${square}${known}${walk?.wanted === square ? `, ${say("put the piece here")}` : ""}`);
  }
  const wired = marks ? say("The wiring is known: {good} tried and good, {dead} dead, {stuck} stuck.", { good: count("o"), dead: count("X"), stuck: count("#") }) : "";
  const failed = walk?.is_over && !walk.is_known ? say("Too many switches did not respond: repair them and begin again.") : "";
  find("squares").dataset.lamp = walk?.lamp ?? "";
  find("words").textContent = wired || failed || (walk?.lines.slice(-2).join(" ") ?? "");
}

const count = (mark) => [...seen.marks].filter((each) => each === mark).length;

async function showPicture() {
  const response = await fetchKnown("/api/setup.jpg").catch(() => null);
  if (!response) return;
  find("picture").replaceChildren(make("img", { src: URL.createObjectURL(await response.blob()), alt: say("What the camera sees, with the squares that were found"), width: 480 }));
}

/** Begin the table anew, wait until it is there, and let the first game begin. */
async function finish() {
  const { opponent } = seen;
  if (!(await tellSetUp({ do: "finish" }))?.is_finished) return;
  find("trouble").textContent = say("The table is restarting …");
  clearInterval(refreshing);
  for (;;) {
    await new Promise((resolve) => { setTimeout(resolve, 500); });
    try {
      const about = await read("/api/about");
      if (about.set_up !== "begun" && about.since !== before) break;
    } catch { /* it is not there yet */ }
  }
  if (opponent) await ask({ do: "invite", level: opponent, side: "orange" }).catch(() => null);
  location.assign("/?play");
}

async function refresh() {
  const before = told; // what comes after something was told is older than its answer
  const response = await fetchKnown("/api/setup").catch(() => null);
  const answered = response && (await response.json());
  if (answered && before === told) take(answered);
}

let refreshing = 0;
let before = null;

async function begin() {
  takePinFromAddress();
  onPin(askPin);
  const about = await read("/api/about");
  before = about.since;
  await speakAsAsked(about);
  await refresh();
  refreshing = setInterval(refresh, AGAIN_MS);
}

begin();
