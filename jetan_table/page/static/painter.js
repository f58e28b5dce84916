// Paints a board, its pieces and a few words on a canvas, in the page's light colours: for pictures to be sent on.

import { Board, drawPiece } from "./board.js";
import { isFlier, wayOver } from "./walk.js";

const INK = "#2b1d14";
const [GROUND, SOFT, ACCENT] = ["#f3e9dc", "#6b5546", "#9a3f16"];
const [PLATES, PLATE_LINE] = [["#cdb595", "#f1e1c3"], "#7a5b40"];
const [RIM, RIM_INK] = ["#4a2d1c", "#f0d9ba"];
const DISPLAY = "Jetan";
const SERIF = '"Iowan Old Style", "Palatino Linotype", Palatino, Georgia, serif';
const BODIES = { black: ["#191412", "#fff3df"], orange: ["#f2891f", "#20110a"], neutral: ["#6d28a8", "#ffffff"] };
const PIECE_PIXELS = 160;
const TRAIL_PARTS = 60;

export class Painter {
  #pieces = new Map(); // pictures of pieces, by their letters

  /** Make ready for a board of this name, `wide` pixels, with room for words below it. */
  static async on(name, isFlipped, wide, letters) {
    const painter = new Painter();
    painter.board = new Board(document.createElementNS("http://www.w3.org/2000/svg", "svg"));
    await painter.board.show(name, isFlipped);
    painter.canvas = document.createElement("canvas");
    painter.edge = Math.round(wide / 28);
    const words = Math.round(wide * 0.21);
    [painter.canvas.width, painter.canvas.height] = [wide, wide + words];
    painter.context = painter.canvas.getContext("2d", { willReadFrequently: true });
    await Promise.all([...new Set([...letters, "*"])].map(async (letter) => painter.#pieces.set(letter, await pictureOf(letter))));
    return painter;
  }

  /** Paint a position: the way of the last ply, or a piece on it; `words` are {title, sentence, foot}. */
  paint(standing, { path = [], walk = null, words }) {
    const { context, canvas, edge, board } = this;
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.fillStyle = GROUND;
    context.fillRect(0, 0, canvas.width, canvas.height);
    const scale = (canvas.width - 2 * edge) / 1000;
    context.setTransform(scale, 0, 0, scale, edge, edge);
    this.#squares(path);
    if (!walk) this.#trail(path);
    for (const [name, square] of board.squares) {
      if (standing[name]) this.#piece(standing[name], ...square.middle, square.room);
    }
    if (walk) this.#walker(walk);
    context.setTransform(1, 0, 0, 1, 0, 0);
    this.#words(words);
    return context.getImageData(0, 0, canvas.width, canvas.height);
  }

  #squares(path) {
    const { context, board } = this;
    context.fillStyle = RIM;
    context.beginPath();
    if (board.data.is_disk) context.arc(500, 500, 514, 0, 7);
    else context.roundRect(-28, -28, 1056, 1056, 14);
    context.fill();
    for (const [name, square] of board.squares) {
      const outline = new Path2D(square.group.querySelector(".plate").getAttribute("d"));
      context.fillStyle = PLATES[square.colour];
      context.fill(outline);
      context.strokeStyle = PLATE_LINE;
      context.lineWidth = 1.5;
      context.stroke(outline);
      if (name === path[0] || name === path.at(-1)) {
        context.save();
        context.clip(outline);
        context.strokeStyle = ACCENT;
        context.lineWidth = 14;
        context.stroke(outline);
        context.restore();
      }
    }
    if (!board.data.is_disk) this.#coordinates();
  }

  /** The way of the last ply, under the pieces. */
  #trail(path) {
    const { context, board } = this;
    const way = path.map((name) => board.squares.get(name));
    if (way.length < 2) return;
    const { at } = wayOver(way, board.data.is_disk, false);
    context.beginPath();
    for (let part = 0; part <= 1; part += 1 / TRAIL_PARTS) {
      const { x, y } = at(part);
      context.lineTo(x, y);
    }
    context.strokeStyle = `${ACCENT}99`;
    [context.lineWidth, context.lineCap, context.lineJoin] = [11, "round", "round"];
    context.stroke();
  }

