// Joins the page: the table's state goes to board, lamps, words and moves; people's wishes go back.

import { followAddresses, writeAddress } from "./address.js";
import { chanceShown, drawAnalysis, prepareAnalysis, resumeGame } from "./analysis.js";
import { Arrows } from "./arrows.js";
import { Board, loadPieces } from "./board.js";
import { addCards, drawTouched, openCard } from "./cards.js";
import { drawClocks } from "./clock.js";
import * as dialogs from "./dialogs.js";
import { drawDrama, whenAtRest } from "./drama.js";
import { find, make } from "./elements.js";
import { drawEnd } from "./endcard.js";
import { doerOf, drawFeatures, prepareFeatures } from "./features.js";
import { Hand } from "./hand.js";
import { Lamps } from "./lamps.js";
import * as link from "./link.js";
import { scenesBetween, viewOf } from "./motion.js";
import { Moves, standingOf as standingIn } from "./moves.js";
import { SIDES } from "./names.js";
import { askNew, askOpponent } from "./newgame.js";
import { drawNotices } from "./notices.js";
import { drawBar, drawCounters, drawDie, drawFight, drawSaid, drawThinking, drawTurn, fillTray } from "./panels.js";
import { _, inWords, language, languages, ofBrowser, say, speak } from "./sentences.js";
import { Show } from "./show.js";
import { aloud, play, wantSounds } from "./sound.js";
import { drawLedger, standingOf } from "./stakes.js";
import { Start } from "./start.js";
import { drawStrips } from "./strips.js";
import { prepareTabs, showMoves, showTab } from "./tabs.js";
import { drawTaken } from "./taken.js";
import { drawWatch } from "./watch.js";
import { kindName, linesOf, ownSide, pieceName, plyInWords, readings } from "./words.js";

const SPOILERS = {
  tilt: _("Knock a piece over"), stuck: _("Jam a switch"), dead: _("Break a switch"), weak: _("Weaken a switch"),
  mend: _("Repair a switch"),
};
const GOALS = ["legal", "capture", "advice"]; // marks of squares where a piece may go
const MOST_NAMED = 12; // so many of them are named to ears
const TOAST_MS = 6000;
const MOST_TRIES = 40;
const AGAIN_MS = 250; // so often it is looked whether the table has answered

const kept = JSON.parse(localStorage.getItem("jetan.settings") ?? "{}");
const chosen = { language: null, theme: "auto", sounds: true, speech: false, bar: false, line: false, flipped: false, ...kept };
let state = null;
let about = null;
let standing = null; // of the series that the game belongs to
let past = null; // what is looked at instead of the table
let pointed = { at: null, arrows: [] }; // at what else is pointed, as long as this is looked at
let viewed = null; // what the board was told last, and how it came about
let touched = null; // the letter of the piece that was touched last
let choosing = null; // {kind, from}: the next square touched is about something else
let showsThreats = false;
let toastTimer = null;

const board = new Board(find("board"));
board.walks.tells = (name) => document.body.classList.contains("starting") || play(name);
const lamps = new Lamps(board);
const hand = new Hand({
  board,
  stage: document.querySelector(".stage"),
  held: find("held"),
  ask,
  table: () => (past ? { ...state, hands: null, is_screen: false, asks: null, lifted: [] } : state),
  choose: chooseSquare,
  explain: explainMove,
  complain: toast,
  changed: drawAhead,
});
const arrows = new Arrows({ board, list: find("arrows"), wayOf, tell: (words) => (find("spoken").textContent = words) });
const moves = new Moves({
  list: find("moves"),
  past: find("past"),
  actions: find("past-actions"),
  show: look,
  load: async (request) => (await ask(request)) !== null,
  rulesOf: () => rules(),
});
const enter = (line, at) => moves.enter(line, at).catch((error) => toast(error.message));

const show = new Show({ look, far: find("strip-far"), near: find("strip-near") });
const start = new Start({ box: find("start"), show, ask, state: () => state, about: () => about });

