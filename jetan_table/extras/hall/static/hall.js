// The hall: a wall of boards, one of them large, and the arbiter's desk.

const byId = (id) => document.getElementById(id);
const tables = new Map();
let words = {};
let language = "en";
let me = { arbiter: false, may_enter: false, languages: ["en"], late_plies: 0, late_s: 0 };
let tournament = null;
let ahead = 0;
let shownPly = null; // of the large board; null: the newest
let drawing = 0;

// English stands where it is said; `_` marks what is said later.
const _ = (english) => english;
const say = (english, values = {}) =>
  (words[english] ?? english).replace(/\{(\w+)(?:!r)?(?::[^}]*)?\}/g, (whole, name) => shown(values[name]));
const shown = (value) => (value?.template === undefined ? value ?? "" : say(value.template, value.values));
const SIDES = { black: _("Black"), orange: _("Orange") };
const RESULTS = { black: _("Black won"), orange: _("Orange won"), draw: _("draw") };
const SYSTEMS = { berger: _("round robin (Berger)"), swiss: _("Swiss") };
const CONDUCTS = { tournament: _("tournament"), strict: _("strict"), friendly: _("friendly") };

function make(name, values = {}, ...inside) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(values)) {
    if (key in element) element[key] = value;
    else element.setAttribute(key, value);
  }
  element.append(...inside.filter((part) => part !== null));
  return element;
}

async function get(path) {
  const response = await fetch(path);
  return response.ok ? response.json() : null;
}

/** Post something; whether it is done. Why it is not is told to `refuse`. */
async function post(path, content, refuse = notice) {
  const response = await fetch(path, {
    method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(content),
  }).catch(() => null);
  if (response?.ok) return true;
  if (response === null) { refuse(say("The hall does not answer.")); return false; }
  const document = await response.json();
  refuse(document.said ? say(document.said.template, document.said.values) : document.refused);
  if (response.status === 401 && path !== "/api/token") location.reload();
  return false;
}

let noticeTimer = null;
function notice(text) {
  byId("notice").textContent = text;
  byId("notice").hidden = false;
  clearTimeout(noticeTimer);
  noticeTimer = setTimeout(() => { byId("notice").hidden = true; }, 6000);
}

// What is shown of a table

const needs = (table) => table.asks !== null || table.ills.length > 0 || !table.online;

function stateOf(table) {
  if (!table.online) return say("the table is away");
  if (table.ills.length) return `${say("the board has a fault")}: ${table.ills.join(", ")}`;
  if (table.asks !== null) return table.asks[language] ?? say("the table asks");
  if (table.result !== "*") return say(RESULTS[table.result]);
  return movesOf(table.plies);
}

const movesOf = (count) => say(count === 1 ? _("1 move") : _("{count} moves"), { count });

function clockOf(table, side) {
  const clock = table.clock;
  if (!clock) return null;
  let left = clock[`${side}_s`];
  if (clock.running === side) left -= Math.max(0, performance.now() / 1000 + ahead - clock.at);
  const whole = Math.max(0, Math.ceil(left));
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
}

function nameLine(table, side) {
  const line = make("span", { className: table.side === side && table.result === "*" ? "turn" : "" },
    `${side === "black" ? "●" : "◆"} ${table[side] === "?" ? say(SIDES[side]) : table[side]}`);
  const clock = make("span", { className: "clock" });
  clock.dataset.table = table.table;
  clock.dataset.side = side;
  clock.textContent = ` ${clockOf(table, side) ?? ""}`;
  line.append(clock);
  return line;
}

const picture = (table, ply = null) =>
  `/board/${table.table}.svg?${ply === null ? "" : `ply=${ply}&`}at=${table.rev}-${table.plies}`;

function order(one, other) {
  return needs(other) - needs(one) || one.table.localeCompare(other.table);
}

function drawWall() {
  const wall = byId("wall");
  const sorted = [...tables.values()].sort(order);
  for (const table of sorted) {
    let item = wall.querySelector(`[data-table="${table.table}"]`);
    if (item === null) {
      item = make("li", {}, make("a", { href: `#${table.table}` },
        make("strong"), make("img", { className: "board", loading: "lazy" }),
        make("p", { className: "names" }), make("p", { className: "state" })));
      item.dataset.table = table.table;
    }
    const link = item.firstChild;
    link.className = `${needs(table) ? "needs" : ""} ${table.online ? "" : "away"}`;
    const [title, image, names, state] = link.children;
    title.textContent = table.table;
    if (table.hash && image.getAttribute("src") !== picture(table)) image.src = picture(table);
    image.alt = `${table.table}: ${stateOf(table)}`;
    image.hidden = !table.hash;
    names.replaceChildren(...(table.hash ? [nameLine(table, "black"), nameLine(table, "orange")] : []));
    state.className = `state ${needs(table) ? "needs" : ""}`;
    state.textContent = stateOf(table);
    if (wall.children[sorted.indexOf(table)] !== item) wall.insertBefore(item, wall.children[sorted.indexOf(table)] ?? null);
  }
  for (const item of [...wall.children]) if (!tables.has(item.dataset.table)) item.remove();
  byId("none").hidden = tables.size > 0;
}

