"""Whether the table goes on, for whoever watches over machines."""

import msgspec

from .. import __version__
from ..languages import without_folders
from ..table.supervision import WATCHDOG_S
from .mailbox import Mailbox
from .state import NoticeState


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
    notices: tuple[NoticeState, ...] = ()
    """All that is amiss, by the ids that the page, the doctor and the lamps have for it."""

    @property
    def is_well(self) -> bool:
        return self.sensing and self.disk


def health_of(mailbox: Mailbox, now: float) -> HealthState:
    """Return how a table is by its last step; without one for `WATCHDOG_S` it senses nothing.

    Any thread may ask; `now` runs on whatever the table does.
    """
    step = mailbox.last_step
    if step is None:
        return HealthState(__version__, False, True, None, ("the board was not scanned yet",))
    age_s = round(max(now - step.at, 0.0), 3)
    late = f"no scan for {age_s:.0f} s" if age_s > WATCHDOG_S else None
    sensing, disk = late or step.troubles.sensing, mailbox.slow_disk(now) or step.troubles.disk
    found = tuple(str(without_folders(why)) for why in (sensing, disk) if why is not None)
    notices = tuple(mailbox.snapshot.state.demands.notices)
    return HealthState(__version__, sensing is None, disk is None, age_s, found, notices)
