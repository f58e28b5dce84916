"""The course of a game as a picture: Black's chances ply by ply, the turning points marked."""

# SVG by hand, for matplotlib would be 60 MB more on a Raspberry Pi for one polyline.

from collections.abc import Sequence
from html import escape
from typing import Final

from rules.sentences import Translate, _, english, in_words

from .analysis import PlyMark, PlyVerdict

WIDTH, HEIGHT, EDGE, TOP = 900, 310, 70, 40
SPACINGS: Final = (1, 2, 5, 10, 20, 50, 100)
MOST_LABELS: Final = 15
"""The axis has a label at the first spacing, in moves, that makes it no more than so many."""

STYLE: Final = """
  text { font: 14px sans-serif; fill: #333 }
  .ground { fill: #fff } .black { fill: #444 } .orange { fill: #f3b46b }
  .middle { stroke: #999; stroke-dasharray: 4 4 }
  .course { fill: none; stroke: #06c; stroke-width: 3 }
  .mark { fill: #fff; stroke: #b00; stroke-width: 2 }
  .sign { fill: #b00; font-weight: bold; stroke: #fff; stroke-width: 3; paint-order: stroke }
  @media (prefers-color-scheme: dark) {
    text { fill: #ddd } .ground { fill: #1b1b1b } .black { fill: #000 } .orange { fill: #96601f }
    .course { stroke: #6bf } .mark { fill: #1b1b1b; stroke: #f88 }
    .sign { fill: #f88; stroke: #1b1b1b }
  }
"""
HIGH: Final = 0.9
"""Where Black's chances are better, a sign stands below its mark, clear of the title."""

BLACK, ORANGE = _("Black"), _("Orange")

WORDS: Final = {
    PlyMark.BLUNDER: _("blunder"),
    PlyMark.MISTAKE: _("mistake"),
    PlyMark.DOUBTFUL: _("doubtful"),
}


def plot(verdicts: Sequence[PlyVerdict], title: str, translate: Translate = english) -> str:
    """Return the picture as SVG text; it tells in words, too, what it shows."""
    wide, high = WIDTH - 2 * EDGE, HEIGHT - TOP - EDGE
    step = wide / max(len(verdicts), 1)

    def at(index: int, chance: float) -> tuple[float, float]:
        return EDGE + index * step, TOP + (1 - chance) * high

    points = [at(0, 0.5), *(at(i + 1, verdict.chance) for i, verdict in enumerate(verdicts))]
    course = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
    bottom = TOP + high
    under = f"{EDGE},{bottom} {course} {points[-1][0]:.1f},{bottom}"
    shapes = [
        f'<rect class="ground" width="{WIDTH}" height="{HEIGHT}"/>',
        f'<rect class="orange" x="{EDGE}" y="{TOP}" width="{wide}" height="{high}"/>',
        f'<polygon class="black" points="{under}"/>',
        f'<path class="middle" d="M{EDGE},{TOP + high / 2} h{wide}"/>',
        f'<polyline class="course" points="{course}"/>',
        f'<text x="{EDGE}" y="{TOP - 14}">{escape(title)}</text>',
        f'<text x="{EDGE - 8}" y="{TOP + 12}" text-anchor="end">{translate(BLACK)}</text>',
        f'<text x="{EDGE - 8}" y="{bottom}" text-anchor="end">{translate(ORANGE)}</text>',
    ]
    spacing = next(n for n in SPACINGS if len(verdicts) <= 2 * n * MOST_LABELS)
    for index, verdict in enumerate(verdicts, start=1):
        if verdict.number % (2 * spacing) == 0:
            x, _y = at(index, 0)
            label = f'x="{x:.1f}" y="{bottom + 22}" text-anchor="middle"'
            shapes.append(f"<text {label}>{verdict.number // 2}</text>")
        if verdict.mark is not None:
            shapes.append(_marked(verdict, verdict.mark, *at(index, verdict.chance), translate))
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" role="img">',
            f"<title>{escape(title)}</title>",
            f"<desc>{escape(described(verdicts, translate))}</desc>",
            f"<style>{STYLE}</style>",
            *shapes,
            "</svg>",
            "",
        ]
    )


def _marked(verdict: PlyVerdict, mark: PlyMark, x: float, y: float, translate: Translate) -> str:
    ply = f"{verdict.numbered}{mark.value}"
    title = in_words(translate, _("{ply}, better {best}"), ply=ply, best=verdict.best)
    sign = y + 22 if verdict.chance > HIGH else y - 10
    return (
        f'<g><title>{escape(title)}</title><circle class="mark" cx="{x:.1f}" cy="{y:.1f}" r="6"/>'
        f'<text class="sign" x="{x:.1f}" y="{sign:.1f}" text-anchor="middle">{mark.value}</text>'
        "</g>"
    )


def described(verdicts: Sequence[PlyVerdict], translate: Translate = english) -> str:
    """Return what the picture shows."""
    if not verdicts:
        return translate(_("No move was played."))
    turn = _("{ply} ({mark}; better {best})")
    turns = [
        in_words(translate, turn, ply=v.numbered, mark=WORDS[v.mark], best=v.best)
        for v in verdicts
        if v.mark
    ]
    end = in_words(
        translate,
        _("After {plies} moves Black may expect {chance:.0%} of the points."),
        plies=len(verdicts),
        chance=verdicts[-1].chance,
    )
    marked = ", ".join(turns) or _("none")
    return end + " " + in_words(translate, _("Turning points: {marked}."), marked=marked)