function rules(view = past ?? state) {
  if (!state || !about) return {};
  const [named, ...told] = view.rules.split(",");
  const values = about.presets[named.replace("+juggernaut", "")]?.values ?? {};
  return { ...values, ...Object.fromEntries(told.map((part) => part.split("="))) };
}

let asked = 0; // requests that are under way: nobody is where they lead yet

/** Ask the table; what it refuses is shown, and null returned. */
async function ask(request) {
  asked++;
  try {
    const said = await link.ask(await arbitrated(request));
    if (said !== null && ["lift", "put", "take"].includes(request.do)) play(request.do === "lift" ? "lift" : "put");
    return said;
  } catch (error) {
    play("refusal");
    toast(error instanceof TypeError ? say("no connection to the table, trying again …") : error.message);
    return null;
  } finally {
    asked--;
    drawing.then(place);
  }
}

/** What corrects a tournament game is for the arbiter to ask: with a PIN. */
async function arbitrated(request) {
  const isFree = state.conduct !== "tournament" || state.over !== null;
  const isHis = ["back", "right", "release", "correct", "new"].includes(request.do);
  if (isFree || !isHis || (request.do === "new" && !state.moves.length)) return request;
  const pin = await dialogs.askArbiter();
  return pin ? { do: "arbiter", pin, command: request } : request;
}

function toast(words) {
  find("toast").textContent = words;
  find("toast").hidden = false;
  clearTimeout(toastTimer);
  toastTimer = setTimeout(() => (find("toast").hidden = true), TOAST_MS);
}

// What the table shows

let drawing = Promise.resolve();

function take(told, changed) {
  const before = state;
  state = told;
  // A board that could not be fetched must not keep later states from being drawn.
  drawing = drawing.then(() => draw(before, told, changed)).catch((error) => toast(error.message));
  if (before === null) drawing.then(() => followAddresses((...parts) => goTo(...parts).then(() => drawing), moves.isLive)).then(place);
}

/** Write where we are into the page's address, once nothing is under way; a game without moves is nothing to come back to. */
const place = () => queueMicrotask(() => {
  if (!state || asked) return;
  const names = addressNow();
  writeAddress(names, names[0] === "game" && past === null && !state.moves.length);
});

function addressNow() {
  const { lesson, training, study, game } = state;
  if (start.isShown) return ["start"];
  if (moves.other) return moves.other.place(moves.at);
  if (moves.at !== null) return ["game", game, moves.at];
  if (lesson) return ["lesson", lesson.name];
  if (training?.name) return ["puzzle", training.name];
  return study ? ["study", study.name].filter(Boolean) : ["game", game];
}

/** Go to an address of the page, as `writeAddress` writes it; without one, to where a visitor begins. */
async function goTo(kind, name, ...more) {
  const { lesson, training, study } = state;
  if (!kind) return start.offer();
  if (kind === "start") return start.open();
  start.hide();
  const at = (count) => (more.length && !Number.isNaN(Number(more.at(-1))) ? Number(more.at(-1)) : count);
  const isExercise = lesson || training;
  try {
    if (kind === "game" && isExercise && !more.length && Number(name) !== state.game) return await ask({ do: "leave" });
    if (kind === "game" && study && !more.length) await ask({ do: "study", is_wanted: false });
    if (kind === "game" && Number(name) === state.game) return more.length ? moves.go(at()) : moves.live();
    if (kind === "game") return await view({ game: Number(name) }, at());
    if (kind === "saved") return await view({ name }, at());
    if (kind === "position") {
      const [text] = more;
      return moves.look(say("Position"), await link.read(`/api/line?${new URLSearchParams({ rules: name, position: text })}`), { do: "new", rules: name, position: text }, 0);
    }
    moves.live();
    if (kind === "puzzle" && training?.name !== name) {
      const isProved = name.startsWith("proved-");
      return await ask({ do: "puzzle", number: Number(name.replace("proved-", "")), is_proved: isProved });
    }
    if (kind === "lesson" && lesson?.name !== name) return await ask({ do: "learn", lesson: name });
    if (kind === "study" && study?.name !== (name ?? "")) return await ask({ do: "study", is_wanted: true, ...(name && { name }) });
  } catch (error) {
    toast(error.message);
  }
}

