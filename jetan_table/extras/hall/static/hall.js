// The hall: a wall of boards, one of them large, and the arbiter's desk.

import { Board, element, loadPieces } from "/static/board.js";
import { timeText } from "/static/clock.js";
import { find, make } from "/static/elements.js";
import { follow, read, tableNow } from "/static/link.js";
import { roam, rowsOf, stop } from "/static/moves.js";
import { CONDUCTS, SIDES } from "/static/names.js";
import { _, inWords, language, languages, ofBrowser, say, speak } from "/static/sentences.js";
import { countOf, plyInWords, plyName, resultIn } from "/static/words.js";

const LEAST_PX = 150; // no board of the wall is smaller
const TOLD_PX = [96, 200]; // what stands below a board, or beside it
let tables = new Map();
let me = { arbiter: false, may_enter: false, languages: { en: "English" }, late_plies: 0, late_s: 0 };
let tournament = null;
let shownPly = null; // of the large board; null: the newest
let drawing = 0;
let asked = Promise.resolve(); // until the tournament is known that was asked for last

const RESULTS = ["black", "orange", "draw"];
const SYSTEMS = { berger: _("round robin (Berger)"), swiss: _("Swiss") };

const get = (path) => read(path).catch(() => null);

/** Post something; whether it is done. Why it is not is told to `refuse`. */
async function post(path, content, refuse = notice) {
  const response = await fetch(path, {
    method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(content),
  }).catch(() => null);
  if (response?.ok) return true;
  if (response === null) { refuse(say("The hall does not answer.")); return false; }
  const told = await response.json();
  refuse(inWords(told.said) || told.refused);
  if (response.status === 401 && path !== "/api/token") location.reload();
  return false;
}

let noticeTimer = null;
function notice(text) {
  find("notice").textContent = text;
  find("notice").hidden = false;
  clearTimeout(noticeTimer);
  noticeTimer = setTimeout(() => { find("notice").hidden = true; }, 6000);
}

// What is shown of a table

const needs = (table) => table.asks !== null || table.ills.length > 0 || !table.online;

function stateOf(table) {
  if (!table.online) return say("the table is away");
  if (table.ills.length) return `${say("the board has a fault")}: ${table.ills.join(", ")}`;
  if (table.asks !== null) return table.asks[language] ?? say("the table asks");
  return table.result === "*" ? countOf(table.plies) : resultIn(table.result);
}

function clockOf(table, side) {
  const clock = table.clock;
  if (!clock) return "";
  let left = clock[`${side}_s`];
  if (clock.running === side) left -= Math.max(0, tableNow() - clock.at);
  return timeText(left);
}

/** Who has a side: as the game says, else who was paired here for this round. */
function playerAt(table, side) {
  const pair = tournament?.rounds.at(-1)?.pairs.find((one) => one.table === table.table && one.result === "*");
  return table[side] === "?" ? pair?.[side] ?? say(SIDES[side]) : table[side];
}

/** Who plays at a table, with their clocks, and how far they are. */
const toldOf = (table) => [
  ...(table.hash ? ["black", "orange"] : []).map((side) =>
    make(`p.names${table.side === side && table.result === "*" ? ".turn" : ""}`, {},
      make("span", {}, `${side === "black" ? "●" : "◆"} ${playerAt(table, side)}`),
      make("span.clock", { "data-table": table.table, "data-side": side }, clockOf(table, side)))),
  make(`p.state${needs(table) ? ".needs" : ""}`, {}, stateOf(table)),
];

// Boards, drawn as the table's own page draws them while they are in sight

class Shown {
  constructor(svg) {
    this.svg = svg;
    this.board = new Board(svg);
    this.key = null; // of the game and ply that it shows, or is about to show
    this.plies = null;
  }

