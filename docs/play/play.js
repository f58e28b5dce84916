// The window around the table: it starts the table's Python and its engines, and hands requests on.

const WORDS = {
  en: {
    title: "Jetan, the chess of Mars",
    what: "The whole table runs in this browser: nothing is sent anywhere, and your games stay here. It takes some seconds to start.",
    here: "The table itself, in your browser. Your games stay here.",
    bump: "Bump the board", stick: "Let a switch stick", cut: "Cut the power", export: "Save my games",
    worker: "Getting ready", python: "Fetching Python (about 7 MB)", table: "Unpacking the table", ready: "Ready",
    cutting: "The power is cut. The table starts again, and goes on where it was.",
    stuck: "The switch under {square} sticks: what does the table make of it?",
    bumped: "Something knocked against {square}.",
    second: "The table is open in another tab.",
    old: "This browser cannot run the table: it needs service workers and WebAssembly.",
    bare: "This copy of the site has no table in it.",
  },
  de: {
    title: "Jetan, das Schach vom Mars",
    what: "Der ganze Tisch läuft in diesem Browser: Nichts wird verschickt, und die Partien bleiben hier. Der Start dauert einige Sekunden.",
    here: "Der Tisch selbst, im Browser. Die Partien bleiben hier.",
    bump: "Ans Brett stoßen", stick: "Einen Schalter klemmen lassen", cut: "Strom kappen", export: "Partien sichern",
    worker: "Gleich geht es los", python: "Python wird geholt (etwa 7 MB)", table: "Der Tisch wird ausgepackt", ready: "Fertig",
    cutting: "Der Strom ist weg. Der Tisch startet neu und macht dort weiter, wo er war.",
    stuck: "Der Schalter unter {square} klemmt: Was macht der Tisch daraus?",
    bumped: "Etwas hat gegen {square} gestoßen.",
    second: "Der Tisch ist schon in einem anderen Tab offen.",
    old: "Dieser Browser kann den Tisch nicht laufen lassen: Er braucht Service Worker und WebAssembly.",
    bare: "Diese Kopie der Seiten enthält keinen Tisch.",
  },
};
const STAGES = ["worker", "python", "table", "ready"];
const TOAST_MS = 5000;
const STAY_MS = 10_000;
const language = (new URLSearchParams(location.search).get("lang") ?? navigator.language).startsWith("de") ? "de" : "en";
const say = (name, values = {}) => WORDS[language][name].replace(/\{(\w+)\}/g, (_, key) => values[key]);
const find = (id) => document.getElementById(id);
const children = new Map(); // engines, by number
let table, waiting = [], isReady = false, spare = null, toasting;

document.documentElement.lang = language;
for (const place of document.querySelectorAll("[data-word]")) place.textContent = say(place.dataset.word);

function show(stage) {
  find("stage").textContent = say(stage);
  find("progress").value = STAGES.indexOf(stage) + 1;
}

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
      spare ??= engine(); // so that an opponent need not be waited for
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
    children.get(number)?.terminate();
    children.delete(number);
    return;
  }
  if (does) {
    const child = spare ?? engine();
    spare = null;
    children.set(number, child);
    child.onmessage = ({ data }) => data.stage || port.postMessage({ number, ...data });
    if (does === "analyse") child.postMessage({ does, ...told });
    else spare = engine();
  } else children.get(number)?.postMessage(told);
}

function endAll() {
  for (const child of children.values()) child.terminate();
  children.clear();
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
const anySquare = (ranks) => `${any([..."abcdefghij"])}${any(ranks)}`;

const DOES = {
  bump: async () => {
    const square = anySquare([1, 2, 9, 10]);
    await asked("/api/do", { do: "simulate", is_wanted: true });
    await asked("/api/do", { do: "tilt", square });
    toast(say("bumped", { square }));
  },
  stick: async () => {
    const square = anySquare([4, 5, 6, 7]);
    await asked("/api/do", { do: "simulate", is_wanted: true });
    await asked("/api/do", { do: "ail", square, fault: "stuck" });
    toast(say("stuck", { square }));
  },
  cut: async () => {
    toast(say("cutting"));
    endAll();
    navigator.serviceWorker.controller.postMessage("cut");
    await startTable();
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
  const isBare = !(await fetch("core/table.zip", { method: "HEAD" })).ok;
  if (isBare) return void (find("stage").textContent = say("bare"));
  navigator.locks.request("jetan-table", { ifAvailable: true }, async (lock) => {
    if (!lock) return void (find("stage").textContent = say("second"));
    await startAll().catch((error) => (find("stage").textContent = error.message));
    return new Promise(() => {}); // held as long as this window is open
  });
}

async function startAll() {
  const registered = await navigator.serviceWorker.register("sw.js");
  navigator.serviceWorker.addEventListener("message", ({ data, ports }) => {
    if (isReady) table.postMessage(data, ports);
    else waiting.push([data, ports[0]]);
  });
  navigator.serviceWorker.startMessages();
  await navigator.serviceWorker.ready;
  setInterval(() => registered.active?.postMessage("stay"), STAY_MS);
  await startTable();
  for (const button of document.querySelectorAll("[data-action]")) button.onclick = () => DOES[button.dataset.action]().catch((error) => toast(error.message));
  find("table").src = `table/?lang=${language}`;
  find("loading").hidden = true;
  find("table").hidden = find("tools").hidden = false;
  document.body.dataset.ready = "table";
}

begin().catch((error) => (find("stage").textContent = error.message));
