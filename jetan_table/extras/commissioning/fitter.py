"""Who looks after a table that is shown on a page: its machine, and its set-up."""

from __future__ import annotations

from functools import partial

from ...session.guests import Guest
from ...wiring import Seating
from .doctor import findings_of
from .repairs import Repairs
from .setup import SetUp, set_up_of


class Fitter(Guest):
    """Looks at the machine now and then, and sets the table up where it has no real board."""

    def __init__(self, seating: Seating) -> None:
        """Begin to look after the machine."""
        settings, folder = seating.settings, seating.folder
        look = partial(findings_of, settings, folder)
        self.repairs = Repairs(folder, look, settings.reed.diodes)
        self.set_up: SetUp | None = None
        """None where this table is not to be set up anew."""
        if not seating.has_people:
            self.set_up = set_up_of(settings, folder, seating.config)
        self.repairs.watch()

    @property
    def is_done(self) -> bool:
        """Whether the table has been set up, and is to begin anew."""
        return self.set_up is not None and self.set_up.is_finished
