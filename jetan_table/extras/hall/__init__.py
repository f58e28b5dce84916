"""Many tables: what one tells a broker, a hall that shows them all, and two boards far apart."""

from __future__ import annotations

import secrets
import string
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

from .. import Extra

if TYPE_CHECKING:
    import msgspec

    from ...page.house import PagePart
    from ...session.session import Guest
    from ...wiring import Seating
    from .options import FarOptions

__all__ = ("EXTRA", "broker", "commands", "hall", "hub", "payloads", "settings", "teller")


class ManyTables(Extra):
    """Joins a table with others."""

    commands = {"hall": "Show many tables at once, and hold a tournament."}

    def settings(self) -> Mapping[str, type[msgspec.Struct]]:
        from .settings import HallSettings

        return {"hall": HallSettings}

    def play_options(self) -> type[FarOptions]:
        from .options import FarOptions

        return FarOptions

    @contextmanager
    def guests(self, seating: Seating) -> Iterator[Sequence[Guest]]:
        from .settings import HallSettings

        if not seating.settings.of(HallSettings).broker:
            yield ()
            return
        from .teller import told  # which brings a client: only where one is wanted

        with told(seating, time.time(), time.monotonic, made_up_code) as guests:
            yield guests

    def page(self) -> PagePart:
        from .page import HallPage

        return HallPage()


def made_up_code() -> str:
    """Return six letters that nobody can guess."""
    return "".join(secrets.choice(string.ascii_uppercase) for _letter in range(6))


EXTRA = ManyTables()
