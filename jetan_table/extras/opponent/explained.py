"""What an analysis says of a ply, in words a player uses; each sentence holds by the rules."""

from collections.abc import Iterator

import msgspec

from rules import Rules, Side
from rules.explain import SIDES
from rules.sentences import _

from ...languages import Language, say_in
from ...light.words import better_in_words, moves_within, reply_in_words, why_in_words
from .analysis import PlyVerdict

AHEAD, BEHIND = 0.55, 0.45
"""Who expects more, or less, of the points than this is ahead, or behind."""


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
    mark = verdict.mark.value if verdict.mark else None
    why, words = why_in_words(verdict.points, rules, language), explained(verdict, rules, language)
    return {**row, "side": verdict.side.word, "mark": mark, "why": why, "explained": words}


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
        better_in_words(verdict.best, verdict.points, rules, language),
        reply_in_words(
            verdict.played, " ".join(verdict.reply[:1]), verdict.allowed, rules, language
        ),
    ):
        if words_of:
            yield words_of