// One board large

async function drawOne(name) {
  const number = ++drawing;
  const document_ = await get(`/api/hall/${encodeURIComponent(name)}`);
  if (number !== drawing) return;
  const place = byId("one");
  if (document_ === null) { place.replaceChildren(make("p", {}, say("No table has told this hall anything yet."))); return; }
  const table = document_.table;
  const moves = document_.moves ?? [];
  const ply = shownPly !== null && shownPly < moves.length ? shownPly : null;
  const list = make("ol", { className: "moves", start: document_.first_number ?? 1 });
  moves.forEach((move, index) => list.append(make("li", {}, make("button", {
    type: "button", "aria-current": String((ply ?? moves.length) === index + 1),
    onclick: () => { shownPly = index + 1; drawOne(name); },
  }, move))));
  const at = ply ?? moves.length;
  place.replaceChildren(
    make("div", {},
      make("img", { className: "board", src: picture(table, ply), alt: `${name}: ${stateOf(table)}` }),
      make("p", { className: "names" }, nameLine(table, "black"), nameLine(table, "orange")),
      make("p", { className: `state ${needs(table) ? "needs" : ""}` }, stateOf(table))),
    make("div", {},
      make("h2", {}, name), make("h2", {}, say("Moves")),
      make("button", { type: "button", onclick: () => { shownPly = 0; drawOne(name); } }, say("before the first move")),
      list,
      me.arbiter && document_.positions ? tools(document_, at) : null));
}

function tools(document_, at) {
  const table = document_.table;
  const tell = async (command) => (await post("/api/do", { do: "say", table: table.table, rev: table.rev, command })) && notice(say("The table has been told."));
  const button = (words, command) => make("button", { type: "button", onclick: () => tell(command) }, words);
  const text = make("input", { value: document_.positions[at], "aria-label": say("Position text"), id: "position" });
  const over = make("select", { "aria-label": say("The game is over") },
    ...Object.entries(RESULTS).map(([value, words]) => make("option", { value }, say(words))));
  return make("div", { id: "tools" },
    make("h2", {}, say("Arbiter")),
    make("div", { className: "row" },
      ...(document_.candidates ?? []).map((square) => button(say("It was {square}", { square }), { do: "answer", square })),
      button(say("Take back"), { do: "back" }), button(say("I’ve fixed the board"), { do: "right" }),
      button(say("Stop the clocks"), { do: "pause" }), button(say("Restart the clocks"), { do: "resume" })),
    make("div", { className: "row" }, text,
      make("button", { type: "button", id: "set-position", onclick: () => tell({ do: "correct", position: text.value }) }, say("Set up this position"))),
    make("p", { className: "quiet" }, say("The table’s lamps show which pieces to move.")),
    make("div", { className: "row" }, over,
      make("button", { type: "button", onclick: () => confirm(say("{what}: are you sure?", { what: say("The game is over") })) && tell({ do: "adjudicate", result: over.value }) }, say("The game is over")),
      make("button", { type: "button", onclick: async () => confirm(say("{what}: are you sure?", { what: say("Forget this table") })) && (await post("/api/do", { do: "forget", table: table.table })) && (location.hash = "") }, say("Forget this table"))),
    document_.last_refusal ? make("p", { className: "quiet" }, document_.last_refusal) : null);
}

// The round, and the arbiter's desk

function drawRound() {
  const section = byId("round");
  section.hidden = tournament === null || !(place() === "" || (place() === ":arbiter" && me.arbiter));
  if (tournament === null) return;
  const number = tournament.rounds.length;
  const paired = tournament.rounds[number - 1];
  const result = (pair) => pair.result === "*" ? "" : say(RESULTS[pair.result]);
  const choice = (pair) => make("select", { "aria-label": `${pair.black} – ${pair.orange}`,
    onchange: (event) => post("/api/do", { do: "result", round: number, table: pair.table, black: pair.black, result: event.target.value }) },
    ...["*", "black", "orange", "draw"].map((one) => make("option", { value: one, selected: one === pair.result }, result({ result: one }))));
  section.replaceChildren(
    ...(paired ? [make("h2", {}, say("Round {number}", { number })), make("table", {},
      ...paired.pairs.map((pair) => make("tr", {}, make("td", {}, make("a", { href: `#${pair.table}` }, pair.table)),
        make("td", {}, pair.black), make("td", {}, pair.orange), make("td", {}, me.arbiter ? choice(pair) : result(pair)))),
      ...(paired.bye ? [make("tr", {}, make("td"), make("td", {}, paired.bye), make("td", {}, say("bye: one point")))] : []))] : []),
    make("h2", {}, say("Standings")),
    make("table", {}, make("tr", {}, ...[say("Place"), say("Player"), say("Points"), say("Opponents’ points")].map((words) => make("th", {}, words))),
      ...tournament.standings.map((one) => make("tr", {}, ...[one.place, one.player, one.points, one.opponents].map((cell) => make("td", {}, String(cell)))))),
    make("p", {}, make("a", { href: "/export/games.jgn" }, say("Games of the round")), " · ",
      make("a", { href: "/export/results.csv" }, say("As a table (CSV)"))));
}