  /** Show a table's game after a ply, null for the newest; one more ply is walked. */
  async show(table, ply = null) {
    const key = `${table.table} ${table.game} ${table.hash} ${ply}`;
    if (!table.hash || key === this.key) return;
    this.key = key;
    const told = await get(`/board/${table.table}.json${ply === null ? "" : `?ply=${ply}`}`);
    if (told === null || this.key !== key) return;
    const { board } = this;
    await board.show(told.board, false);
    this.svg.setAttribute("role", "img"); // it is looked at, and not played on: there may be many
    for (const square of this.svg.querySelectorAll("[id]")) for (const name of ["id", "role", "tabindex"]) square.removeAttribute(name);
    const letter = board.standing[told.path[0]];
    const walk = { path: told.path, letter, taken: board.standing[told.path.at(-1)], standing: told.standing };
    board.setPieces(told.standing, letter && told.plies === this.plies + 1 ? [walk] : []);
    board.setPath(told.path, false);
    for (const [name, { group }] of board.squares) group.dataset.cue = name === told.path[0] || name === told.path.at(-1) ? "last-move" : "";
    this.plies = told.plies;
  }
}

const boards = new Map(); // those in sight, by their drawing
const sight = new IntersectionObserver((entries) => {
  for (const { target, isIntersecting } of entries) {
    if (!isIntersecting) { boards.delete(target); target.replaceChildren(); target.nextSibling?.remove(); continue; }
    boards.set(target, new Shown(target));
    showBoard(target);
  }
}, { rootMargin: "50%" });

const showBoard = (svg) => tables.has(svg.dataset.table) && boards.get(svg)?.show(tables.get(svg.dataset.table));
const frameOf = (name) => make("div.board-frame", {}, element("svg", { class: "board", "data-table": name }));

const order = (one, other) => needs(other) - needs(one) || one.table.localeCompare(other.table);

function drawWall() {
  const wall = find("wall");
  const sorted = [...tables.values()].sort(order);
  for (const [at, table] of sorted.entries()) {
    let item = wall.querySelector(`li[data-table="${table.table}"]`);
    if (item === null) {
      item = make("li", { "data-table": table.table }, make("a", { href: `#${table.table}` }, frameOf(table.table), make("div.told")));
      sight.observe(item.querySelector("svg"));
    }
    const link = item.firstChild;
    link.className = `${needs(table) ? "needs" : ""} ${table.online ? "" : "away"}`;
    const [board, told] = [link.querySelector("svg"), link.lastChild];
    board.setAttribute("aria-label", `${table.table}: ${stateOf(table)}`);
    told.replaceChildren(make("strong", {}, table.table), ...toldOf(table));
    if (wall.children[at] !== item) wall.insertBefore(item, wall.children[at] ?? null);
    showBoard(board);
  }
  for (const item of [...wall.children]) {
    if (tables.has(item.dataset.table)) continue;
    sight.unobserve(item.querySelector("svg"));
    item.remove();
  }
  find("none").hidden = tables.size > 0;
  fit();
}

/** Make the boards as large as all of them fit on the screen: words below each, or beside it. */
function fit() {
  const wall = find("wall");
  if (!wall.children.length) return;
  const [wide, high] = [wall.clientWidth, innerHeight - wall.getBoundingClientRect().top - scrollY];
  let best = { side: 0 };
  for (let columns = 1; columns <= tables.size; columns++) {
    const [width, height] = [wide / columns - 32, high / Math.ceil(tables.size / columns) - 32];
    const sizes = [Math.min(width, height - TOLD_PX[0]), Math.min(width - TOLD_PX[1], height)];
    sizes.forEach((side, beside) => { if (side > best.side) best = { side, columns, beside }; });
  }
  if (best.side < LEAST_PX) {
    const columns = Math.max(1, Math.floor(wide / (LEAST_PX + 32)));
    best = { side: wide / columns - 32, columns, beside: 0 };
  }
  wall.style.setProperty("--columns", best.columns);
  wall.style.setProperty("--side", `${Math.floor(best.side)}px`);
  wall.classList.toggle("beside", Boolean(best.beside));
}

// One board large

