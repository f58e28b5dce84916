"""Everything that may happen at an evening, at once; and that it comes to rest after all of it."""

import sys
from collections.abc import Iterator
from typing import Final

from jetan_table.game.commands import ResumeGame
from jetan_table.session.view import Phase
from rules import letters
from tests.simulation.evening import STEPS, is_open
from tests.simulation.mishaps import Mishaps
from tests.simulation.reach import ALL, KINDS_OF_HANDS
from tests.simulation.sayings import Sayings
from tests.simulation.signs import Signs
from tests.simulation.truths import Truths

REST_S: Final = 900.0
"""So long after its last fault a table is at rest, its hands included."""


class WholeEvenings(Mishaps, Sayings, Signs):
    """One machine for whole tables, whatever hands and whatever troubles they have."""

    def come_to_rest(self) -> None:
        """Let nothing more go wrong: soon all is as it should be, and the next ply is told.

        Every evening ends so.
        """
        table, begun = self.table, self.table.now
        table.late_s = table.journal.commit_s = 0.0
        self.strike_when_led = None
        table.switches.failed.clear()
        self.agree()
        waited_s = table.now - begun
        hanging = list(self._hanging())
        assert not hanging, f"at rest {waited_s:.0f} s after all was mended, and {hanging}"
        assert waited_s <= REST_S, f"still led {waited_s:.0f} s after all was mended"
        if not is_open(self):
            self.begin_another()
        if self.record.terms.is_paused:
            table.obey(ResumeGame())
        self.play(choice=0)

    def _hanging(self) -> Iterator[str]:
        """Yield what is not as it should be at a table where nothing is wrong any more."""
        table, view = self.table, self.table.view
        Truths().check(table.table, table.table.lights, table.now, table.on_s)
        if view.trouble is not None:
            yield f"something ails: {view.trouble}"
        if not self.player.is_agreed:
            yield "something is asked, or led to"
        if view.phase is Phase.PLAYING:
            if self.hands.standing != letters(self.record.position):
                yield "the pieces do not stand as the record has them"
            if dict(view.standing) != self.hands.standing:
                yield "the table believes that they stand otherwise"
        if self.page.shown["phase"] != view.phase.value:
            yield "the page shows another table"
        if self.page.ask(b'{"do": "type", "line": "help"}') == "malformed":
            yield "the page is not understood"

    def teardown(self) -> None:
        try:
            if sys.exc_info()[0] is None:
                self.come_to_rest()
        finally:
            super().teardown()


TO_REACH: Final = ALL | {f"{step}, {kind} hands" for step in STEPS for kind in KINDS_OF_HANDS} - {
    "take_unseen, carrying hands"
}
"""What kept evenings come upon: every step too, by either kind of hands that can make it."""