function drawDesk() {
  const desk = byId("desk");
  if (!me.arbiter) {
    const pin = make("input", { type: "password", inputMode: "numeric", autocomplete: "off", id: "pin", "aria-label": say("The hall’s PIN") });
    desk.replaceChildren(make("form", { onsubmit: async (event) => {
      event.preventDefault();
      if (await post("/api/token", { pin: pin.value })) { location.hash = ""; location.reload(); }
    } }, make("label", {}, say("The hall’s PIN"), pin), make("button", { className: "main" }, say("Enter"))));
    return;
  }
  const area = (name, value) => make("textarea", { name, rows: 6, value });
  const players = area("players", tournament?.players.join("\n") ?? "");
  const places = area("tables", tournament?.tables.join("\n") ?? [...tables.keys()].sort().join("\n"));
  const pick = (name, all) => make("select", { name }, ...Object.entries(all).map(([value, words]) => make("option", { value, selected: tournament?.[name] === value }, say(words))));
  const system = pick("system", SYSTEMS);
  const conduct = pick("conduct", CONDUCTS);
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
      labelled(say("Clock"), clock), labelled(say("Strictness"), conduct), make("button", { className: "main" }, say("Begin"))));
  desk.replaceChildren(
    make("h2", {}, say("Tournament")),
    make("div", { className: "row" },
      make("button", { type: "button", className: "main", id: "pair", onclick: (event) => ask(event.target, { do: "pair" }, () => say("Round {number} is paired.", { number: tournament.rounds.length })) }, say("Pair the next round")),
      make("button", { type: "button", id: "unpair", onclick: (event) => sure(say("Undo the pairings")) && ask(event.target, { do: "unpair" }, () => say("The pairings of round {number} are undone.", { number: tournament.rounds.length + 1 })) }, say("Undo the pairings"))),
    answer, another);
}

// Ways about

const embedded = location.pathname.startsWith("/embed/") ? decodeURIComponent(location.pathname.slice(7)) : null;
const place = () => embedded ?? decodeURIComponent(location.hash.slice(1));

function show() {
  const name = place();
  byId("wall").hidden = byId("none").hidden = name !== "";
  byId("one").hidden = name === "" || name === ":arbiter";
  byId("desk").hidden = name !== ":arbiter";
  if (name === "") drawWall();
  else if (name === ":arbiter") drawDesk();
  else drawOne(name);
  drawRound();
}

async function speak(chosen) {
  language = chosen;
  words = (await get(`/api/words/${language}`)) ?? {};
  document.documentElement.lang = language;
  for (const element of document.querySelectorAll("[data-word]")) element.textContent = say(element.dataset.word);
  byId("late").textContent = [
    me.late_plies ? say("delayed by {time}", { time: movesOf(me.late_plies) }) : "",
    me.late_s ? say("delayed by {time}", { time: say(me.late_s === 60 ? _("1 minute") : _("{count} minutes"), { count: me.late_s / 60 }) }) : "",
  ].join(" ");
  show();
}

async function loadTournament() {
  tournament = await get("/api/tournament");
  drawRound();
}

function follow() {
  const source = new EventSource("/events");
  const take = (changed, whole) => {
    if (whole) tables.clear();
    for (const [name, table] of Object.entries(changed)) {
      if (name === ":tournament") loadTournament();
      else if (table === null) tables.delete(name);
      else tables.set(name, table);
    }
    link(true);
    if (place() === "") drawWall();
    else if (place() in changed) drawOne(place());
  };
  source.addEventListener("state", (event) => take(JSON.parse(event.data), true));
  source.addEventListener("change", (event) => take(JSON.parse(event.data), false));
  source.addEventListener("time", (event) => { ahead = JSON.parse(event.data).now - performance.now() / 1000; });
  source.onerror = () => {
    link(false);
    if (source.readyState === EventSource.CLOSED) setTimeout(follow, 2000);
  };
}

function link(isUp) {
  byId("link").textContent = say(isUp ? _("live") : _("no connection to the hall, trying again …"));
  byId("link").className = isUp ? "link" : "link lost";
}

setInterval(() => {
  for (const clock of document.querySelectorAll(".clock")) {
    const table = tables.get(clock.dataset.table);
    if (table?.clock?.running) clock.textContent = ` ${clockOf(table, clock.dataset.side) ?? ""}`;
  }
}, 1000);

addEventListener("hashchange", () => { shownPly = null; show(); });

me = (await get("/api/me")) ?? me;
tournament = await get("/api/tournament");
if (embedded !== null) document.body.className = "embed";
const wanted = navigator.languages.map((one) => one.slice(0, 2)).find((one) => me.languages.includes(one)) ?? "en";
byId("language").replaceChildren(...me.languages.map((one) => make("option", { value: one, selected: one === wanted }, one)));
byId("language").onchange = (event) => speak(event.target.value);
await speak(wanted);
byId("to-arbiter").hidden = !me.may_enter; // not before: a desk that is drawn again loses its PIN
follow();