async function drawOne(name) {
  const number = ++drawing;
  const told = await get(`/api/hall/${encodeURIComponent(name)}`);
  if (number !== drawing) return;
  const place = find("one");
  if (told === null) { place.replaceChildren(make("p", {}, say("No table has told this hall anything yet."))); return; }
  const table = told.table;
  const moves = told.moves ?? [];
  const ply = shownPly !== null && shownPly < moves.length ? shownPly : null;
  const at = ply ?? moves.length;
  const go = (to) => () => { shownPly = to; drawOne(name); };
  const first = told.first_number ?? 1;
  const list = make("ol.moves", { onkeydown: (event) => roam(event, list) }, ...rowsOf(moves, first, (move, index) =>
    make("button.ply", { "aria-current": at === index + 1 && "step", "aria-label": `${plyName(first + index)}: ${plyInWords(move)}`, onclick: go(index + 1) }, move)));
  const held = place.contains(document.activeElement) ? document.activeElement : null;
  const typing = held?.id === "position" ? held : null; // what the arbiter is about to say stays
  let large = place.querySelector("svg");
  if (large?.dataset.table !== name) {
    large = frameOf(name).firstChild;
    large.shown = new Shown(large);
  }
  large.setAttribute("aria-label", `${name}: ${stateOf(table)}`);
  place.replaceChildren(
    large.parentNode,
    make("div.card", {}, make("h2", {}, name), ...toldOf(table), make("h2", {}, say("Moves")),
      make("button", { type: "button", onclick: go(0) }, say("To the start")),
      list,
      me.arbiter && told.positions ? tools(told, at, typing) : null));
  const current = stop([...list.querySelectorAll("button")], Math.max(at - 1, 0));
  if (current) list.scrollTop = current.offsetTop - list.offsetTop - list.clientHeight / 2;
  (typing ?? (held?.closest(".moves") && current))?.focus({ preventScroll: true });
  large.shown.show(table, ply);
}

/** What an arbiter may say to a table; `typing` is the field in which a position is being typed. */
function tools(told, at, typing) {
  const table = told.table;
  const tell = async (command) => (await post("/api/do", { do: "say", table: table.table, rev: table.rev, command })) && notice(say("The table has been told."));
  const button = (words, command) => make("button", { type: "button", onclick: () => tell(command) }, words);
  const text = typing ?? make("input", { value: told.positions[at], "aria-label": say("Position text"), id: "position" });
  const over = make("select", { "aria-label": say("The game is over") },
    ...RESULTS.map((value) => make("option", { value }, resultIn(value))));
  return make("div", { id: "tools" },
    make("h2", {}, say("Arbiter")),
    make("div.row", {},
      ...(told.candidates ?? []).map((square) => button(say("It was {square}", { square }), { do: "answer", square })),
      button(say("Take back"), { do: "back" }), button(say("I’ve fixed the board"), { do: "right" }),
      button(say("Stop the clocks"), { do: "pause" }), button(say("Restart the clocks"), { do: "resume" })),
    make("div.row", {}, text,
      make("button", { type: "button", id: "set-position", onclick: () => tell({ do: "correct", position: text.value }) }, say("Set up this position"))),
    make("p.quiet", {}, say("The table’s lamps show which pieces to move.")),
    make("div.row", {}, over,
      make("button", { type: "button", onclick: () => confirm(say("{what}: are you sure?", { what: say("The game is over") })) && tell({ do: "adjudicate", result: over.value }) }, say("The game is over")),
      make("button", { type: "button", onclick: async () => confirm(say("{what}: are you sure?", { what: say("Forget this table") })) && (await post("/api/do", { do: "forget", table: table.table })) && (location.hash = "") }, say("Forget this table"))),
    told.last_refusal ? make("p.quiet", {}, told.last_refusal) : null);
}

// The round, and the arbiter's desk

