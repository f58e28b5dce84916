"""Whether the table goes on, for whoever watches over machines."""

from __future__ import annotations

from collections.abc import Callable

import msgspec

from .. import __version__
from ..languages import without_folders
from ..table.heartbeat import WATCHDOG_S
from .mailbox import Mailbox


class HealthState(msgspec.Struct, frozen=True):
    """How a table is at one moment."""

    version: str
    sensing: bool
    """Whether its board is looked at, and can be trusted."""
    disk: bool
    """Whether what happens can be kept."""
    last_scan_s: float | None
    """So long ago the board was looked at; None where it has not been yet."""
    troubles: tuple[str, ...] = ()
    """What is wrong, in words."""

    @property
    def is_well(self) -> bool:
        """Whether nothing keeps the table from going on."""
        return self.sensing and self.disk


class Monitor:
    """Judges a table by its last step, from any thread; `now` runs on whatever the table does."""

    def __init__(self, mailbox: Mailbox, now: Callable[[], float]) -> None:
        self._mailbox, self._now = mailbox, now

    def look(self) -> HealthState:
        """Return how the table is; without a step for `WATCHDOG_S` it senses nothing."""
        step = self._mailbox.last_step
        if step is None:
            return HealthState(__version__, False, True, None, ("the board was not scanned yet",))
        age_s = round(max(self._now() - step.at, 0.0), 3)
        late = f"no scan for {age_s:.0f} s" if age_s > WATCHDOG_S else None
        sensing, disk = late or step.troubles.sensing, step.troubles.disk
        found = tuple(str(without_folders(why)) for why in (sensing, disk) if why is not None)
        return HealthState(__version__, sensing is None, disk is None, age_s, found)
