// The window around the table: it starts the table's Python and its engines, and hands requests on.

const WORDS = {
  en: {
    title: "Jetan, the chess of Mars",
    what: "The whole table runs in this browser: nothing is sent anywhere, and your games stay here. After the first time it needs no network.",
    here: "The table itself, in your browser. Your games stay here.",
    bump: "Bump the board", stick: "Let a switch stick", cut: "Cut the power", export: "Save my games",
    trouble: "Make trouble", thinks: "thinking …",
    worker: "Getting ready", fetched: "Fetching the table, once: {got} of {all} MB", python: "Starting Python", table: "Setting up the table", ready: "Ready",
    cutting: "The power is cut. The table starts again, and goes on where it was.",
    stuck: "The switch under {square} sticks: what does the table make of it?",
    bumped: "Something knocked against {square}.",
    second: "The table is open in another tab.",
    old: "This browser cannot run the table: it needs service workers and WebAssembly.",
    bare: "This copy of the site has no table in it.",
  },
  de: {
    title: "Jetan, das Schach vom Mars",
    what: "Der ganze Tisch läuft in diesem Browser: Nichts wird verschickt, und die Partien bleiben hier. Nach dem ersten Mal braucht er kein Netz mehr.",
    here: "Der Tisch selbst, im Browser. Die Partien bleiben hier.",
    bump: "Ans Brett stoßen", stick: "Einen Schalter klemmen lassen", cut: "Strom kappen", export: "Partien sichern",
    trouble: "Ärger machen", thinks: "denkt nach …",
    worker: "Gleich geht es los", fetched: "Der Tisch wird geholt, einmal: {got} von {all} MB", python: "Python startet", table: "Der Tisch wird aufgestellt", ready: "Fertig",
    cutting: "Der Strom ist weg. Der Tisch startet neu und macht dort weiter, wo er war.",
    stuck: "Der Schalter unter {square} klemmt: Was macht der Tisch daraus?",
    bumped: "Etwas hat gegen {square} gestoßen.",
    second: "Der Tisch ist schon in einem anderen Tab offen.",
    old: "Dieser Browser kann den Tisch nicht laufen lassen: Er braucht Service Worker und WebAssembly.",
    bare: "Diese Kopie der Seiten enthält keinen Tisch.",
  },
};
const CACHE = "jetan-";
const SPARE_MS = 20_000; // the table starts alone: another Python beside it would slow it down
const FALL_MS = 3000; // as long as the simulated piece lies
const TOAST_MS = 5000;
const STAY_MS = 10_000;
const language = (new URLSearchParams(location.search).get("lang") ?? navigator.language).startsWith("de") ? "de" : "en";
const say = (name, values = {}) => WORDS[language][name].replace(/\{(\w+)\}/g, (_, key) => values[key]);
const find = (id) => document.getElementById(id);
const children = new Map(); // engines, by number
const thinking = new Set(); // those that think
let table, waiting = [], isReady = false, spare = null, toasting;

document.documentElement.lang = language;
for (const place of document.querySelectorAll("[data-word]")) place.textContent = say(place.dataset.word);

const show = (stage, values) => (find("stage").textContent = say(stage, values));

function toast(words) {
  find("toast").textContent = words;
  find("toast").hidden = false;
  clearTimeout(toasting);
  toasting = setTimeout(() => (find("toast").hidden = true), TOAST_MS);
}

const started = () => new Worker("worker.js", { type: "module" });

function startTable() {
  isReady = false;
  table = started();
  const { port1: near, port2: far } = new MessageChannel();
  near.onmessage = ({ data }) => tellChild(near, data);
  return new Promise((done, failed) => {
    table.onerror = (error) => failed(error);
    table.onmessage = ({ data }) => {
      if (data.stage) show(data.stage);
      if (data.fault) {
        toast(data.fault); // who waits for the start is told by its failing, too
        failed(new Error(data.fault));
      }
      if (data.stage !== "ready") return;
      isReady = true;
      for (const [asked, port] of waiting.splice(0)) table.postMessage(asked, [port]);
      setTimeout(() => (spare ??= engine()), SPARE_MS); // so that a strong opponent need not be waited for
      done();
    };
    table.postMessage({ does: "table", language }, [far]);
  });
}

function engine() {
  const made = started();
  made.postMessage({ does: "engine" });
  return made;
}

/** Start, tell or end an engine, as the table says. */
function tellChild(port, { number, does, ...told }) {
  if (does === "end") {
    thinks(number, false);
    children.get(number)?.terminate();
    children.delete(number);
    return;
  }
  if (does) {
    const child = spare ?? engine();
    spare = null;
    children.set(number, child);
    child.onmessage = ({ data }) => {
      if (data.line?.startsWith("bestmove") || data.printed) thinks(number, false);
      if (!data.stage) port.postMessage({ number, ...data });
    };
    thinks(number, does === "analyse");
    if (does === "analyse") child.postMessage({ does, ...told });
    else spare = engine();
  } else {
    if (/^go /m.test(told.text)) thinks(number, true);
    children.get(number)?.postMessage(told);
  }
}

/** Show that an engine thinks, as long as any does. */
function thinks(number, isSo) {
  if (isSo) thinking.add(number);
  else thinking.delete(number);
  find("thinks").hidden = !thinking.size;
}

function endAll() {
  for (const child of children.values()) child.terminate();
  children.clear();
  thinking.clear();
  find("thinks").hidden = true;
  table.terminate();
}

async function asked(path, body) {
  const headers = { "content-type": "application/json" };
  if (body) {
    const { token } = await (await fetch("table/api/token", { method: "POST", headers, body: '{"pin":""}' })).json();
    headers.authorization = `Bearer ${token}`;
  }
  return fetch(`table${path}`, body ? { method: "POST", headers, body: JSON.stringify(body) } : {});
}

