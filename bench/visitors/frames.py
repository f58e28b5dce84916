"""How quickly a press is answered, and how many frames a walk has, on a processor slowed down."""

from itertools import pairwise
from random import Random
from statistics import median, quantiles

from bench.visitors.mouse import Mouse
from rules import Move, Position
from tests.e2e.served import Served
from tests.e2e.windows import Windows

SLOWED = 6
PLIES = 20
LOOKS_MS = 400
"""So long people look at a move before they press again."""
LIMIT_ANSWER_MS = 100.0
LIMIT_FRAMES = 20.0

LOG = """() => {
  window.answers = [];
  window.lit = [];
  window.walks = [];
  let pressed = null, frames = [];
  new PerformanceObserver((list) => list.getEntries()
    .filter(({ name, target }) => name === "pointerdown" && target?.closest("[data-square]"))
    .forEach(({ duration }) => window.answers.push(duration)))
    .observe({ type: "event", durationThreshold: 16 });
  addEventListener("pointerdown", ({ timeStamp }) => (pressed = timeStamp), true);
  new MutationObserver((changes) => {
    if (pressed === null || !changes.some(({ target }) => target.dataset.cue === "legal")) return;
    const since = pressed;
    pressed = null;
    requestAnimationFrame(() => window.lit.push(performance.now() - since));
  }).observe(document.querySelector("#board"), { subtree: true, attributeFilter: ["data-cue"] });
  const log = (now) => {
    if (document.querySelector(".walker")) frames.push(now);
    else if (frames.length) {
      window.walks.push(frames);
      frames = [];
    }
    requestAnimationFrame(log);
  };
  requestAnimationFrame(log);
}"""
"""Notes, in milliseconds: from each press on the board to what is painted next, which has the piece
marked; until its squares are lit; and when the frames of each walk come."""


def quiet(position: Position, rng: Random) -> Move:
    """Return any move that takes nothing."""
    return rng.choice([m for m in position.moves() if not position.piece_at(m.to_square)])


def measure_frames(windows: Windows, table: Served, seed: int = 64) -> dict[str, float]:
    """Play some plies by presses at a screen whose processor is slowed down."""
    table.leave_exercises()  # nor does the computer play, which may have been invited before
    with windows.opened(table.url, reduced_motion="no-preference") as page:
        page.goto(f"{table.url}?play")
        mouse = Mouse(page, table, Random(seed), quiet)
        mouse.begin("zillions")
        line = page.context.new_cdp_session(page)
        line.send("Emulation.setCPUThrottlingRate", {"rate": SLOWED})
        page.evaluate(LOG)
        for _ply in range(PLIES):
            state = table.state()
            mouse.move(state, is_dragged=False)
            mouse.await_more(state)
            page.wait_for_function("() => !document.querySelector('.walker')")
            page.wait_for_timeout(LOOKS_MS)
        answers, lit, walks = page.evaluate("[window.answers, window.lit, window.walks]")
        line.send("Emulation.setCPUThrottlingRate", {"rate": 1})
    rates = [1000 * (len(walk) - 1) / (walk[-1] - walk[0]) for walk in walks if len(walk) > 1]
    gaps = [after - before for walk in walks for before, after in pairwise(walk)]
    return {
        "presses": len(answers),
        "answer_median_ms": median(answers),
        "answer_p95_ms": quantiles(answers, n=20)[-1],
        "lit_median_ms": median(lit),
        "lit_p95_ms": quantiles(lit, n=20)[-1],
        "walks": len(walks),
        "walk_frames_per_s": median(rates),
        "walk_frames_per_s_least": min(rates),
        "longest_frame_ms": max(gaps),
    }