/** Look at a game that is kept or saved. */
async function view({ game, name }, plies, title = name ?? String(game)) {
  const document = await link.read(game ? `/api/games/${game}` : `/api/saved/${encodeURIComponent(name)}`);
  moves.look(title, document, game ? { game } : { name }, plies);
}

/** The way a piece goes from a square to another, where that is known; else straight there. */
async function wayOf(from, to) {
  if (past || !state.helps || !board.standing[from]) return [from, to];
  const { path } = await link.read(`/api/explain?from=${from}&to=${to}&lang=${language}`).catch(() => ({ path: [] }));
  return path.length > 1 && path[0] === from && path.at(-1) === to ? path : [from, to];
}

/** Show what is told ahead: the piece, and the way it is to go. */
function drawAhead() {
  const { isAhead, ahead, from } = hand.pick;
  for (const [name, { group }] of board.squares) group.classList.toggle("ahead-from", isAhead && name === from);
  drawArrows();
  if (isAhead && (ahead || from)) find("spoken").textContent = ahead ? arrows.words({ kind: "ahead", path: [ahead.from, ahead.to] }) : say("{piece} lifted.", { piece: kindName(state.standing[from], rules()) });
}

/** Point at moves, {kind, path} each, as long as what is looked at stays. */
function point(these) {
  pointed = { at: past ?? state.position, arrows: these };
  drawArrows();
}

function drawArrows() {
  const { ahead } = hand.pick;
  const wanted = (past ?? state).arrows ?? (past?.next ? [{ kind: "line", path: past.next }] : []);
  const shown = wanted.filter(({ kind }) => kind !== "threat" || showsThreats);
  if (pointed.at === (past ?? state.position)) shown.push(...pointed.arrows);
  arrows.show([...shown, ...(ahead && !past ? [{ kind: "ahead", path: [ahead.from, ahead.to] }] : [])], rules());
}

async function draw(before, shown, changed) {
  if (before === null) moves.follow(shown, changed);
  await board.show((past ?? state).board, isFlipped());
  const hasMoved = changed.has("last_path") && before !== null;
  drawBoard(hasMoved);
  if (before === null || changed.has("is_screen")) showTab(state.hands ? "table" : "moves");
  if (before && before.game !== state.game) forget();
  if (before && (before.game !== state.game || state.lesson || state.training)) start.hide();
  if (isPick(changed)) hand.refresh();
  else drawHands();
  hand.pick.turn();
  place();
  if (before) drawDrama(before, shown, rules());
  whenAtRest(() => drawTold(before, shown, changed));
  if (changed.has("game") || changed.has("over")) await refreshStanding();
  Object.assign(document.body.dataset, { ready: state.game, phase: state.phase });
}

/** Whether a piece was lifted or put back, and no more: that changes marks on the board, and nothing beside it. */
const isPick = (changed) => [...changed].every((each) => ["lifted", "cues"].includes(each));

/** Draw and say what dice may have decided, as a state has it. */
function drawTold(before, shown, changed) {
  moves.follow(shown, changed);
  if (isPick(changed)) drawCard();
  else drawWords(shown);
  drawEnd(shown, before?.game === shown.game && before.over === null, () => board.walks.rest());
  if (changed.has("over")) drawAnalysis(shown);
  if (["die", "standing", "over"].some((each) => changed.has(each))) drawDie(shown);
  if (changed.has("fight") || changed.has("is_screen")) drawFight(shown, rules());
  if (before && changed.has("moves")) tellPly(before, shown);
  if (before && changed.has("cues")) tellLifted(before, shown);
  if (before && changed.has("asks") && shown.asks) play("asks");
  if (before && changed.has("said") && chosen.speech) tellSaid(before, shown);
}

