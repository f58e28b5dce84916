// Set-up on the page: one step at a time, all of it kept by the table as it is told.

import { askPin } from "./dialogs.js";
import { find, make } from "./elements.js";
import { ask, fetchKnown, onPin, read, takePinFromAddress, tell } from "./link.js";
import { LEVELS } from "./newgame.js";
import { languages, ofBrowser, say, speak } from "./words.js";

const AGAIN_MS = 300;
const PROVED = ["serial", "pins", "camera"]; // boards that a trial can prove
const MAIN = ["next", "finish"];
const FILES = [..."abcdefghij"];
const RANKS = [10, 9, 8, 7, 6, 5, 4, 3, 2, 1];
const MARKS = { o: "good", X: "dead", "#": "stuck", ".": "untried" };
let seen = null;
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
  find("trouble").textContent = "";
  try {
    const answered = await tell("/api/setup", request);
    told += 1;
    if (answered) take(answered);
    return answered;
  } catch (error) {
    find("trouble").textContent = error.message;
    return null;
  }
}

function take(answered) {
  const isOther = drawn !== answered.step || seen?.kind !== answered.kind;
  seen = answered;
  drawSteps();
  if (isOther) drawStep();
  DRAWN[seen.step]?.();
  find("trouble").textContent = seen.trouble ?? seen.walk?.trouble ?? find("trouble").textContent;
}

function drawSteps() {
  const at = seen.steps.indexOf(seen.step);
  find("steps").replaceChildren(...seen.steps.map((step, n) => make("li", {}, make("button", {
    type: "button", "data-action": `step-${step}`, "aria-current": step === seen.step ? "step" : false,
    onclick: () => tellSetUp({ do: "go", step }),
  }, `${n < at ? "✓ " : ""}${say(`setup-${step}`)}`))));
}

function drawStep() {
  drawn = seen.step;
  drawnOrder = "";
  find("title").textContent = say(`setup-${seen.step}-title`);
  find("why").textContent = say(`setup-${seen.step}-why`, { file: seen.file });
  find("step").replaceChildren(...STEPS[seen.step]());
  const isLast = seen.step === "done";
  find("buttons").replaceChildren(...[
    isLast ? button("finish", say("setup-begin"), finish) : null,
    ANSWERS[seen.step] ? button("next", say("setup-next"), () => tellSetUp({ do: "answer", ...ANSWERS[seen.step]() })) : null,
    isLast ? null : button("skip", say("setup-skip"), () => tellSetUp({ do: "skip" })),
  ].filter(Boolean));
  find("title").focus({ preventScroll: true });
}

const button = (action, words, onclick) => make(MAIN.includes(action) ? "button.main" : "button", { type: "button", "data-action": action, onclick }, words);

/** Buttons of which one is chosen, and takes people to the next step. */
function choices(name, all, chosen, request) {
  return make("div.choices", {}, ...all.map(([value, words, why]) => make("button.choice", {
    type: "button", "data-action": `${name}-${value === "" ? "none" : value}`, "aria-pressed": String(value === chosen), onclick: () => request(value),
  }, make("b", {}, words), make("small", {}, why ?? ""))));
}

const clocks = () => [["none", say("setup-clock-none")], ["10+5", "10+5"], ["30+10", "30+10"], ["hourglass 10", say("setup-clock-hourglass")]];

const input = (name, words, attributes) => make("label", {}, words, make("input", { id: name, ...attributes }));
const valueOf = (name) => find(name).value.trim();

