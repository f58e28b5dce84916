"""A player of the table's own: it searches, errs as people do where it should, and explains."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from typing import TYPE_CHECKING

from .. import Extra

if TYPE_CHECKING:
    from ...page.house import PagePart
    from ...session.session import Guest
    from ...wiring import Seating
    from .options import OpponentOptions

__all__ = ("EXTRA", "analysis", "analyst", "commands", "match", "page", "seat")


class Opponent(Extra):
    """Plays and advises without hands, and analyses games and matches."""

    commands = {
        "games analyse": "Say what each move was worth.",
        "match": "Let two players play, and tell the stronger.",
    }

    def play_options(self) -> type[OpponentOptions]:
        from .options import OpponentOptions

        return OpponentOptions

    @contextmanager
    def guests(self, seating: Seating) -> Iterator[Sequence[Guest]]:
        if seating.has_people:
            yield ()
            return
        from .seat import EngineAdviser, OpponentSeat

        wait_s, asked = seating.wait_s, None
        if seating.extra_options:  # by a command line, which there is none of in a browser
            from .options import OpponentOptions

            asked = seating.extra_options.get(OpponentOptions)
        with (
            closing(EngineAdviser(wait_s=wait_s)) as adviser,
            closing(OpponentSeat(seating.record, seating.dice, adviser, wait_s)) as seat,
        ):
            if asked is not None and asked.invitation is not None:
                seat.invite(asked.invitation)
            yield seat, adviser

    def page(self) -> PagePart:
        from .page import OpponentPage

        return OpponentPage()


EXTRA = Opponent()
