"""A finished game analysed: the worth of each ply, its turning points, and better moves.

The verdict is in a player's words, each of which holds by the rules, and in a picture of Black's
chances ply by ply with the turning points marked.
"""

import ctypes
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from html import escape
from typing import Final, Literal, TypeAlias

import msgspec

from rules import (
    SIDES,
    Game,
    Move,
    Position,
    Rules,
    Side,
    Translate,
    _,
    english,
    format_move,
    in_words,
)

from ...engine.endings import Endings
from ...engine.evaluation import Weights, win_probability
from ...engine.search import Limits, Search, Thought
from ...engine.why import Point, points_for
from ...languages import Language, say_in, worded_in
from ...light.words import better_in_words, moves_within, reply_in_words, why_in_words

PlyMark: TypeAlias = Literal["??", "?", "?!"]
"""The mark for a ply's loss of winning chances, as annotators write it."""

LOSSES: Final[tuple[tuple[float, PlyMark], ...]] = ((0.3, "??"), (0.15, "?"), (0.08, "?!"))
"""The least loss for each mark, as a share of the points; the heaviest first."""


@dataclass(frozen=True, slots=True)
class PlyVerdict:
    """The verdict on a ply; moves are texts."""

    number: int
    """As positions count plies: 1 for Black's first."""
    side: Side
    played: str
    best: str
    line: tuple[str, ...]
    """The line of best play, `best` first."""
    reply: tuple[str, ...]
    chance: float
    """Black's share of the points to be expected after the ply, 0..1."""
    loss: float
    """The share of the points that the ply cost who played it, 0..1."""
    win_in: int | None
    """Plies to a proven end that was there to be forced, negative for a loss."""
    points: tuple[Point, ...]
    """Reasons for the best move."""
    allowed: tuple[Point, ...] = ()
    """Reasons for the best reply to the played move."""
    lost_in: int | None = None
    """Plies to a proven loss that the ply brought about, or None."""

    @property
    def numbered(self) -> str:
        """The ply as game texts number it: `12. Pe2-e3`, `12... Pe9-e8`."""
        dots = "." if self.side is Side.BLACK else "..."
        return f"{(self.number + 1) // 2}{dots} {self.played}"

    @property
    def chance_before(self) -> float:
        """Black's share of the points to be expected had the best been played."""
        return self.chance + (self.loss if self.side is Side.BLACK else -self.loss)

    @property
    def mark(self) -> PlyMark | None:
        return next((mark for least, mark in LOSSES if self.loss >= least), None)


def analyse(
    game: Game,
    weights: Weights,
    clock: Callable[[], float],
    limits: Limits,
    library: ctypes.CDLL | None = None,
    endings: Endings | None = None,
) -> Iterator[PlyVerdict]:
    """Yield the verdict on each ply, in order; each is thought about within the limits, twice.

    With a `library` it thinks there, alike but quicker; what `endings` tell is not thought about.
    What the die did after a ply is no fault of
    who played it.
    """
    for number, ply in enumerate(game.plies):
        think = partial(_think, game, number, weights, clock, limits, library, endings)
        best = think(None)
        played = best
        if best.move != ply.move:
            played = think(ply.move)
        position = game.positions[number]
        chance = win_probability(played.score, played.win_in)
        # To look at one move alone may find more in it than to look at all of them.
        loss = max(win_probability(best.score, best.win_in) - chance, 0.0)
        played = played._replace(line=(*played.line, *_end_of(position, played)))
        line = _in_texts(best.line, position)
        lost_in = -played.win_in if played.win_in is not None and played.win_in < 0 else None
        yield PlyVerdict(
            number=position.ply_number,
            side=position.side,
            played=format_move(ply.move, position),
            best=line[0],
            line=line,
            reply=_in_texts(played.line, position)[1:],
            chance=chance if position.side is Side.BLACK else 1 - chance,
            loss=loss,
            win_in=best.win_in,
            points=points_for(position, best.line, best.win_in),
            allowed=_allowed(position, played),
            lost_in=lost_in if best.win_in is None or best.win_in > 0 else None,
        )


def _end_of(position: Position, played: Thought) -> tuple[Move, ...]:
    """Return the reply that wins at once, where a search that knows of it has not told it."""
    if played.win_in != -2 or len(played.line) > 1 or position.is_fought(played.move):
        return ()
    after = position.play(played.move)
    for reply in after.moves():
        outcome = None if after.is_fought(reply) else after.play(reply).outcome
        if outcome is not None and outcome.winner is after.side:
            return (reply,)
    return ()


