"""Judges a camera over a board: one finding a check, each with its mend."""

from __future__ import annotations

from collections.abc import Iterator

from rules.sentences import Worded, _
from vision.board_finder import BoardPlace
from vision.quality import Quality

from .doctor import Finding

HIGH, LOW = 60.0, 35.0
"""Degrees: from below the first tall pieces hide others, from below the second many, which is read
with more questions, if at all."""

WIDE_PX, NARROW_PX = 40.0, 22.0
"""Pixels across the farthest square: from the first on it passes, below the second it fails."""

SHARP_PX = 5.0
"""Pixels that a line of the board is wide where the picture is sharp enough."""

CLEAR_STEP = 25.0
"""Grey levels, of 255, that light squares must be lighter than dark ones."""

MUCH_BURNT = 0.02
"""The share of the board that may be too bright to show anything."""

WIDE_STRIP = 1.0
"""Squares of the surroundings that should be in the picture on every side."""


def examine_view(place: BoardPlace, quality: Quality) -> Iterator[Finding]:
    """Yield a finding for everything that matters of a camera's picture."""
    found = Worded(
        _("found by its {how}, {support:.0f} % of its lines seen"),
        how=place.how,
        support=100 * place.support,
    )
    yield Finding("board", "pass", found)
    yield _height(quality)
    yield _size(quality)
    yield _focus(quality)
    yield _light(quality)
    yield _strip(quality)


def _height(quality: Quality) -> Finding:
    found = Worded(_("{elevation:.0f} degrees above the board"), elevation=quality.elevation)
    if quality.elevation >= HIGH:
        return Finding("height", "pass", found)
    mend = _("put the camera higher: 60 degrees and more")
    return Finding("height", "warn" if quality.elevation >= LOW else "fail", found, mend)


def _size(quality: Quality) -> Finding:
    found = Worded(
        _("the farthest squares are {square_px:.0f} pixels wide"), square_px=quality.square_px
    )
    if quality.square_px >= WIDE_PX:
        return Finding("size", "pass", found)
    mend = _("bring the camera nearer, or ask it for larger pictures")
    return Finding("size", "warn" if quality.square_px >= NARROW_PX else "fail", found, mend)


def _focus(quality: Quality) -> Finding:
    found = Worded(_("lines are {blur:.1f} pixels wide"), blur=quality.blur)
    if quality.blur <= SHARP_PX:
        return Finding("focus", "pass", found)
    return Finding(
        "focus", "warn", found, _("focus on the board, clean the lens, give it more light")
    )


def _light(quality: Quality) -> Finding:
    if quality.burnt > MUCH_BURNT:
        found = Worded(_("{burnt:.0f} % of the board is too bright"), burnt=100 * quality.burnt)
        return Finding("light", "warn", found, _("move the lamp so that it is not mirrored"))
    found = Worded(
        _("light squares are {step:.0f} grey levels lighter than dark ones"), step=quality.step
    )
    if quality.step < CLEAR_STEP:
        return Finding("light", "warn", found, _("more light, or a longer exposure"))
    return Finding("light", "pass", found)


def _strip(quality: Quality) -> Finding:
    found = Worded(
        _("{strip:.1f} squares of the surroundings are in the picture"), strip=max(quality.strip, 0)
    )
    if quality.strip >= WIDE_STRIP:
        return Finding("around", "pass", found)
    mend = _("show a square and a half around the board: there hands are seen coming")
    return Finding("around", "warn", found, mend)
