"""How people end a game: one side gives up, or both agree on a draw that one of them offers."""

from __future__ import annotations

from typing import TypeAlias

from rules import Side, Termination
from rules.sentences import _

from ..game.commands import AcceptDraw, AgreeDraw, CommandRefused, DeclineDraw, OfferDraw, Resign
from ..game.events import RESULTS, DrawDeclined, DrawOffer, Ending
from ..game.record import Record

EndingCommand: TypeAlias = Resign | OfferDraw | AcceptDraw | DeclineDraw | AgreeDraw
"""What people say of a game's end."""

AGREED = Ending("draw", Termination.AGREED.value)


def ending_event(record: Record, saying: EndingCommand) -> DrawOffer | DrawDeclined | Ending:
    """Return what comes of it; CommandRefused where it makes no sense just now."""
    if record.ending:
        raise CommandRefused(_("the game is over already"))
    match saying:
        case Resign(side=side):
            return Ending(RESULTS[side.other], Termination.RESIGNED.value)
        case AgreeDraw():
            return AGREED
        case OfferDraw(side=side) if record.offer is not side.other:
            if record.offer is side:
                raise CommandRefused(_("a draw is offered already: the other side answers"))
            return DrawOffer("black" if side is Side.BLACK else "orange")
    if record.offer is None:
        raise CommandRefused(_("nobody offers a draw (offer black or offer orange does)"))
    return DrawDeclined() if isinstance(saying, DeclineDraw) else AGREED