def _allowed(position: Position, played: Thought) -> tuple[Point, ...]:
    """Return what speaks for the reply expected to a ply; nothing where dice come between."""
    if len(played.line) < 2 or position.is_fought(played.move):
        return ()
    win_in = None if played.win_in is None else -played.win_in - 1
    return points_for(position.play(played.move), played.line[1:], win_in)


def _in_texts(line: Sequence[Move], position: Position) -> tuple[str, ...]:
    """Return moves that follow each other as texts."""
    texts = []
    for move in line:
        texts.append(format_move(move, position))
        position = position.play(move)
    return tuple(texts)


def _think(
    game: Game,
    number: int,
    weights: Weights,
    clock: Callable[[], float],
    limits: Limits,
    library: ctypes.CDLL | None,
    endings: Endings | None,
    only: Move | None,
) -> Thought:
    allowed = None if only is None else [only]
    return Search(
        game.positions[number],
        weights,
        clock,
        limits,
        earlier=game.positions[:number],
        allowed=allowed,
        library=library,
        endings=endings,
    ).think()


AHEAD, BEHIND = 0.55, 0.45
"""The expected points above and below which a side is ahead or behind."""


def explained(verdict: PlyVerdict, rules: Rules, language: Language) -> list[str]:
    """Return what is to be said of a ply: what it threw away, what was better, what it allows.

    Nothing where what was played is as good as anything else.
    """
    if verdict.mark is None:
        return []
    return list(_sentences(verdict, rules, language))


def row_of(verdict: PlyVerdict, rules: Rules, language: Language) -> dict[str, object]:
    """Return a verdict as a document, with what is to be said of it."""
    row: dict[str, object] = msgspec.to_builtins(verdict)
    del row["points"], row["allowed"]
    why = worded_in(language, why_in_words(verdict.points, rules))
    words = explained(verdict, rules, language)
    return {**row, "side": verdict.side.word, "mark": verdict.mark, "why": why, "explained": words}


def _sentences(verdict: PlyVerdict, rules: Rules, language: Language) -> Iterator[str]:
    name = SIDES[verdict.side.word]
    had, left = verdict.chance_before, verdict.chance
    if verdict.side is Side.ORANGE:
        had, left = 1 - had, 1 - left
    if verdict.win_in == 1:
        yield say_in(language, _("Here {side} could have won at once."), side=name)
    elif verdict.win_in is not None and verdict.win_in > 0:
        words = _("Here {side} had a win by force, in {number} moves at most.")
        yield say_in(language, words, side=name, number=moves_within(verdict.win_in))
    elif verdict.lost_in == 2:
        yield say_in(language, _("From here {side} loses at once."), side=name)
    elif verdict.lost_in is not None:
        words = _("From here {side} loses by force, in {number} moves at most.")
        yield say_in(language, words, side=name, number=moves_within(verdict.lost_in - 1))
    elif had > AHEAD and left < BEHIND:
        words = _("Here the game turned: {side} was ahead, and is behind.")
        yield say_in(language, words, side=name)
    for words_of in (
        better_in_words(verdict.best, verdict.points, rules),
        reply_in_words(verdict.played, " ".join(verdict.reply[:1]), verdict.allowed, rules),
    ):
        if words_of:
            yield worded_in(language, words_of)


# SVG by hand, for matplotlib would be 60 MB more on a Raspberry Pi for one polyline.

WIDTH, HEIGHT, EDGE, TOP = 900, 310, 70, 40
SPACINGS: Final = (1, 2, 5, 10, 20, 50, 100)
MOST_LABELS: Final = 15
"""The most labels of an axis: the first spacing, in moves, that needs no more is taken."""

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
"""Black's chances above which a sign stands below its mark, clear of the title."""

BLACK, ORANGE = _("Black"), _("Orange")

WORDS: Final[dict[PlyMark, str]] = {
    "??": _("blunder"),
    "?": _("mistake"),
    "?!": _("doubtful"),
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
    ply = f"{verdict.numbered}{mark}"
    title = in_words(translate, _("{ply}, better {best}"), ply=ply, best=verdict.best)
    sign = y + 22 if verdict.chance > HIGH else y - 10
    return (
        f'<g><title>{escape(title)}</title><circle class="mark" cx="{x:.1f}" cy="{y:.1f}" r="6"/>'
        f'<text class="sign" x="{x:.1f}" y="{sign:.1f}" text-anchor="middle">{mark}</text>'
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
        _("After {plies} moves Black's chances are {chance:.0%}."),
        plies=len(verdicts),
        chance=verdicts[-1].chance,
    )
    marked = ", ".join(turns) or _("none")
    return end + " " + in_words(translate, _("Turning points: {marked}."), marked=marked)
