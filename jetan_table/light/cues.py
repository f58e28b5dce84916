"""What each square means to the players just now, from the view alone."""

from __future__ import annotations

from collections.abc import Iterator
from enum import IntEnum
from typing import TYPE_CHECKING

from rules import Move, MoveKind, Square

from ..game.commands import Help
from ..game.rolling import thrown_for

if TYPE_CHECKING:  # settings name meanings, and are read where no game is played
    from ..session.view import Advice, View


class Cue(IntEnum):
    """The meanings a lamp can have; of two for one square the smaller number is shown."""

    GESTURE = 0
    """Pieces that are held ask for something, which is done when its light is full."""
    WRONG = 1
    """What stands here does not belong here."""
    BELONGS = 2
    """A piece is to be put here; or one that stands here unseen is to be shifted."""
    QUESTION = 3
    """Was it here? Touch the piece to say yes."""
    ADVICE = 4
    """Who asked is advised to move this piece, or to put it here."""
    DICE = 5
    """The dice are to be thrown for what stands here: touch it, and the table throws them."""
    CAPTURE = 6
    """The lifted piece may take here; or, of a lifted victim, a piece that may take it."""
    WANTED = 7
    """This piece is to be lifted: the player without hands asks for it, or it was touched."""
    LEGAL = 8
    """The lifted piece may go here."""
    LIFTED = 9
    """A piece was lifted from here."""
    LAST_MOVE = 10
    """The last ply went from here, or to here."""
    FAULT = 11
    """The switch under this square has failed."""


def cues(view: View) -> dict[Square, Cue]:
    """Return the one meaning of each square that has any."""
    shown: dict[Square, Cue] = {}
    for square, cue in _meanings(view):
        shown[square] = min(cue, shown.get(square, cue))
    for square in view.unseen:  # it stands there, so that all else is more urgent
        if shown.get(square, Cue.LAST_MOVE) >= Cue.LAST_MOVE:
            shown[square] = Cue.BELONGS
    return shown


def _meanings(view: View) -> Iterator[tuple[Square, Cue]]:
    """Yield every meaning of every square, in no order that matters."""
    if view.gesture:
        yield from ((square, Cue.GESTURE) for square in view.gesture.squares)
    if view.leading.placing:
        yield from ((square, Cue.BELONGS) for square in view.leading.placing.squares)
    if view.leading.repair:
        if view.leading.repair.from_square is not None:
            yield view.leading.repair.from_square, Cue.WRONG
        if view.leading.repair.to_square is not None:
            yield view.leading.repair.to_square, Cue.BELONGS
    yield from ((square, Cue.QUESTION) for square in view.choices)
    yield from ((square, Cue.QUESTION) for square in view.asked)
    if view.help.advice:
        yield from ((square, Cue.ADVICE) for square in _advised(view.help.advice, view))
    yield from ((square, Cue.ADVICE) for square in _best(view))
    yield from ((square, Cue.DICE) for square in thrown_for(view.record))
    if view.help.wish:
        yield from _wish(view.help.wish, view)
    else:
        yield from ((square, Cue.CAPTURE) for square in view.captures)
        yield from ((square, Cue.LEGAL) for square in view.legal)
    yield from ((square, Cue.WANTED) for square in view.touched if square not in view.lifted)
    yield from ((square, Cue.LIFTED) for square in view.lifted)
    if (last := view.record.last_move) and not view.lifted and not view.help.wish:
        yield from ((square, Cue.LAST_MOVE) for square in (last.from_square, last.to_square))
    yield from ((square, Cue.FAULT) for square in view.record.faults)


def _advised(advice: Advice, view: View) -> Iterator[Square]:
    """Yield the squares of what is advised, as far as it is told and not done yet."""
    if advice.move is None:
        return
    if advice.move.from_square not in view.lifted:
        yield advice.move.from_square
    if advice.help >= Help.MOVE:
        yield advice.move.to_square


def _best(view: View) -> Iterator[Square]:
    """Yield the pieces of the best moves; of a lifted one, where it goes by them."""
    for move in view.help.best:
        if not view.lifted:
            yield move.from_square
        elif move.from_square in view.lifted and move.to_square not in view.lifted:
            yield move.to_square


def _wish(wish: Move, view: View) -> Iterator[tuple[Square, Cue]]:
    """Yield what a wish means: lift this, put it there, taking what stands there."""
    if wish.from_square not in view.lifted:
        yield wish.from_square, Cue.WANTED
    if wish.kind is MoveKind.CAPTURE and wish.to_square not in view.lifted:
        yield wish.to_square, Cue.CAPTURE
    else:
        yield wish.to_square, Cue.BELONGS
