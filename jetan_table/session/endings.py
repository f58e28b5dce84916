"""How people end a game: one side gives up, or both agree on a draw that one of them offers."""

from __future__ import annotations

from rules import Side, Termination
from rules.sentences import _

from ..game.commands import (
    Adjudicate,
    AgreeDraw,
    CommandRefused,
    DeclineDraw,
    EndingCommand,
    OfferDraw,
    Resign,
)
from ..game.events import RESULTS, SIDE_NAMES, DrawDeclined, DrawOffer, Ending, side_named
from ..game.record import Record

AGREED = Ending("draw", Termination.AGREED.value)


def ending_event(
    record: Record, saying: EndingCommand, to_move: Side
) -> DrawOffer | DrawDeclined | Ending:
    """Return what comes of it; CommandRefused where it makes no sense just now.

    Who names no side means the one that is `to_move`.
    """
    if record.ending:
        raise CommandRefused(_("the game is over already"))
    match saying:
        case Resign(side=name):
            side = side_named(name, to_move)
            return Ending(RESULTS[side.other], Termination.RESIGNED.value)
        case AgreeDraw() | Adjudicate(result="draw"):
            return AGREED
        case Adjudicate(result=name):
            return Ending(name, Termination.RESIGNED.value)
        case OfferDraw(side=name) if record.offer is not side_named(name, to_move).other:
            side = side_named(name, to_move)
            if record.offer is side:
                raise CommandRefused(_("a draw is offered already: the other side answers"))
            return DrawOffer(SIDE_NAMES[side])
    if record.offer is None:
        raise CommandRefused(_("nobody offers a draw (offer black or offer orange does)"))
    return DrawDeclined() if isinstance(saying, DeclineDraw) else AGREED