function drawRound() {
  const section = find("round");
  section.hidden = tournament === null || !(place() === "" || (place() === ":arbiter" && me.arbiter));
  if (tournament === null) return;
  const number = tournament.rounds.length;
  const paired = tournament.rounds[number - 1];
  const choice = (pair) => make("select", { "aria-label": `${pair.black} – ${pair.orange}`,
    onchange: (event) => post("/api/do", { do: "result", round: number, table: pair.table, black: pair.black, result: event.target.value }) },
    ...["*", ...RESULTS].map((one) => make("option", { value: one, selected: one === pair.result }, resultIn(one))));
  section.replaceChildren(
    ...(paired ? [make("h2", {}, say("Round {number}", { number })), make("table", {},
      ...paired.pairs.map((pair) => make("tr", {}, make("td", {}, make("a", { href: `#${pair.table}` }, pair.table)),
        make("td", {}, pair.black), make("td", {}, pair.orange), make("td", {}, me.arbiter ? choice(pair) : pair.result === "*" ? "" : resultIn(pair.result)))),
      ...(paired.bye ? [make("tr", {}, make("td"), make("td", {}, paired.bye), make("td", {}, say("bye: one point")))] : []))] : []),
    make("h2", {}, say("Standings")),
    make("table", {}, make("tr", {}, ...[say("Place"), say("Player"), say("Points"), say("Opponents’ points")].map((words) => make("th", {}, words))),
      ...tournament.standings.map((one) => make("tr", {}, ...[one.place, one.player, one.points, one.opponents].map((cell) => make("td", {}, String(cell)))))),
    make("p", {}, make("a", { href: "/export/games.jgn" }, say("Games of the round")), " · ",
      make("a", { href: "/export/results.csv" }, say("As a table (CSV)"))));
}

function drawDesk() {
  const desk = find("desk");
  if (!me.arbiter) {
    const pin = make("input", { type: "password", inputmode: "numeric", autocomplete: "off", id: "pin", "aria-label": say("The hall’s PIN") });
    desk.replaceChildren(make("form", { onsubmit: async (event) => {
      event.preventDefault();
      if (await post("/api/token", { pin: pin.value })) { location.hash = ""; location.reload(); }
    } }, make("label", {}, say("The hall’s PIN"), pin), make("button.main", {}, say("Enter"))));
    return;
  }
  const area = (name, value) => make("textarea", { name, rows: 6 }, value);
  const players = area("players", tournament?.players.join("\n") ?? "");
  const places = area("tables", tournament?.tables.join("\n") ?? [...tables.keys()].sort().join("\n"));
  const pick = (name, all, chosen) => make("select", { name }, ...Object.entries(all).map(([value, words]) => make("option", { value, selected: chosen === value }, say(words))));
  const system = pick("system", SYSTEMS, tournament?.system);
  const conduct = pick("conduct", CONDUCTS, tournament?.conduct ?? "tournament");
  const line = (name, value) => make("input", { name, value });
  const rules = line("rules", tournament?.rules ?? me.rules);
  const clock = line("clock", tournament?.clock ?? "none");
  const lines = (text) => text.value.split("\n").map((part) => part.trim()).filter(Boolean);
  const labelled = (words, control) => make("label", {}, words, control);
  const answer = make("p", { id: "answer", role: "status" });
  const tell = (words, isRefusal = false) => {
    answer.textContent = words;
    answer.className = isRefusal ? "refused" : "";
    answer.scrollIntoView({ block: "nearest" }); // the form is longer than a phone's screen
  };
  /** Do what a button asks for, and tell beside it that it is under way, and what has come of it. */
  const ask = async (button, request, done) => {
    button.disabled = true;
    tell(say("One moment …"));
    if (await post("/api/do", request, (why) => tell(why, true))) {
      await loadTournament();
      tell(done());
    }
    button.disabled = false;
  };
  const sure = (what) => confirm(say("{what}: are you sure?", { what }));
  const another = make("details", { open: tournament === null }, make("summary", {}, say("New tournament")),
    make("form", { id: "begin", onsubmit: async (event) => {
      event.preventDefault();
      if (lines(players).length < 2 || !lines(places).length) { tell(say("Name two players at least, and a table."), true); return; }
      if (tournament?.rounds.length && !sure(say("New tournament"))) return;
      const asked = { players: lines(players), tables: lines(places), system: system.value, rules: rules.value, clock: clock.value, conduct: conduct.value };
      await ask(event.submitter, { do: "begin", tournament: asked }, () => {
        another.open = false;
        return say("The tournament has begun, with {count} players. Pair its first round.", { count: tournament.players.length });
      });
    } }, labelled(say("Players, one per line, the strongest first"), players), labelled(say("Tables, one per line"), places), labelled(say("Pairing system"), system), labelled(say("Rules"), rules),
      labelled(say("Clock"), clock), labelled(say("Strictness"), conduct), make("button.main", {}, say("Begin"))));
  desk.replaceChildren(
    make("h2", {}, say("Tournament")),
    make("div.row", {},
      make("button.main", { type: "button", id: "pair", onclick: (event) => ask(event.target, { do: "pair" }, () => say("Round {number} is paired.", { number: tournament.rounds.length })) }, say("Pair the next round")),
      make("button", { type: "button", id: "unpair", onclick: (event) => sure(say("Undo the pairings")) && ask(event.target, { do: "unpair" }, () => say("The pairings of round {number} are undone.", { number: tournament.rounds.length + 1 })) }, say("Undo the pairings"))),
    answer, another);
}

