"""Judges a camera over a board: one finding a check, each with its mend."""

from __future__ import annotations

from collections.abc import Iterator

from vision.board_finder import BoardPlace
from vision.quality import Quality

from .doctor import Finding

HIGH, LOW = 60.0, 45.0
"""Degrees: from below the first tall pieces hide others, from below the second many."""

WIDE_PX, NARROW_PX = 40.0, 22.0
SHARP_PX = 5.0
CLEAR_STEP = 25.0
MUCH_BURNT = 0.02
WIDE_STRIP = 1.0


def examine_view(place: BoardPlace, quality: Quality) -> Iterator[Finding]:
    """Yield a finding for everything that matters of a camera's picture."""
    seen = f"found by its {place.how}, {100 * place.support:.0f} % of its lines seen"
    yield Finding("board", "pass", seen)
    yield _height(quality)
    yield _size(quality)
    yield _focus(quality)
    yield _light(quality)
    yield _strip(quality)


def _height(quality: Quality) -> Finding:
    told = f"{quality.elevation:.0f} degrees above the board"
    if quality.elevation >= HIGH:
        return Finding("height", "pass", told)
    mend = "put the camera higher: 60 degrees and more"
    return Finding("height", "warn" if quality.elevation >= LOW else "fail", told, mend)


def _size(quality: Quality) -> Finding:
    told = f"the farthest squares are {quality.square_px:.0f} pixels wide"
    if quality.square_px >= WIDE_PX:
        return Finding("size", "pass", told)
    mend = "bring the camera nearer, or ask it for larger pictures"
    return Finding("size", "warn" if quality.square_px >= NARROW_PX else "fail", told, mend)


def _focus(quality: Quality) -> Finding:
    told = f"lines are {quality.blur:.1f} pixels wide"
    if quality.blur <= SHARP_PX:
        return Finding("focus", "pass", told)
    return Finding("focus", "warn", told, "focus on the board, clean the lens, give it more light")


def _light(quality: Quality) -> Finding:
    if quality.burnt > MUCH_BURNT:
        told = f"{100 * quality.burnt:.0f} % of the board is too bright"
        return Finding("light", "warn", told, "move the lamp so that it is not mirrored")
    told = f"light squares are {quality.step:.0f} grey levels lighter than dark ones"
    if quality.step < CLEAR_STEP:
        return Finding("light", "warn", told, "more light, or a longer exposure")
    return Finding("light", "pass", told)


def _strip(quality: Quality) -> Finding:
    told = f"{max(quality.strip, 0):.1f} squares of the surroundings are in the picture"
    if quality.strip >= WIDE_STRIP:
        return Finding("around", "pass", told)
    mend = "show a square and a half around the board: there hands are seen coming"
    return Finding("around", "warn", told, mend)
