// The line to the table: what it shows comes in by itself, what is asked goes out with a token.

import { inWords } from "./sentences.js";

const KEPT_PIN = "jetan.pin";
const SHOWN_MS = 1000;
const MOST_PATIENT_S = 10; // nobody is told of a wait that is no longer
let lastId = "";
let waiting = []; // [event id, resolve] of those who wait until they see it
let token = null;
let askPin = async () => null;
let onWait = () => {};
let ahead = 0; // seconds by which the table clock is ahead of this page's

/** The time on the table clock, in seconds. */
export const tableNow = () => performance.now() / 1000 + ahead;

/** Let `tell()` be called where something asked is not done yet, but will be. */
export function onWaiting(tell) {
  onWait = tell;
}

/** Let `ask(wrong)` be called where a PIN is needed; it returns one, or null. */
export function onPin(ask) {
  askPin = ask;
}

/** Follow the table: `tell(state, changed)` with every state, `alive(bool)` with the line's. */
export function follow(tell, alive) {
  let state = null;
  const source = new EventSource("/events");
  for (const kind of ["state", "change"]) {
    source.addEventListener(kind, (event) => {
      const changed = JSON.parse(event.data);
      state = kind === "state" ? changed : { ...state, ...changed };
      lastId = event.lastEventId;
      alive(true);
      tell(state, new Set(Object.keys(changed)));
      waiting = waiting.filter(([id, resolve]) => !isShown(id) || resolve());
    });
  }
  source.addEventListener("time", (event) => {
    ahead = JSON.parse(event.data).now - performance.now() / 1000;
  });
  source.onopen = () => alive(true);
  source.onerror = () => {
    alive(false);
    // A browser gives up where the answer is no event stream, as from a table that is full.
    // It keeps a place for who knows the PIN.
    if (source.readyState === EventSource.CLOSED) {
      if (!token && sessionStorage.getItem(KEPT_PIN)) enter();
      setTimeout(() => follow(tell, alive), 2000);
    }
  };
}

/** Whether the event of this id, or a later one, has come. */
function isShown(id) {
  const [epoch, number] = parts(id);
  const [ours, latest] = parts(lastId);
  return epoch !== ours || latest >= number;
}

function parts(id) {
  const at = id.lastIndexOf("-");
  return [id.slice(0, at), Number(id.slice(at + 1))];
}

/** Wait until an event is shown; not for ever, for the line may be lost. */
function shown(id) {
  if (isShown(id)) return Promise.resolve();
  return new Promise((resolve) => {
    waiting.push([id, resolve]);
    setTimeout(resolve, SHOWN_MS);
  });
}

/** Read a document; an Error says why not. */
export async function read(path) {
  const response = await fetch(path);
  const told = await response.json();
  if (!response.ok) throw new Error(refusedIn(told));
  return told;
}

/** What the table refuses, in the page's language where it knows it. */
function refusedIn(told) {
  return inWords(told.said) || told.refused;
}

/** The PIN that came with the address is kept for this visit, and leaves the address. */
export function takePinFromAddress() {
  const found = /[#&]pin=([^&]+)/.exec(location.hash);
  if (!found) return;
  sessionStorage.setItem(KEPT_PIN, decodeURIComponent(found[1]));
  history.replaceState(null, "", location.pathname + location.search + location.hash.replace(found[0], ""));
}

/** Ask something of the table; returns what it says once it is shown, null without the PIN. */
export async function ask(request) {
  const told = await tell("/api/do", request);
  if (told === null) return null;
  await shown(told.at);
  if (told.waits) onWait();
  return told.said.map(inWords);
}

/** Fetch what only who knows the PIN may see; null without the PIN. */
export async function fetchKnown(path) {
  const get = () => fetch(path, { headers: { authorization: `Bearer ${token}` }, cache: "no-store" });
  let response = token ? await get() : null;
  if (!response || response.status === 401) {
    if (!(await enter())) return null;
    response = await get();
  }
  if (!response.ok) throw new Error(refusedIn(await response.json()));
  return response;
}

/** Tell what only who knows the PIN may tell, at another door than the table's; null without it. */
export async function tell(path, told) {
  let response = token ? await post(path, told) : null;
  if (!response || response.status === 401) {
    if (!(await enter())) return null;
    response = await post(path, told);
  }
  const answered = await response.json();
  if (!response.ok) throw new Error(refusedIn(answered));
  return { ...answered, waits: response.status === 202 };
}

/** Change the PIN for a token, asking people until it is right or they give up. */
async function enter() {
  let pin = sessionStorage.getItem(KEPT_PIN) ?? ""; // this machine's own browser needs none
  let wrong = "";
  for (;;) {
    pin ??= await askPin(wrong);
    if (pin === null) return false;
    const response = await post("/api/token", { pin });
    const told = await response.json();
    if (response.ok) {
      token = told.token;
      if (pin) sessionStorage.setItem(KEPT_PIN, pin);
      return true;
    }
    const waitS = Number(response.headers.get("retry-after") ?? Infinity);
    if (pin && response.status === 429 && waitS <= MOST_PATIENT_S) {
      await new Promise((resolve) => setTimeout(resolve, waitS * 1000)); // others are guessing
      continue;
    }
    wrong = pin ? refusedIn(told) : "";
    sessionStorage.removeItem(KEPT_PIN);
    pin = null;
  }
}

function post(path, told) {
  const headers = { "content-type": "application/json" };
  if (token) headers.authorization = `Bearer ${token}`;
  return fetch(path, { method: "POST", headers, body: JSON.stringify(told) });
}