// Ways about

const embedded = location.pathname.startsWith("/embed/") ? decodeURIComponent(location.pathname.slice(7)) : null;
const place = () => embedded ?? decodeURIComponent(location.hash.slice(1));

function show() {
  const name = place();
  find("wall").hidden = find("none").hidden = name !== "";
  find("one").hidden = name === "" || name === ":arbiter";
  find("desk").hidden = name !== ":arbiter";
  if (name === "") drawWall();
  else if (name === ":arbiter") drawDesk();
  else drawOne(name);
  drawRound();
}

async function choose(chosen) {
  await speak(chosen);
  find("late").textContent = [
    me.late_plies ? say("delayed by {time}", { time: countOf(me.late_plies) }) : "",
    me.late_s ? say("delayed by {time}", { time: say(me.late_s === 60 ? _("1 minute") : _("{count} minutes"), { count: me.late_s / 60 }) }) : "",
  ].join(" ");
  show();
}

/** Ask anew how the tournament stands; its pairs are named at their boards too. */
function loadTournament() {
  // One after another: an answer that is overtaken knows less, and would be drawn last.
  asked = asked.catch(() => null).then(async () => {
    tournament = await get("/api/tournament");
    if (place() === ":arbiter") drawRound(); // a desk that is drawn again loses what is typed there
    else show();
  });
  return asked;
}

function take(state, changed) {
  const isFirst = tables.size === 0;
  tables = new Map(Object.entries(state).filter(([name, table]) => name !== ":tournament" && table !== null));
  if (changed.has(":tournament")) loadTournament();
  if (place() === "" || (isFirst && place() === ":arbiter" && me.arbiter)) show();
  else if (changed.has(place())) drawOne(place());
}

function link(isUp) {
  find("link").textContent = say(isUp ? _("live") : _("no connection to the hall, trying again …"));
  find("link").className = isUp ? "link" : "link lost";
}

setInterval(() => {
  for (const clock of document.querySelectorAll(".clock")) {
    const table = tables.get(clock.dataset.table);
    if (table?.clock?.running) clock.textContent = clockOf(table, clock.dataset.side);
  }
}, 1000);

addEventListener("hashchange", () => { shownPly = null; show(); });
addEventListener("resize", fit);

me = (await get("/api/me")) ?? me;
tournament = await get("/api/tournament");
await loadPieces();
if (embedded !== null) document.body.classList.add("embed");
Object.assign(languages, me.languages);
await choose(ofBrowser() ?? "en");
find("language").replaceChildren(...Object.entries(languages).map(([code, name]) => make("option", { value: code, selected: code === language }, name)));
find("language").onchange = (event) => choose(event.target.value);
find("to-arbiter").hidden = !me.may_enter; // not before: a desk that is drawn again loses its PIN
follow(take, link);