function drawBoard(hasMoved = false) {
  const view = past ?? state;
  if (view.board !== board.name) return; // its board is on its way, and it is drawn then
  const cues = past ? {} : state.cues;
  const [before, after] = [viewed, past ? { ...past, isPast: true } : viewOf(state)];
  const isShown = before !== null && (past !== null || state.is_screen);
  const scenes = isShown ? scenesBetween({ ...before, standing: board.standing }, after) : [];
  board.setPieces(after.standing, hand.walksAfter(scenes)).then(() => drawTaken((past ?? state).taken ?? ""));
  viewed = after;
  board.setMarks(cues, new Set(showsThreats && !past ? state.threats : []), rules(), past ? null : doerOf("star")?.(state));
  // A board on the screen has no lamps: its marks say all, and more quietly.
  board.svg.classList.toggle("quiet", past !== null || state.is_screen);
  lamps.show(state.is_screen ? {} : cues, about.palettes[state.palette], state.brightness);
  board.setPath(past ? past.path : hasMoved ? state.last_path : [], hasMoved || past?.isShow);
  board.svg.classList.toggle("past", past !== null && !past.isShow);
  if (hasMoved) arrows.clear();
  drawArrows();
}

/** What was shown of another game is none of this one's. */
function forget() {
  showsThreats = false;
  find("do-threats").setAttribute("aria-pressed", "false");
  if (choosing) choose(choosing.kind);
  find("toast").hidden = true;
  arrows.clear();
  hand.pick.ahead = hand.pick.from = null;
  find("last-word").textContent = "";
  moves.live();
}

function drawWords(shown = state) {
  drawPlayers(shown);
  drawTurn(shown);
  find("note").textContent = noteNow();
  drawSaid(shown, ask);
  drawCard();
  drawWatch(shown, ask);
  drawNotices(shown, ask);
  drawFeatures(shown).catch((error) => toast(error.message));
  drawCounters(shown, rules(), past?.other);
  drawLedger(shown, standing);
  drawThinking(shown, chosen.line, enter);
  drawChances();
  drawClocks(shown, ask, (words) => (find("spoken").textContent = words));
}

/** The bar of chances: of the move that is looked at, of a study, or as the opponent thinks, where that is wanted. */
function drawChances() {
  const thinks = chosen.bar ? state.opponent?.thinks?.chance : null;
  drawBar((past ? chanceShown() : state.study?.best[0]?.chance ?? thinks) ?? null);
}

/** Show beside the moves how the piece goes that was touched last; where a hint or a lesson is about one, that. */
function drawCard() {
  const view = past ?? state;
  find("moves-card").tabIndex = state.moves.length ? -1 : 0; // keys scroll it where nothing in it takes them
  const advised = past ? [] : [...Object.keys(state.cues).filter((name) => state.cues[name] === "advice"), state.lesson?.wanted[0]];
  const [letter] = advised.map((name) => state.standing[name]).filter(Boolean);
  drawTouched(letter ?? touched, view.rules, isFlipped()).catch((error) => toast(error.message));
}

function drawPlayers(shown = state) {
  const mayEscape = past || rules().escape === "none" ? [] : shown.escapes;
  drawStrips(past?.other ?? shown, isFlipped(), mayEscape);
}

/** What the marks on the board mean that people have asked for. */
const noteNow = () => (showsThreats && !past ? say("Red corners mark where the Princess of the side to move could be taken.") : "");

