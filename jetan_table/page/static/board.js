// Draws a board from its outlines: squares, pieces, marks and the last ply's path. Knows no game.

import { make } from "./elements.js";
import { read } from "./link.js";
import { CUES } from "./names.js";
import { say } from "./sentences.js";
import { Walks } from "./walk.js";
import { pieceName } from "./words.js";

const SVG = "http://www.w3.org/2000/svg";
const UNIT = 100;
const LARGEST_PIECE = 0.44;
// Below this radius, in board units, a piece shows its letter alone.
const SMALLEST_EMBLEM = 0.25;
// The size of each of two who fight on one square.
const FIGHTER = 0.66;

export function element(name, attributes = {}, ...children) {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
}

/** Bring the drawings of the pieces into the page, where <use> finds them. */
export async function loadPieces() {
  const text = await (await fetch("/pieces.svg")).text();
  const drawings = new DOMParser().parseFromString(text, "image/svg+xml").documentElement;
  drawings.setAttribute("class", "unseen");
  drawings.setAttribute("aria-hidden", "true");
  document.body.prepend(document.adoptNode(drawings));
}

/** A piece about (0, 0) with the radius of its room; small ones show their letter alone. */
export function drawPiece(letter, radius = 50, hasEmblem = true) {
  const side = letter === "*" || letter === "?" ? "neutral" : letter === letter.toUpperCase() ? "black" : "orange";
  const size = 2 * radius;
  const box = { x: -radius, y: -radius, width: size, height: size };
  const piece = element("g", { class: `piece ${side}` });
  piece.append(element("use", { href: `#token-${side}`, ...box }));
  if (letter === "*") {
    piece.append(element("use", { href: "#emblem-juggernaut", ...box }));
    return piece;
  }
  const emblem = hasEmblem && letter !== "?";
  if (emblem) piece.classList.add("signed");
  if (emblem) piece.append(element("use", { href: `#emblem-${letter.toUpperCase()}`, ...box }));
  const text = element("text", {
    class: "letter",
    "font-size": radius * (emblem ? 0.42 : 1.15),
    y: radius * (emblem ? 0.78 : 0.4),
  });
  text.textContent = letter;
  piece.append(text);
  return piece;
}

export class Board {
  constructor(svg) {
    this.svg = svg;
    this.squares = new Map();
    this.isFlipped = false;
    this.name = null;
    this.standing = {}; // what it was told to show last
    this.walks = new Walks(this);
    // What moves does so in drawings of its own, over the board's: else that would be drawn for each frame.
    this.air = make("div.air", { "aria-hidden": "true" });
    svg.after(this.air);
  }

  /** Draw an empty board of this name, unless it is there already: of several asked for, the last one. */
  async show(name, isFlipped) {
    const asked = (this.asked = {});
    if (name === this.name && isFlipped === this.isFlipped) return;
    const data = name === this.name ? this.data : await read(`/api/boards/${name}`);
    if (this.asked !== asked) return; // another one was asked for while it came
    this.data = data;
    this.name = name;
    this.isFlipped = isFlipped;
    this.#draw();
  }