const any = (things) => things[Math.floor(Math.random() * things.length)];
/** Any square of the board in the frame on which a piece stands, or none does. */
const anySquare = (isHeld) => any([...find("table").contentDocument.querySelectorAll("#board .square")].filter((square) => Boolean(square.querySelector(".piece")) === isHeld));
const turned = (degrees, more = "") => ({ transform: `rotate(${degrees}deg) ${more}` });

/** Let the piece on a square be seen to fall, lie, and be set up again. */
async function fall(stands) {
  const body = stands.cloneNode(true);
  stands.style.visibility = "hidden";
  stands.closest("svg").append(body);
  const lies = turned(96, "translate(18px, -24px)");
  const turning = body.firstChild.animate([turned(0), { ...lies, offset: 0.12 }, { ...lies, offset: 0.9 }, turned(0)], { duration: FALL_MS, easing: "ease-in" });
  await turning.finished;
  body.remove();
  stands.style.visibility = "";
}

const DOES = {
  bump: async () => {
    const knocked = anySquare(true);
    const { square } = knocked.dataset;
    await asked("/api/do", { do: "simulate", is_wanted: true });
    await asked("/api/do", { do: "tilt", square });
    toast(say("bumped", { square }));
    find("table").animate([turned(0), turned(0.5, "translate(6px, 3px)"), turned(-0.4, "translate(-4px, 0)"), turned(0)], 350);
    await fall(knocked.querySelector(".stands"));
  },
  stick: async () => {
    const shut = anySquare(false);
    const { square } = shut.dataset;
    await asked("/api/do", { do: "simulate", is_wanted: true });
    await asked("/api/do", { do: "ail", square, fault: "stuck" });
    shut.animate([{ opacity: 1 }, { opacity: 0.2 }], { duration: 200, iterations: 6, direction: "alternate" });
    toast(say("stuck", { square }));
  },
  cut: async () => {
    toast(say("cutting"));
    document.body.classList.add("cut");
    endAll();
    navigator.serviceWorker.controller.postMessage("cut");
    await startTable().finally(() => document.body.classList.remove("cut"));
  },
  export: async () => {
    const { kept } = await (await asked("/api/games")).json();
    const texts = await Promise.all(kept.filter((game) => !game.is_damaged).map(async ({ game }) => (await asked(`/api/games/${game}.jgn`)).text()));
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([texts.join("\n")], { type: "application/x-jgn" }));
    link.download = "jetan.jgn";
    link.click();
    URL.revokeObjectURL(link.href);
  },
};

async function begin() {
  show("worker");
  if (!navigator.serviceWorker || !self.WebAssembly) return void (find("stage").textContent = say("old"));
  navigator.locks.request("jetan-table", { ifAvailable: true }, async (lock) => {
    if (!lock) return void (find("stage").textContent = say("second"));
    await startAll().catch((error) => (find("stage").textContent = error.message));
    return new Promise(() => {}); // held as long as this window is open
  });
}

/**
 * Keep every file of this site's table for days without a network; whether it has one. What another
 * version has kept is taken over where it is the same, and goes once all is here.
 */
async function keepAll() {
  const list = await fetch("kept.json", { cache: "no-store" });
  if (!list.ok) return false;
  const { version, files } = await list.clone().json();
  const earlier = (await caches.keys()).filter((name) => name.startsWith(CACHE));
  const cache = await caches.open(CACHE + version);
  if (earlier.length === 1 && (await cache.match("kept.json"))) return true;
  const old = earlier.length ? await caches.open(earlier[0]) : null;
  const known = (await (await old?.match("kept.json"))?.json())?.files ?? {};
  const whole = Object.values(files).reduce((sum, [size]) => sum + size, 0);
  let got = 0;
  const come = (size) => {
    got += size;
    find("progress").value = got / whole;
    show("fetched", { got: (got / 1e6).toFixed(1), all: (whole / 1e6).toFixed(1) });
  };
  for (const [path, [size, hash]] of Object.entries(files)) {
    if (known[path]?.[1] === hash) await cache.put(path, await old.match(path));
    if (await cache.match(path)) {
      come(size);
      continue;
    }
    const response = await fetch(`${path}?${hash}`, { cache: "no-cache" });
    if (!response.ok) throw new Error(`${path}: ${response.status}`);
    const counted = new TransformStream({ transform: (part, to) => (come(part.length), to.enqueue(part)) });
    await cache.put(path, new Response(response.body.pipeThrough(counted), { headers: { "content-type": response.headers.get("content-type") } }));
  }
  await cache.put("kept.json", list);
  for (const name of earlier) if (name !== CACHE + version) await caches.delete(name);
  find("progress").removeAttribute("value"); // what comes now moves by itself
  if (old && earlier[0] !== CACHE + version) location.reload(); // this page is still the old one
  return true;
}

async function startAll() {
  const registered = await navigator.serviceWorker.register("sw.js");
  await navigator.serviceWorker.ready;
  if (!(await keepAll())) return show("bare");
  navigator.serviceWorker.addEventListener("message", ({ data, ports }) => {
    if (isReady) table.postMessage(data, ports);
    else waiting.push([data, ports[0]]);
  });
  navigator.serviceWorker.startMessages();
  setInterval(() => registered.active?.postMessage("stay"), STAY_MS);
  await startTable();
  for (const button of document.querySelectorAll("[data-action]")) button.onclick = () => (find("trouble").open = false) || DOES[button.dataset.action]().catch((error) => toast(error.message));
  find("table").src = `table/?lang=${language}`;
  find("loading").hidden = true;
  find("table").hidden = find("tools").hidden = false;
  document.body.dataset.ready = "table";
}

begin().catch((error) => (find("stage").textContent = error.message));