function drawHands() {
  for (const what of ["draw", "resign"]) find(`do-${what}`).hidden = state.over !== null;
  find("do-back").disabled = !state.moves.length;
  find("do-roll").disabled = !state.die?.is_due;
  find("simulates").hidden = !state.may_simulate;
  find("do-simulate").checked = !state.is_screen;
  if (state.hands) find("machine").open = true;
  find("open-start").disabled = !state.is_screen;
  find("open-standing").hidden = state.is_screen;
  document.body.classList.toggle("on-screen", state.is_screen);
  const hands = past ? null : state.hands;
  find("trays").hidden = hands === null;
  find("sim-card").hidden = state.hands === null;
  find("typed-card").hidden = !state.is_typed || state.is_screen;
  find("open-opponent").hidden = !state.may_invite;
  find("do-hint").hidden = !state.may_hint || state.over !== null;
  find("do-why").hidden = state.over !== null;
  find("do-adjust").hidden = state.conduct === "friendly" || state.over !== null;
  find("do-why").disabled = find("do-threats").disabled = !state.helps;
  if (hands) {
    const choosePiece = (letter) => {
      hand.choosePiece(letter);
      drawHands();
    };
    fillTray(find("in-hand"), hands.in_hand, say("nothing"), hand.letter, rules(), choosePiece);
    fillTray(find("in-box"), hands.box, say("Pieces that leave the board go here"), hand.letter, rules(), choosePiece);
  }
  hand.refresh();
}

/** Ask anew how the series stands, which a game changes by its beginning and its end. */
async function refreshStanding() {
  standing = await standingOf(state).catch(() => null);
  drawLedger(state, standing);
}

/** Tell a new ply to ears: a reader of the screen, and aloud where that is wanted. */
function tellPly(before, state) {
  if (state.moves.length <= before.moves.length || state.game !== before.game) return;
  const number = state.first_number + state.moves.length - 1;
  const words = `${say(number % 2 ? _("Black") : _("Orange"))}: ${plyInWords(state.moves.at(-1), rules())}`;
  find("spoken").textContent = words;
  if (!state.is_screen) play("land"); // on a screen its walk sounds
  if (chosen.speech) aloud(words, language);
}

/** Tell what is lifted anew, and where it may go by its marks, to a reader of the screen. */
function tellLifted(before, { lifted, cues, position, side, helps }) {
  const [square] = lifted;
  if (lifted.length !== 1 || cues[square] !== "lifted" || ["lifted", "seen"].includes(before.cues[square])) return;
  const there = standingIn(position.split(" ")[0]);
  const ends = Object.keys(cues).filter((name) => name !== square && GOALS.includes(cues[name]));
  const squares = ends.map((name) => (there[name] ? `${name} (${pieceName(there[name], rules())})` : name)).join(", ");
  const many = ends.length > MOST_NAMED ? _("{piece} lifted: {count} squares.") : _("{piece} lifted: {count} squares, {squares}.");
  const counted = { 0: _("{piece} lifted: it may go nowhere."), 1: _("{piece} lifted: one square, {squares}.") }[ends.length] ?? many;
  const words = helps && sideOn(square) === side ? counted : _("{piece} lifted.");
  find("spoken").textContent = say(words, { piece: kindName(there[square] ?? "?", rules()), count: ends.length, squares });
}

/** Say aloud what the table says anew, but not whose turn it is: that is seen. */
function tellSaid(before, state) {
  const known = new Set([...linesOf(before), ...["black", "orange"].map((side) => say("{side} to move.", { side: say(SIDES[side]) }))]);
  const told = linesOf(state).filter((words) => !known.has(words));
  if (told.length && !state.lifted.length) aloud(told.join(" "), language);
}

/** Look at a past ply, or at the table again. */
async function look(at) {
  if (at && !at.isShow) start.hide();
  const wasReviewing = Boolean(past?.other);
  past = at;
  document.body.classList.toggle("reviewing", Boolean(past?.other));
  await board.show((past ?? state).board, isFlipped());
  drawBoard();
  drawHands();
  document.body.classList.toggle("past-shown", past !== null && !past.isShow);
  find("past").textContent = past?.said ?? "";
  if (past?.other && !wasReviewing) showTab("analysis");
  else if (past && !past.isShow) showMoves();
  drawCounters(state, rules(), past?.other);
  drawPlayers();
  drawAnalysis(state);
  drawChances();
  place();
}

