"""What a gesture is as a command to the table."""

from __future__ import annotations

from dataclasses import replace

from rules import Side, format_square
from rules.sentences import _

from ..board.gestures import Deed, Gesture
from ..game.commands import (
    Command,
    CommandRefused,
    New,
    NewGame,
    OfferDraw,
    PauseGame,
    Resign,
    ResumeGame,
    TakeBackLast,
)
from ..game.events import SIDE_NAMES
from ..game.record import Record
from ..journal.opening import NextGame


def wanted_by(
    gesture: Gesture, record: Record, next_game: NextGame | None, now: float
) -> Command | NewGame:
    """Return what hands want by a gesture; CommandRefused where this table cannot do it."""
    if gesture.unsure is not None:
        raise CommandRefused(
            _(
                "the switch on {square} has failed, so that your hands may mean something "
                "else: say it"
            ),
            square=format_square(gesture.unsure),
        )
    match gesture:
        case Gesture(deed=Deed.RESIGN, side=Side() as side):
            return Resign(SIDE_NAMES[side])
        case Gesture(deed=Deed.DRAW, side=Side() as side):
            return OfferDraw(SIDE_NAMES[side])
        case Gesture(deed=Deed.NEW_GAME) if next_game is not None:
            return replace(next_game(New(), record, now), is_set_up=True)
        case Gesture(deed=Deed.TAKE_BACK):
            return TakeBackLast()
        case Gesture(deed=Deed.PAUSE):
            return ResumeGame() if record.terms.is_paused else PauseGame()
    raise CommandRefused(_("no other game can be begun here"))
