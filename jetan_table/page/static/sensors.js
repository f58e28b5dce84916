// The board as its sensors see it: a square for each switch, what is known of it, a report.

import { offerCamera } from "./camera.js";
import { askPin } from "./dialogs.js";
import { find, make } from "./elements.js";
import { ask, onPin, read, takePinFromAddress } from "./link.js";
import { _, language, say, speakAsAsked } from "./sentences.js";

const AGAIN_MS = 500;
const FILES = [..."abcdefghij"];
const RANKS = [10, 9, 8, 7, 6, 5, 4, 3, 2, 1];
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
const WHO = { empty: _("empty"), something: _("unknown piece"), black: _("Black"), orange: _("Orange"), juggernaut: _("Juggernaut") };
const SURE = 0.9; // a belief below this is shown as doubtful
const buttons = new Map();
let seen = null;
let chosen = "a1";

function lay() {
  RANKS.forEach((rank, row) => FILES.forEach((file, column) => {
    const square = `${file}${rank}`;
    const button = make("button", { type: "button", onclick: () => tap(square), onkeydown: (event) => step(event, column, row) }, square);
    buttons.set(square, button);
    find("squares").append(button);
  }));
}

/** Arrow keys go from square to square: a hundred stops of the Tab key were too many. */
function step(event, column, row) {
  const arrow = ARROWS[event.key];
  if (!arrow) return;
  event.preventDefault();
  const file = FILES[column + arrow[0]];
  const rank = RANKS[row + arrow[1]];
  if (!file || !rank) return;
  chosen = `${file}${rank}`;
  draw();
  buttons.get(chosen).focus();
}

async function tap(square) {
  chosen = square;
  draw();
  try {
    await ask({ do: "lamp", square });
  } catch (error) {
    find("trouble").textContent = error.message;
  }
}

function draw() {
  if (!seen) return;
  for (const [square, button] of buttons) {
    const known = seen.squares[square];
    button.dataset.on = String(known.on);
    button.classList.toggle("weak", seen.weak.includes(square));
    button.setAttribute("aria-pressed", String(square === chosen));
    button.tabIndex = square === chosen ? 0 : -1;
    button.textContent = sure(known) ? square : `${square}?`;
    button.setAttribute("aria-label", `${square}: ${stateOf(known)}`);
  }
  find("chosen").textContent = `${chosen}: ${stateOf(seen.squares[chosen])}`;
  find("facts").replaceChildren(...factsOf(seen.squares[chosen]).flatMap(([word, value]) => [make("dt.quiet", {}, word), make("dd", {}, value)]));
  const { hz, wanted_hz: wanted, rare_ms: rare, latest_ms: latest } = seen.looks;
  find("screen").hidden = wanted !== null;
  find("looks").textContent = wanted !== null && hz !== null ? say("The table looks at the board {hz} times a second, of {wanted}; one look in 100 is {rare} ms late, and the worst was {latest} ms late.", { hz, wanted, rare, latest }) : "";
  find("weak").textContent = seen.weak.length ? say("Weak switches, which opened under a piece: {squares}.", { squares: seen.weak.join(", ") }) : say("No switch has opened under a piece.");
  find("trouble").textContent = seen.troubles.join(" ");
}

const sure = (known) => !known.belief || Math.max(known.belief[0], 1 - known.belief[0]) >= SURE;
// Translators: a switch under the board, closed by a piece
const stateOf = (known) => say(known.on === null ? _("not seen") : known.on ? _("closed") : _("open"));

function factsOf(known) {
  // Translators: how often a switch opened or closed
  const facts = [[say("Changes"), String(known.changes)]];
  if (known.ago_s !== null) facts.push([say("Last change"), say("{seconds} s ago", { seconds: known.ago_s })]);
  facts.push([say("Dropouts"), known.blinks ? `${known.blinks} × ≤ ${known.longest_blink_ms} ms` : "0"]);
  facts.push([say("Bounces"), known.longest_bounce_ms === null ? String(known.bounces) : `${known.bounces} × ≤ ${known.longest_bounce_ms} ms`]);
  if (known.placed) facts.push([say("Over all games"), say("missed {missed} of {placed} pieces", known)]);
  if (known.ghosts) facts.push([say("Over all games"), say("closed while empty: {ghosts} times in {empty_h} hours", known)]);
  if (known.belief) {
    const [empty, ...sides] = known.belief;
    const isBlind = sides[0] === sides[1]; // a switch tells no side from the other
    const shares = isBlind ? { empty, something: 1 - empty } : { empty, black: sides[0], orange: sides[1], juggernaut: sides[2] };
    facts.push([say("Estimate"), Object.entries(shares).map(([who, share]) => `${say(WHO[who])} ${Math.round(100 * share)} %`).join(", ")]);
  }
  return facts;
}

async function refresh() {
  try {
    seen = await read(`/api/sensors?lang=${language}`);
    draw();
  } catch (error) {
    find("trouble").textContent = error.message;
  }
}

async function begin() {
  takePinFromAddress();
  onPin(askPin);
  lay();
  const about = await read("/api/about");
  await speakAsAsked(about, JSON.parse(localStorage.getItem("jetan.settings") ?? "{}").language);
  offerCamera(about);
  await refresh();
  setInterval(refresh, AGAIN_MS);
}

begin();