// Squares that are chosen for something

function choose(kind) {
  choosing = choosing?.kind === kind ? null : { kind, from: null };
  const isWhy = choosing?.kind === "why";
  if (choosing) toast(isWhy ? say("Pick a piece.") : say("{what}: choose a square (Escape: none).", { what: say(SPOILERS[kind]) }));
  find("do-why").setAttribute("aria-pressed", isWhy);
  for (const name of Object.keys(SPOILERS)) find(`spoil-${name}`).setAttribute("aria-pressed", choosing?.kind === name);
  board.svg.classList.toggle("choosing", choosing !== null);
}

function chooseSquare(square) {
  if (!choosing) return isWaitedFor(square);
  const { kind, from } = choosing;
  if (kind === "why" && from === null && sideOn(square) === state.side) {
    choosing.from = square;
    toast(say("Pick a square to ask about.", { square }));
    return true;
  }
  choose(kind);
  find("toast").hidden = true;
  if (kind === "why") explainMove(from ?? square, square);
  else if (kind === "tilt") ask({ do: "tilt", square });
  else ask({ do: "ail", square, fault: kind === "mend" ? null : kind });
  return true;
}

/** Whose piece stands on a square by the game; null where nobody's does. */
function sideOn(square) {
  const letter = standingIn(state.position.split(" ")[0])[square] ?? "*";
  return letter === "*" ? null : letter === letter.toUpperCase() ? "black" : "orange";
}

/** Say what is waited for where a piece on the screen cannot be moved yet; returns whether it was said. */
function isWaitedFor(square) {
  if (past || !state.is_screen || state.over || hand.pick.isAhead) return false;
  const isDue = state.die?.is_due || state.opening.due || state.fight;
  const isTheirs = ![null, state.side].includes(sideOn(square));
  if (isDue) toast(inWords(state.said[0]));
  else if (isTheirs && !hand.pick.from) toast(say("{side} to move.", { side: say(SIDES[state.side]) }));
  else return false;
  return true;
}

async function explainMove(from, to) {
  try {
    const told = await link.read(`/api/explain?from=${from}&to=${to}&lang=${language}`);
    toast(told.said);
    board.setPath(told.path, false);
  } catch (error) {
    toast(error.message);
  }
}

// Buttons and keys

/** Ask the table; resolves with why not, null where it was done. */
async function refusalOf(request) {
  try {
    return (await link.ask(await arbitrated(request))) === null ? say("Anyone may watch. To change something, enter the PIN that the table has printed.") : null;
  } catch (error) {
    return error instanceof TypeError ? say("no connection to the table, trying again …") : error.message;
  }
}

async function askAbout(request) {
  if (request) await ask(request);
}

/** The side people speak for: their own one, or who is to move where they have both. */
const speaking = () => ownSide(state) ?? state.side;

/** Who plays Orange alone sits before it, but the way that people have turned the board. */
const isFlipped = () => chosen.flipped !== (!past && state !== null && ownSide(state) === "orange");

async function offerDraw() {
  if (!(await dialogs.confirm(say("Offer a draw?"), say("Play on"), say("Offer a draw")))) return;
  if ((await ask({ do: "offer", side: speaking() })) === null || !state.opponent) return;
  const isWaiting = () => state.offers_draw !== null && !state.over;
  for (let tries = 0; tries < MOST_TRIES && isWaiting(); tries++) await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
  if (!state.over && !isWaiting()) toast(say("The table declines the draw and plays on."));
}

async function resign() {
  const question = ownSide(state) ? say("Resign this game?") : say("Resign this game for {side}?", { side: say(SIDES[state.side]) });
  if (await dialogs.confirm(question, say("Keep playing"), say("Resign"))) await ask({ do: "resign", side: speaking() });
}

