// A move is a walk: a piece goes its way over the board step by step, and what it takes goes to the tray.

import { element } from "./board.js";

const STEP_MS = 110;
const LANDING_MS = 90;
const SLIDE_MS = 420;
const CRUSH_MS = 380;
const SAMPLES = 8; // poses of a step, between which the browser draws straight on
const MOST_WAITING = 1; // walks that wait; where there are more, the one under way is cut short
const FARTHEST_STEP = 1.9; // in squares: what goes farther at once leaps there
const still = matchMedia("(prefers-reduced-motion: reduce)");

/** Whether nothing is to move: as the visitor has asked of the device, or because nobody looks. */
export const isStill = () => still.matches || document.hidden;

/**
 * Shows on a board what stands there, one scene after another. What it draws runs behind the truth
 * by the scenes under way, and each piece is drawn once at every moment.
 *
 * A walk is {path, letter, taken, standing}: `standing` is what stands once it has landed. Its
 * `taken` piece leaves the end for the tray, is crushed there where the walk `crushes`, or stays
 * to fight where it `fights`; `returned` comes out of the tray to the start again; a walk that
 * `isCarried` has been made by a hand already. A fight that is won is {square, loser, standing}.
 * Either waits for its `pause`, in milliseconds, and tells when it is `placed`, and `landed`.
 */
export class Walks {
  constructor(board) {
    this.board = board;
    this.waiting = [];
    this.going = null;
    this.tells = () => {};
  }

  /** Show these scenes and then what stands; resolves when the last of them is over. */
  show(standing, scenes = []) {
    this.waiting = this.waiting.filter(isScene); // what only stood is stood over
    const all = [...scenes, { standing }];
    const landed = new Promise((resolve) => (all.at(-1).landed = resolve));
    this.waiting.push(...all);
    if (!this.going) this.#goOn();
    else if (this.waiting.filter(isScene).length > MOST_WAITING) this.#land();
    return landed;
  }

  /** Resolves when nothing is under way any more. */
  rest() {
    if (!this.going) return Promise.resolve();
    return new Promise((resolve) => this.waiting.push({ standing: this.waiting.at(-1)?.standing ?? this.going.scene.standing, landed: resolve }));
  }

  /** Cut everything short: the board is about to be drawn anew. */
  clear() {
    const scenes = [this.going?.scene, ...this.waiting].filter(Boolean);
    this.waiting = [];
    this.going?.end();
    this.going = null;
    for (const scene of scenes) scene.landed?.();
  }

  #goOn() {
    while (!this.going && this.waiting.length) {
      const scene = this.waiting.shift();
      if (scene.pause && !isStill()) this.#wait(scene);
      else if (!this.#begin(scene)) scene.landed?.();
    }
  }

  /** Let a scene wait for its pause; where it is cut short, it is over. */
  #wait(scene) {
    const timer = setTimeout(() => {
      this.going = null;
      if (this.#begin(scene)) return;
      scene.landed?.();
      this.#goOn();
    }, scene.pause);
    this.going = {
      scene,
      end: () => clearTimeout(timer),
      arrive: () => this.#set(scene),
    };
  }