const STEPS = {
  language: () => [choices("language", Object.entries(languages), seen.settings.language, async (value) => {
    await speak(value);
    await tellSetUp({ do: "answer", options: { table: { language: value } } });
  })],
  kind: () => [choices("kind", seen.kinds.map((kind) => [kind, say(`setup-kind-${kind}`), say(`setup-kind-${kind}-why`)]), seen.kind,
    (kind) => tellSetUp({ do: "answer", kind }))],
  find: () => {
    const isCamera = seen.kind === "camera";
    const isPins = seen.kind === "pins";
    const name = isCamera ? "source" : "port";
    const use = (value) => { find(name).value = value; };
    return [
      isPins ? make("p", {}, say("setup-find-pins")) : make("div.row", {}, ...seen.candidates.map((each) => button(`use-${each}`, each, () => use(each)))),
      isPins ? make("span") : input(name, say(isCamera ? "setup-find-source" : "setup-find-port"), { value: seen.settings[name], autocomplete: "off" }),
      button("examine", say("setup-examine"), async () => {
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
      make("div.switches", { id: "squares", role: "group", "aria-label": say("sensors-squares") }, ...squares((square) => ({ do: "tap", square }))),
      make("div", {}, make("output", { id: "words", role: "status" }),
        make("div.row", {},
          button("walk", say("setup-walk"), () => tellSetUp({ do: "walk" })),
          button("nothing", say("setup-nothing"), () => tellSetUp({ do: "nothing" })),
          button("every", say("setup-every"), () => tellSetUp({ do: "every" })),
          button("again", say("setup-again"), () => tellSetUp({ do: "again" }))),
        make("p.quiet", {}, say("setup-every-why")))),
  ],
  lamps: () => [
    make("div.walk", {},
      make("div.switches", { id: "squares", role: "group", "aria-label": say("sensors-squares") }, ...squares((square) => ({ do: "shine", square }))),
      make("div", {},
        ...Object.entries(ORDERS).map(([name, all]) => make("label", {}, say(`setup-order-${name}`), make("select", {
          id: `order-${name}`, onchange: chooseOrder,
        }, ...all.map((each) => make("option", { value: each }, name === "corner" ? each : say(`setup-order-${each}`)))))),
        make("p.quiet", {}, say("setup-order-why")),
        make("output", { id: "words", role: "status" }))),
    input("brightness", say("setup-brightness"), { type: "range", min: 0.02, max: 1, step: 0.01, value: seen.settings.brightness }),
    make("label", {}, say("setup-palette"), make("select", { id: "palette" }, ...["standard", "red-green", "mono"].map((each) =>
      make("option", { value: each, selected: each === seen.settings.palette }, say(each))))),
    input("limit", say("setup-supply"), { type: "number", min: 200, max: 20000, step: 100, value: seen.settings.limit_ma }),
    button("shine", say("setup-shine"), async () => {
      if (await tellSetUp({ do: "answer", ...ANSWERS.lamps() })) {
        await tellSetUp({ do: "go", step: "lamps" });
        await tellSetUp({ do: "shine" });
      }
    }),
  ],
  name: () => [input("name", say("setup-name-is"), { value: seen.settings.name, pattern: "[a-z0-9-]*", autocomplete: "off" })],
  sound: () => [choices("sound", [[true, say("setup-sound-on")], [false, say("setup-sound-off")]], seen.settings.speak,
    (value) => tellSetUp({ do: "answer", options: { sound: { speak: value } } }))],
  opponent: () => [choices("opponent", [["", say("setup-opponent-none")], ...Object.keys(LEVELS).map((level) => [level, level, say(`strength-${level}`)])],
    seen.opponent, (opponent) => tellSetUp({ do: "answer", opponent }))],
  clock: () => [choices("clock", clocks(), seen.settings.clock, (clock) => tellSetUp({ do: "answer", options: { table: { clock } } }))],
  done: () => [
    button("examine", say("setup-examine-all"), () => tellSetUp({ do: "examine" })),
    make("ul.found", { id: "found", role: "status" }),
    make("dl.facts", {}, ...[
      ["setup-kind", say(`setup-kind-${seen.kind}`)],
      seen.marks ? ["setup-wire", say("setup-wired", { good: count("o"), dead: count("X"), stuck: count("#") })] : null,
      ["setup-opponent", say(seen.opponent ? `strength-${seen.opponent}` : "setup-opponent-none")],
      ["setup-clock", clocks().find(([value]) => value === seen.settings.clock)?.[1] ?? seen.settings.clock],
    ].filter(Boolean).flatMap(([word, value]) => [make("dt.quiet", {}, say(word)), make("dd", {}, value)])),
    PROVED.includes(seen.kind) ? make("p.quiet", {}, say("setup-prove", { command: "jetan trial" })) : null,
  ].filter(Boolean),
};

const ANSWERS = {
  find: () => ({ options: seen.kind === "camera" ? { camera: { source: valueOf("source") } } : seen.kind === "serial" ? { serial: { port: valueOf("port") || "auto" } } : {} }),
  wire: () => ({}),
  lamps: () => ({ options: { lamps: { brightness: Number(valueOf("brightness")), palette: valueOf("palette"), limit_ma: Number(valueOf("limit")) } } }),
  name: () => ({ options: valueOf("name") ? { hall: { table: valueOf("name") } } : {} }),
};

const drawFound = () => find("found").replaceChildren(...seen.found.map(({ check, verdict, found, mend }) =>
  make("li", { "data-verdict": verdict }, make("b", {}, say(`setup-verdict-${verdict}`)), ` ${check}: ${found}`, mend ? ` → ${mend}` : "")));

const DRAWN = { find: drawFound, wire: drawWalk, lamps: drawLamps, done: drawFound };

const ORDERS = { pattern: ["rows", "snake", "rings"], corner: ["a1", "j1", "a10", "j10"], along: ["ranks", "files"] };

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
    each.setAttribute("aria-label", say("setup-lamp", { square, number }));
  }
  if (!drawnOrder || drawnOrder !== String(name)) {
    drawnOrder = String(name);
    Object.keys(ORDERS).forEach((part, n) => { if (name) find(`order-${part}`).value = name[n]; });
  }
  find("words").textContent = name ? "" : say("setup-order-own");
}