/** Go back to the game that was left for an exercise, once the board has it. */
async function resume() {
  await drawing;
  resumeGame();
}

/** What is done once however often it is pressed until the table has answered: dice are thrown once. */
function once(act) {
  let doing = null;
  return () => (doing ??= Promise.resolve(act()).finally(() => (doing = null)));
}

const DOES = {
  adjust: async () => (await ask({ do: "adjust" })) !== null && toast(say("You are only adjusting the pieces you lift now.")),
  back: () => ask({ do: "back" }),
  roll: once(() => ask({ do: "roll" })),
  throw: once(() => state.fight && ask({ do: "duel" })), // its card stays until the dice have fallen
  new: () => askNew(state, refusalOf),
  start: () => (start.isShown ? start.hide() : start.open()),
  simulate: () => ask({ do: "simulate", is_wanted: find("do-simulate").checked }),
  rematch: () => ask({ do: "new" }),
  games: openGames,
  save: saveGame,
  draw: offerDraw,
  resign,
  position: async () => askAbout(await dialogs.askPosition(state, about.exports)),
  standing: () => dialogs.askStanding(state, rules(), (request) => link.ask(request).then(() => null, (error) => error.message)),
  opponent: () => askOpponent(state, refusalOf),
  settings: () => dialogs.showSettings({ ...chosen, language }, state, set),
  help: () => {
    dialogs.showHelp(state, rules(state), about.palettes[state.palette], about.gestures);
    return addCards(document.querySelector("dialog[open] form"), state.rules);
  },
  flip: () => set("flipped", !chosen.flipped),
  hint: () => ask({ do: "hint" }),
  why: () => choose("why"),
  threats: () => {
    showsThreats = !showsThreats;
    find("do-threats").setAttribute("aria-pressed", showsThreats);
    drawBoard();
    drawWords();
  },
};
const KEYS = { b: "back", s: "save", l: "games", n: "new", f: "flip", h: "hint", w: "why", t: "threats", "?": "help" };

/** The letter of the piece that is held, or stands where the keys are; null without one. */
function pieceAtHand() {
  const square = document.activeElement?.dataset?.square;
  const letter = hand.letter ?? (square ? (past ?? state).standing[square] : null);
  return letter && letter !== "?" ? letter : null;
}

async function saveGame() {
  const name = await dialogs.askName();
  if (name && (await ask({ do: "save", name }))) toast(say("Saved as {name}.", { name }));
}

async function openGames() {
  const wanted = await dialogs.askGame();
  if (wanted?.load) {
    if ((await ask({ do: "load", ...wanted.load })) !== null) moves.live();
  } else if (wanted?.look) {
    await view(wanted.look, undefined, wanted.title).catch((error) => toast(error.message));
  }
}

async function set(name, value) {
  if (name === "palette" || name === "brightness") {
    await ask({ do: "light", [name]: value });
    return;
  }
  chosen[name] = value;
  localStorage.setItem("jetan.settings", JSON.stringify(chosen));
  dress();
  if (name === "language") await relabel();
  if (state) drawWords();
  if (name === "flipped") {
    await board.show((past ?? state).board, isFlipped());
    drawBoard();
    drawPlayers();
    drawCard();
  }
}

function dress() {
  document.documentElement.dataset.theme = chosen.theme;
  wantSounds(chosen.sounds);
}

async function relabel() {
  await speak(chosen.language ?? ofBrowser() ?? about.language);
  start.refresh();
  for (const [name, words] of Object.entries(SPOILERS)) find(`spoil-${name}`).textContent = say(words);
  find("shown").placeholder = say("3; or 10, then file and rank: 10,5,6");
  document.title = say("Jetan");
  if (!state) return;
  moves.refresh();
  drawBoard();
  drawWords();
  drawHands();
  drawDie(state);
  drawFight(state, rules());
}

