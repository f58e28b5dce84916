// The lamps under the squares, with the colours and rhythms that the real ones have.

const FRAME_MS = 30;
const still = matchMedia("(prefers-reduced-motion: reduce)");

export class Lamps {
  constructor(board) {
    this.board = board;
    this.lit = [];
    this.drawnAt = 0;
    this.isRunning = false;
  }

  /** Light squares by their cues, in the looks of a palette. */
  show(cues, palette, brightness) {
    for (const { lamp } of this.board.squares.values()) lamp.style.opacity = 0;
    const counts = {};
    this.lit = Object.entries(cues).map(([name, cue]) => {
      const look = palette[cue];
      const turn = (counts[cue] = (counts[cue] ?? -1) + 1);
      const { lamp } = this.board.squares.get(name);
      lamp.style.fill = `rgb(${look.colour})`;
      return { lamp, look, cue, turn, strength: 0.35 + 0.65 * brightness };
    });
    for (const entry of this.lit) entry.share = entry.turn / (counts[entry.cue] + 1);
    this.#draw();
    if (!this.isRunning && this.#isMoving()) requestAnimationFrame((at) => this.#frame(at));
    this.isRunning ||= this.#isMoving();
  }

  /** Whether any light has a rhythm: where none has, nothing is drawn again and again. */
  #isMoving() {
    return !still.matches && this.lit.some(({ look }) => new Set(look.levels).size > 1);
  }

  #frame(at) {
    this.isRunning = this.#isMoving();
    if (at - this.drawnAt >= FRAME_MS) {
      this.drawnAt = at;
      this.#draw();
    }
    if (this.isRunning) requestAnimationFrame((next) => this.#frame(next));
  }

  #draw() {
    const now = Date.now() / 1000;
    for (const { lamp, look, share, strength } of this.lit) {
      lamp.style.opacity = (still.matches ? Math.max(...look.levels) : level(look, now, share)) * strength;
    }
  }
}

/** The brightness of a look at a time, as the table's own palette has it. */
export function level(look, now, share) {
  const turns = now / look.period_s - (look.alternates ? share : 0);
  const part = turns - Math.floor(turns);
  return look.levels[Math.floor(part * look.levels.length) % look.levels.length];
}
