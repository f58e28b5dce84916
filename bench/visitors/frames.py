"""How quickly a press is answered, and how many frames a walk has, on a processor slowed down."""

from itertools import pairwise
from random import Random
from statistics import median, quantiles

from bench.visitors.mouse import MIDDLES, Mouse
from tests.e2e.served import Served
from tests.e2e.windows import Windows

SLOWED = 6
PLIES = 20
LIMIT_ANSWER_MS = 100.0
LIMIT_FRAMES = 20.0

LOG = """() => {
  window.answers = [];
  window.walks = [];
  let pressed = null, frames = [];
  const painted = (tell) => requestAnimationFrame(() => {
    const channel = new MessageChannel();
    channel.port1.onmessage = tell;
    channel.port2.postMessage(null);
  });
  addEventListener("pointerdown", (event) => (pressed = event), true);
  new MutationObserver((changes) => {
    const square = pressed?.target.closest("[data-square]");
    if (!changes.some(({ target }) => target === square && target.dataset.cue === "lifted")) return;
    const { timeStamp } = pressed;
    pressed = null;
    painted(() => window.answers.push(performance.now() - timeStamp));
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
"""Notes when what a press asks for is painted, and the frames of each walk, in milliseconds."""


def measure_frames(windows: Windows, table: Served, seed: int = 64) -> dict[str, float]:
    """Play some plies by presses at a screen whose processor is slowed down."""
    with windows.opened(table.url, reduced_motion="no-preference") as page:
        page.goto(f"{table.url}?play")
        mouse = Mouse(page, table, Random(seed))
        mouse.begin("zillions")
        mouse.middles = page.evaluate(MIDDLES)
        line = page.context.new_cdp_session(page)
        line.send("Emulation.setCPUThrottlingRate", {"rate": SLOWED})
        page.evaluate(LOG)
        for _ply in range(PLIES):
            state = table.state()
            if state["over"]:
                break
            mouse.move(state, is_dragged=False)
            mouse.await_more(state)
            page.wait_for_function("() => !document.querySelector('.walker')")
        answers = page.evaluate("window.answers")
        walks = page.evaluate("window.walks")
        line.send("Emulation.setCPUThrottlingRate", {"rate": 1})
    rates = [1000 * (len(walk) - 1) / (walk[-1] - walk[0]) for walk in walks if len(walk) > 1]
    gaps = [after - before for walk in walks for before, after in pairwise(walk)]
    return {
        "presses": len(answers),
        "answer_median_ms": median(answers),
        "answer_p95_ms": quantiles(answers, n=20)[-1],
        "walks": len(walks),
        "walk_frames_per_s": median(rates),
        "walk_frames_per_s_least": min(rates),
        "longest_frame_ms": max(gaps),
    }