// Not of the drawing itself, which would be a stop of Tab by it.
document.querySelector(".stage").addEventListener("focusin", ({ target }) => {
  const [letter] = (past ?? state)?.standing[target.dataset.square] ?? "";
  if (!letter || letter === "?") return;
  touched = letter;
  drawCard();
});
addEventListener("pointerdown", () => document.body.classList.remove("keys"), true);
addEventListener("keydown", () => document.body.classList.add("keys"), true);
addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || dialogs.isOpen()) return;
  if (event.target instanceof HTMLInputElement || event.target instanceof HTMLSelectElement) return;
  if (event.key === "Escape") {
    if (choosing) choose(choosing.kind);
    else if (!moves.isLive) moves.back();
    else hand.putBack();
  } else if (event.key === "ArrowLeft") moves.step(-1);
  else if (event.key === "ArrowRight") moves.step(1);
  else if (event.key === "Home") moves.go(0);
  else if (event.key === "End") moves.live();
  else if (event.key === "a" && document.activeElement?.dataset?.square) arrows.key(document.activeElement.dataset.square);
  else if (event.key === "?" && pieceAtHand()) openCard(pieceAtHand(), state.rules);
  else if (event.key in KEYS) DOES[KEYS[event.key]]();
  else return;
  event.preventDefault();
});

/** Let a form with one input ask something, and be empty again once it was done. */
function onForm(form, input, request, show = () => {}) {
  find(form).addEventListener("submit", async (event) => {
    event.preventDefault();
    const field = find(input), value = field.value.trim();
    const said = value ? await ask(request(value)) : null;
    if (said === null) return;
    if (field.value.trim() === value) field.value = "";  // what is typed meanwhile stays
    show(said);
  });
}

function prepare() {
  onForm("shown-form", "shown", (shown) => ({ do: "roll", shown }));
  onForm("throw-form", "our-dice", (told) => ({ do: "duel", told }));
  find("attacker-won").onclick = () => ask({ do: "duel", told: "won" });
  find("defender-won").onclick = () => ask({ do: "duel", told: "lost" });
  onForm("number-form", "number", (number) => ({ do: "number", number: Number(number) }));
  for (const name of Object.keys(SPOILERS)) {
    find("spoilers").append(make("button", { id: `spoil-${name}`, "aria-pressed": "false", onclick: () => choose(name) }));
  }
  for (const [name, does] of Object.entries(DOES)) {
    (find(`do-${name}`) ?? find(`open-${name}`)).onclick = does;
  }
  onForm("typed", "line", (line) => ({ do: "type", line }), (said) => {
    find("typed-said").textContent = said.join("\n");
  });
  document.addEventListener("starting", place);
  document.body.classList.toggle("wall", new URLSearchParams(location.search).has("wall"));
}

function showLink(isAlive) {
  const words = say(isAlive ? _("live") : _("no connection to the table, trying again …"));
  if (find("link").textContent === words) return;
  find("link").className = `link ${isAlive ? "alive" : "lost"}`;
  find("link").textContent = words;
  document.body.classList.toggle("away", !isAlive);
}

async function begin() {
  link.takePinFromAddress();
  link.onPin(dialogs.askPin);
  link.onWaiting(() => toast(say("The disk is not ready: this is done as soon as it can be saved.")));
  prepare();
  prepareTabs();
  prepareAnalysis(moves, toast, { enter, point });
  dress();
  about = await link.read("/api/about");
  Object.assign(languages, about.languages);
  Object.assign(readings, about.presets);
  const asked = new URLSearchParams(location.search).get("lang");
  if (asked in languages) chosen.language = asked;
  if (about.has_camera) (await import("./camera.js")).offerCamera(about);
  await prepareFeatures(about.panels, { ask, complain: toast, refusalOf, resume, about, enter, point, state: () => state });
  await Promise.all([relabel(), loadPieces()]);
  link.follow(take, showLink);
}

begin();