  #draw() {
    this.walks.clear();
    const focused = this.svg.querySelector("[tabindex='0']")?.dataset.square ?? "a1";
    this.svg.replaceChildren();
    this.air.replaceChildren();
    const beside = (this.beside = this.data.is_disk ? 16 : 48);
    const whole = 1000 + 2 * beside;
    this.svg.setAttribute("viewBox", `${-beside} ${-beside} ${whole} ${whole}`);
    this.svg.setAttribute("role", "grid");
    this.svg.classList.toggle("disk", this.data.is_disk);
    this.svg.append(element("g", { class: "rim", "aria-hidden": "true" }, ...this.#rim()));
    this.squares.clear();
    for (let rank = 10; rank >= 1; rank--) {
      const row = element("g", { role: "row", "data-rank": rank });
      for (const square of this.data.squares.slice((rank - 1) * 10, rank * 10)) {
        row.append(this.#square(square, focused));
      }
      this.svg.append(row);
    }
    this.overlay = element("g", { class: "overlay", "aria-hidden": "true" });
    this.svg.append(this.overlay);
  }

  #rim() {
    if (this.data.is_disk) {
      const rim = [element("circle", { cx: 500, cy: 500, r: 514, class: "rim-plate" })];
      const seam = this.data.name.endsWith("counterclockwise") ? "↺" : "↻";
      const corner = this.isFlipped ? 0.35 : 9.65;
      rim.push(this.#label(corner, corner, seam, "bias"));
      return rim;
    }
    const rim = [element("rect", { x: -46, y: -46, width: 1092, height: 1092, rx: 14, class: "rim-plate" })];
    for (let at = 0; at < 10; at++) {
      const file = "abcdefghij"[at];
      rim.push(this.#label(at + 0.5, -0.22, file), this.#label(at + 0.5, 10.22, file));
      rim.push(this.#label(-0.23, at + 0.5, at + 1), this.#label(10.23, at + 0.5, at + 1));
    }
    return rim;
  }

  #label(x, y, words, kind = "coordinate") {
    const [left, top] = this.#place([x, y]);
    const text = element("text", { x: left, y: top + 9, class: kind });
    text.textContent = words;
    return text;
  }

  #square(square, focused) {
    const points = square.outline.map((point) => this.#place(point));
    const outline = `M${points.map((point) => point.map((n) => n.toFixed(1)).join(" ")).join("L")}Z`;
    const middle = this.#place(square.centre);
    const room = Math.min(LARGEST_PIECE * UNIT, 0.94 * this.#room(points, middle));
    const group = element("g", {
      role: "gridcell",
      class: `square colour-${square.colour}`,
      id: `square-${square.name}`,
      tabindex: square.name === focused ? 0 : -1,
      "data-square": square.name,
    });
    const shapes = {
      lamp: element("path", { d: outline, class: "lamp" }),
      marks: element("g", { class: "marks", transform: `translate(${middle})`, "aria-hidden": "true" }),
      piece: element("g", { class: "stands", transform: `translate(${middle})`, "aria-hidden": "true" }),
    };
    group.append(element("path", { d: outline, class: "plate" }), shapes.lamp);
    if (this.data.is_disk) group.append(this.#diskName(square.name, middle, room));
    group.append(shapes.piece, shapes.marks, element("path", { d: outline, class: "focus" }));
    this.squares.set(square.name, { ...square, group, ...shapes, middle, room, letter: null, drawn: null });
    return group;
  }

  #diskName(name, [x, y], room) {
    const text = element("text", { x, y: y + room * 0.25, "font-size": room * 0.7, class: "square-name", "aria-hidden": "true" });
    text.textContent = name;
    return text;
  }

  /** Where a point of the board lies in the drawing: y runs down. */
  #place([x, y]) {
    if (this.isFlipped) [x, y] = [10 - x, 10 - y];
    return [x * UNIT, (10 - y) * UNIT];
  }

  /** The radius of the largest circle about the middle that stays on the square. */
  #room(points, [x, y]) {
    return Math.min(
      ...points.map(([a, b], index) => {
        const [c, d] = points[(index + 1) % points.length];
        const length = Math.hypot(c - a, d - b);
        return length < 1e-6 ? Infinity : Math.abs((c - a) * (b - y) - (a - x) * (d - b)) / length;
      }),
    );
  }

  /**
   * Put pieces on the squares, by their letters, once the scenes that lead there are shown; resolves
   * then. Two letters are who fights for a square: who has entered it, and who stood there.
   */
  setPieces(standing, scenes = []) {
    this.standing = standing;
    for (const [name, square] of this.squares) square.letter = standing[name]?.[0] ?? null;
    return this.walks.show(standing, scenes);
  }

  /** A piece as it is drawn with this much room, where there is little its letter alone; of two letters, both who fight. */
  pieceFor(letter, room) {
    if (letter.length === 1) return drawPiece(letter, room, room >= SMALLEST_EMBLEM * UNIT);
    const [attacker, defender] = letter;
    const each = (one, x, y) => element("g", { transform: `translate(${x * room} ${y * room}) scale(${FIGHTER})` }, this.pieceFor(one, room));
    return element("g", { class: "pair" }, each(defender, 0.36, -0.32), each(attacker, -0.36, 0.32));
  }

  /** Show the piece of a square in the hand instead of there; null: none is. */
  carry(name) {
    for (const [each, { group }] of this.squares) group.classList.toggle("carried", each === name);
  }

  /** Mark squares with the shapes of their cues, one with a `star` to be collected, and say each in words for those who listen. */
  setMarks(cues, threatened, rules, star = null) {
    this.svg.setAttribute("aria-label", say("Board"));
    for (const row of this.svg.querySelectorAll("[data-rank]")) row.setAttribute("aria-label", say("Row {number}", { number: row.dataset.rank }));
    for (const [name, square] of this.squares) {
      const cue = cues[name];
      const isThreatened = threatened.has(name);
      const told = [name, square.letter ? pieceName(square.letter, rules) : say("empty")];
      if (cue) told.push(say(CUES[cue]));
      if (isThreatened) told.push(say("threatened"));
      if (name === star) told.push(say("star"));
      const label = told.join(", ");
      if (label === square.label && square.group.dataset.cue === (cue ?? "")) continue;
      square.label = label;
      square.marks.replaceChildren(...marksOf(cue, square.room, square.letter), ...(isThreatened ? [danger(square.room)] : []));
      square.group.classList.toggle("threatened", isThreatened);
      square.group.dataset.cue = cue ?? "";
      square.group.setAttribute("aria-label", label);
    }
    this.svg.querySelector(".goal")?.remove();
    if (star === null) return;
    const { middle, room } = this.squares.get(star);
    this.overlay.before(element("path", { d: starOf(room), class: "mark goal", transform: `translate(${middle})` }));
  }

  /** Draw the way a ply went. */
  setPath(path, isMoving) {
    this.overlay.replaceChildren();
    const points = path.map((name) => this.squares.get(name)?.middle).filter(Boolean);
    if (points.length < 2) return;
    const way = points.map((point, index) => {
      const before = points[index - 1];
      if (!before) return `M${point}`;
      // A step over the disk's centre bends there.
      const crosses = this.data.is_disk && Math.hypot(point[0] - before[0], point[1] - before[1]) > 240;
      return crosses && path.length > 2 ? `Q500 500 ${point}` : `L${point}`;
    });
    this.overlay.append(element("path", { d: way.join(""), class: isMoving ? "trail moving" : "trail" }));
  }

  /** The square next to one, as it is seen: 0 up, 1 right, 2 down, 3 left. */
  neighbour(name, way) {
    const { neighbours } = this.squares.get(name);
    return neighbours[this.isFlipped ? (way + 2) % 4 : way] ?? name;
  }

  focus(name) {
    this.svg.querySelector("[tabindex='0']")?.setAttribute("tabindex", -1);
    const { group } = this.squares.get(name);
    group.setAttribute("tabindex", 0);
    group.focus({ preventScroll: true });
  }

  /** The name of the square at a point of the screen, null beside the board. */
  at(x, y) {
    return document.elementFromPoint(x, y)?.closest("[data-square]")?.dataset.square ?? null;
  }
}

/** A square with the mark of a cue, for a legend: lit in a lamp's colour, or as a screen shows it. */
export function drawCue(cue, colour = null) {
  const plate = element("rect", { x: -50, y: -50, width: 100, height: 100, class: "plate" });
  if (colour) plate.style.fill = `rgb(${colour})`;
  const svg = element("svg", { class: `swatch colour-1${colour ? "" : " quiet"}`, viewBox: "-50 -50 100 100", "aria-hidden": "true" });
  svg.append(element("g", { "data-cue": cue }, plate, ...marksOf(cue, 42, null)));
  return svg;
}

/** The shapes of a cue: each can be told without colour and without its rhythm. */
function marksOf(cue, room, letter) {
  const ring = (radius, kind) => element("circle", { r: radius, class: kind });
  switch (cue) {
    case "gesture":
      return [element("rect", { x: -room, y: -room, width: 2 * room, height: 2 * room, rx: room * 0.2, class: "mark stroke gesture" })];
    case "legal":
      return [ring(room * 0.34, "mark dot")];
    case "advice":
      return [badge("→", room, 0.46)];
    case "dice":
      return [badge("⚄", room, 0.46)];
    case "capture":
      return [ring(room * 1.1, "mark ring"), ring(room * 1.1, "mark ring inner")];
    case "lifted":
      return letter ? [] : [ring(room * 0.8, "mark dashed")];
    case "seen":
      return [ring(room * 0.8, "mark dashed"), ring(room * 0.16, "mark dot")];
    case "belongs":
      return [ring(room * 0.95, "mark dashed"), element("path", { d: cross(room * 0.4, 0), class: "mark stroke" })];
    case "wanted":
      return [element("path", { d: arrow(room), class: "mark arrow" })];
    case "wrong":
      return [element("path", { d: cross(room * 0.95, 45), class: "mark stroke wrong" })];
    case "question":
      return [badge("?", room, 0.46)];
    case "fault":
      return [badge("!", room, 0.4)];
    default:
      return [];
  }
}

function cross(size, angle) {
  const [c, s] = [Math.cos((angle * Math.PI) / 180) * size, Math.sin((angle * Math.PI) / 180) * size];
  return `M${-c} ${-s}L${c} ${s}M${s} ${-c}L${-s} ${c}`;
}

/** An arrow up, above the piece's upper edge. */
function arrow(room) {
  const [wide, tip, foot] = [0.46 * room, -1.14 * room, -0.56 * room];
  return `M0 ${tip}L${wide} ${foot}H${-wide}Z`;
}

function starOf(room) {
  const points = Array.from({ length: 10 }, (_, at) => {
    const [angle, radius] = [(at * Math.PI) / 5, room * (at % 2 ? 0.37 : 0.85)];
    return `${Math.sin(angle) * radius} ${-Math.cos(angle) * radius}`;
  });
  return `M${points.join("L")}Z`;
}

function badge(words, room, size) {
  const at = room * 0.6;
  const text = element("text", { class: "badge-text", "font-size": room * size * 1.6, y: room * size * 0.56 });
  text.textContent = words;
  return element("g", { transform: `translate(${at} ${-at})` }, element("circle", { r: room * size, class: "badge" }), text);
}

function danger(room) {
  const at = room * 0.8;
  return element("path", { d: `M${-at} ${at - room * 0.42}L${-at + room * 0.26} ${at}H${-at - room * 0.26}Z`, class: "danger" });
}