  #coordinates() {
    const { context, board } = this;
    context.fillStyle = RIM_INK;
    context.font = "600 20px system-ui, sans-serif";
    [context.textAlign, context.textBaseline] = ["center", "middle"];
    for (let at = 0; at < 10; at++) {
      const file = "abcdefghij"[board.isFlipped ? 9 - at : at];
      const rank = board.isFlipped ? at + 1 : 10 - at;
      for (const beside of [-14, 1015]) {
        context.fillText(file, 50 + 100 * at, beside);
        context.fillText(rank, beside, 50 + 100 * at);
      }
    }
  }

  #piece(letter, x, y, room) {
    this.context.drawImage(this.#pieces.get(letter), x - room, y - room, 2 * room, 2 * room);
  }

  #walker({ path, letter, part, flies = isFlier(letter) }) {
    const way = path.map((name) => this.board.squares.get(name));
    const { x, y, height, size } = wayOver(way, this.board.data.is_disk, flies).at(part);
    const { room } = way.at(-1);
    if (flies) {
      this.context.fillStyle = `rgba(0, 0, 0, ${0.3 * Math.min(1, height)})`;
      this.context.beginPath();
      this.context.ellipse(x + 0.25 * height * room, y + 0.3 * room, 0.8 * room, 0.5 * room, 0, 0, 7);
      this.context.fill();
    }
    this.#piece(letter, x, y - 0.6 * height * room, room * size);
  }

  #words({ title, sentence, foot }) {
    const { context, canvas } = this;
    const unit = canvas.width / 100;
    [context.textAlign, context.textBaseline] = ["center", "alphabetic"];
    let y = canvas.width + 4.2 * unit;
    context.fillStyle = INK;
    context.font = `${5.4 * unit}px ${DISPLAY}, ${SERIF}`;
    context.fillText(title, canvas.width / 2, y, 94 * unit);
    context.font = `${3.1 * unit}px ${SERIF}`;
    for (const line of linesOf(context, sentence, 92 * unit)) context.fillText(line, canvas.width / 2, (y += 4.4 * unit));
    context.fillStyle = SOFT;
    context.font = `italic ${2.7 * unit}px ${SERIF}`;
    context.fillText(foot, canvas.width / 2, canvas.height - 2.2 * unit);
  }
}

function linesOf(context, words, wide) {
  const lines = [""];
  for (const word of words.split(" ")) {
    const longer = `${lines.at(-1)} ${word}`.trim();
    if (lines.at(-1) && context.measureText(longer).width > wide) lines.push(word);
    else lines[lines.length - 1] = longer;
  }
  return lines;
}

/** A piece as a picture of its own, with its colours written into it. */
async function pictureOf(letter) {
  const side = letter === "*" ? "neutral" : letter === letter.toUpperCase() ? "black" : "orange";
  const [body, figure] = BODIES[side];
  const looks = {
    "token-edge": 'fill="#fff6e6" stroke="#150c07" stroke-width="1.5"',
    "token-body": `fill="${body}"`,
    "token-line": `fill="none" stroke="${figure}" stroke-width="1.6" opacity=".6"`,
    emblem: `fill="${figure}"`,
    "emblem-hole": `fill="${body}"`,
    letter: `fill="${figure}" text-anchor="middle" font-family="system-ui, DejaVu Sans, sans-serif" font-weight="800"`,
  };
  const symbols = [...document.querySelectorAll("symbol")].map((each) => each.outerHTML).join("");
  const drawn = `<svg xmlns="http://www.w3.org/2000/svg" width="${PIECE_PIXELS}" height="${PIECE_PIXELS}" viewBox="-50 -50 100 100"><defs>${symbols}</defs>${drawPiece(letter).outerHTML}</svg>`;
  const dressed = drawn.replace(/class="([a-z-]+)"/g, (whole, name) => looks[name] ?? "");
  const address = URL.createObjectURL(new Blob([dressed], { type: "image/svg+xml" }));
  try {
    const picture = new Image();
    picture.src = address;
    await picture.decode();
    return picture;
  } finally {
    URL.revokeObjectURL(address);
  }
}