function drawWalk() {
  const { walk, marks } = seen;
  for (const each of find("squares").children) {
    const { square } = each.dataset;
    const at = (Number(square.slice(1)) - 1) * 10 + FILES.indexOf(square[0]);
    each.classList.toggle("wanted", walk?.wanted === square);
    each.classList.toggle("lit", walk?.lit === square);
    each.dataset.mark = marks[at] ?? "";
    const known = marks[at] ? `, ${say(`setup-mark-${MARKS[marks[at]]}`)}` : "";
    each.setAttribute("aria-label", `${square}${known}${walk?.wanted === square ? `, ${say("setup-wanted")}` : ""}`);
  }
  const wired = marks ? say("setup-wired", { good: count("o"), dead: count("X"), stuck: count("#") }) : "";
  const failed = walk?.is_over && !walk.is_known ? say("setup-walk-failed") : "";
  find("squares").dataset.lamp = walk?.lamp ?? "";
  find("words").textContent = wired || failed || (walk?.lines.slice(-2).join(" ") ?? "");
}

const count = (mark) => [...seen.marks].filter((each) => each === mark).length;

async function showPicture() {
  const response = await fetchKnown("/api/setup.jpg").catch(() => null);
  if (!response) return;
  find("picture").replaceChildren(make("img", { src: URL.createObjectURL(await response.blob()), alt: say("setup-picture"), width: 480 }));
}

/** Begin the table anew, wait until it is there, and let the first game begin. */
async function finish() {
  const { opponent } = seen;
  if (!(await tellSetUp({ do: "finish" }))?.is_finished) return;
  find("trouble").textContent = say("setup-beginning");
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
  Object.assign(languages, about.languages);
  await speak(ofBrowser() ?? about.language);
  await refresh();
  refreshing = setInterval(refresh, AGAIN_MS);
}

begin();