  #set(scene) {
    this.#place(scene.standing);
    scene.placed?.();
  }

  #place(standing) {
    for (const [name, square] of this.board.squares) {
      const letter = standing[name] ?? null;
      if (letter === square.drawn) continue;
      square.drawn = letter;
      square.piece.replaceChildren(...(letter ? [this.board.pieceFor(letter, square.room)] : []));
    }
  }

  /** Begin a scene; returns whether its end is to be waited for. */
  #begin(scene) {
    this.#set(scene);
    const { squares } = this.board;
    if (scene.loser && !isStill()) this.slide(scene.loser, squares.get(scene.square));
    const way = (scene.path ?? []).map((name) => squares.get(name)).filter(Boolean);
    const end = way.at(-1);
    if (way.length < 2 || !scene.letter) return false;
    if (scene.isCarried || isStill()) {
      this.#arrive(scene, end);
      return false;
    }
    const victim = scene.taken ? this.#put("victim", end, scene.taken) : null;
    const flies = scene.flies ?? isFlier(scene.letter);
    const shadow = flies ? this.#put("walk-shadow", end, element("ellipse", { rx: end.room * 0.8, ry: end.room * 0.5 })) : null;
    const walker = this.#put("walker", end, scene.letter);
    end.piece.style.visibility = "hidden";
    const poses = posesOf(way, this.board.data.is_disk, flies, (...place) => this.#at(end, ...place));
    const timing = { duration: STEP_MS * poses.steps + LANDING_MS, fill: "both" };
    const run = walker.animate(poses.body, timing);
    shadow?.animate(poses.shadow, timing);
    const timers = flies ? [] : Array.from({ length: poses.steps - 1 }, (_, at) => setTimeout(() => this.tells("step"), STEP_MS * (at + 1)));
    run.onfinish = () => this.#land();
    if (scene.returned) this.#comeBack(scene.returned, way[0]);
    this.going = {
      scene,
      end: () => {
        run.onfinish = null;
        for (const timer of timers) clearTimeout(timer);
        for (const each of [walker, shadow, victim]) each?.remove();
        end.piece.style.visibility = "";
      },
      arrive: () => this.#arrive(scene, end),
    };
    return true;
  }

  /** The piece under way is where it goes; the next one sets out. */
  #land() {
    const { scene, end, arrive } = this.going;
    end();
    arrive();
    this.going = null;
    scene.landed?.();
    this.#goOn();
  }

  /** Let what was taken leave, and tell how the walk has ended. */
  #arrive({ taken, crushes, fights }, end) {
    if (!taken) this.tells("land");
    else if (fights) this.tells("fight");
    else this.tells(crushes ? "crush" : "capture");
    if (!taken || fights || isStill()) return;
    if (crushes) this.#crush(taken, end);
    else this.slide(taken, end);
  }

  /** Put a piece by its letter, or another drawing about (0, 0), into the air over a square. */
  #put(kind, square, what) {
    const wide = 2 * square.room;
    const made = element("svg", { class: kind, viewBox: `${-wide / 2} ${-wide / 2} ${wide} ${wide}` }, typeof what === "string" ? this.board.pieceFor(what, square.room) : what);
    Object.assign(made.style, { width: this.#part(wide), height: this.#part(wide), transform: this.#at(square) });
    this.board.air.append(made);
    return made;
  }

  /** The place of what is in the air over a square: so far from its middle, and so large. */
  #at({ middle, room }, x = 0, y = 0, ...size) {
    const [left, top] = [middle[0] + x, middle[1] + y].map((each) => this.#part(each + this.board.beside - room));
    return `translate(${left}, ${top}) scale(${size.length ? size : 1})`;
  }

  /** A length of the drawing as the page has it: a part of the board's width. */
  #part(length) {
    return `${((100 * length) / (1000 + 2 * this.board.beside)).toFixed(3)}cqw`;
  }

  /** Let a piece slide from its square to the tray of who has taken it, or fade where there is none. */
  slide(letter, square) {
    const tray = this.#trayFor(letter);
    const gone = this.#put("victim", square, letter);
    const [x, y] = tray ? [tray.x - square.middle[0], tray.y - square.middle[1]] : [0, 0];
    const size = tray ? tray.radius / square.room : 0.5;
    const run = gone.animate([
      { transform: this.#at(square), opacity: 1 },
      { transform: this.#at(square, 0.75 * x, 0.75 * y, 0.4 + 0.6 * size), opacity: tray ? 1 : 0.4, offset: 0.7 },
      { transform: this.#at(square, x, y, size), opacity: 0 },
    ], { duration: SLIDE_MS, easing: "cubic-bezier(.3,.1,.3,1)" });
    run.onfinish = run.oncancel = () => gone.remove();
  }

  #comeBack(letter, square) {
    const tray = this.#trayFor(letter);
    const [x, y] = tray ? [tray.x - square.middle[0], tray.y - square.middle[1]] : [0, 0];
    const from = { transform: `translate(${x}px, ${y}px) scale(${tray ? tray.radius / square.room : 0.5})`, opacity: 0 };
    square.piece.firstChild?.animate([from, { transform: "none", opacity: 1 }], { duration: SLIDE_MS, easing: "ease-out" });
  }

  #crush(letter, square) {
    const fades = (thing, from, opacity, to) => {
      const run = thing.animate([{ transform: this.#at(square, ...from), opacity }, { transform: this.#at(square, ...to), opacity: 0 }], { duration: CRUSH_MS, easing: "ease-out", fill: "both" });
      run.onfinish = run.oncancel = () => thing.remove();
    };
    fades(this.#put("dust", square, element("circle", { r: square.room })), [0, 0, 0.8], 0.9, [0, 0, 1.9]);
    fades(this.#put("victim", square, letter), [0, 0, 1, 1], 1, [0, 0.5 * square.room, 1.35, 0.2]);
  }

  /** Where the next taken piece lies in the tray of the side that took it, in the drawing's own measure. */
  #trayFor(letter) {
    const taker = letter === letter.toUpperCase() ? "orange" : "black";
    const tray = document.querySelector(`[data-side="${taker}"] .taken`);
    const box = tray?.getBoundingClientRect();
    const matrix = this.board.svg.getScreenCTM();
    if (!box?.height || !matrix) return null;
    const last = tray.lastElementChild?.getBoundingClientRect();
    const [left, top] = last ? [last.right, last.top + last.height / 2] : [box.right - box.height / 2, box.top + box.height / 2];
    const { x, y } = new DOMPoint(left, top).matrixTransform(matrix.inverse());
    return { x, y, radius: (last?.height ?? box.height) / 2 / matrix.a };
  }
}

const isScene = (scene) => Boolean(scene.path || scene.loser);

export const isFlier = (letter) => letter.toUpperCase() === "F";

/**
 * A piece's way over these squares: in how many `steps`, and how it lies `at` a part of the time:
 * {x, y, height, size}, the height over the board in radii of the piece.
 */
export function wayOver(way, isDisk, flies) {
  const [start, end] = [way[0], way.at(-1)];
  const legs = way.slice(1).map((to, at) => legBetween(way[at].middle, to.middle, isDisk && way.length > 2));
  const isLeap = flies || legs.some(({ length }) => length > FARTHEST_STEP * 100);
  const steps = way.length === 2 && isLeap ? Math.min(5, Math.max(2, Math.round(legs[0].length / 100))) : legs.length;
  const at = (part) => {
    const [x, y] = along(legs, isLeap ? smooth(part) : stepwise(part, legs.length));
    const height = isLeap ? 1.1 * Math.sin(Math.PI * part) : 0.09 * Math.abs(Math.sin(Math.PI * part * legs.length));
    const size = (start.room + (end.room - start.room) * part) / end.room * (1 + 0.28 * height);
    return { x, y, height, size };
  };
  return { steps, at };
}

/** The same as poses between which a browser moves a piece, and its shadow; `at(x, y, size)` is a place so far from the way's end. */
function posesOf(way, isDisk, flies, at) {
  const { room, middle } = way.at(-1);
  const { steps, at: lies } = wayOver(way, isDisk, flies);
  const share = (STEP_MS * steps) / (STEP_MS * steps + LANDING_MS); // of the time; then it settles
  const [body, shadow] = [[], []];
  const count = SAMPLES * steps;
  for (let each = 0; each <= count; each++) {
    const { x, y, height, size } = lies(each / count);
    const [left, top] = [x - middle[0], y - middle[1]];
    const offset = (each / count) * share;
    body.push({ offset, transform: at(left, top - 0.6 * height * room, size.toFixed(3)) });
    shadow.push({ offset, opacity: 0.35 * Math.min(1, height), transform: at(left + 0.25 * height * room, top + 0.3 * room, (1 - 0.2 * height).toFixed(3)) });
  }
  // It settles with a little weight.
  body.push({ offset: share + (1 - share) * 0.45, transform: at(0, 0, 0.965) }, { offset: 1, transform: at(0, 0, 1) });
  shadow.push({ ...shadow.at(-1), offset: 1, opacity: 0 });
  return { body, shadow, steps };
}

/** The way between two middles; over a disk's centre it bends there. */
function legBetween([a, b], [c, d], bends) {
  const length = Math.hypot(c - a, d - b);
  if (!bends || length <= 240) return { length, at: (part) => [a + (c - a) * part, b + (d - b) * part] };
  const bow = (from, to, part) => (1 - part) ** 2 * from + 2 * part * (1 - part) * 500 + part ** 2 * to;
  return { length: 0.75 * length, at: (part) => [bow(a, c, part), bow(b, d, part)] };
}

function along(legs, part) {
  const place = Math.min(part * legs.length, legs.length - 1e-9);
  const at = Math.floor(place);
  return legs[at].at(place - at);
}

const smooth = (part) => part * part * (3 - 2 * part);

/** Each step is begun and ended a little slower than it is gone. */
function stepwise(part, steps) {
  const place = Math.min(part * steps, steps - 1e-9);
  const at = Math.floor(place);
  return (at + 0.45 * (place - at) + 0.55 * smooth(place - at)) / steps;
}
