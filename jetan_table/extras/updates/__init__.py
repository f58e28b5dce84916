"""Another version of the table, and the way back."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING

from ... import __version__
from .. import Extra

if TYPE_CHECKING:
    import msgspec

    from rules import Notice

    from ...session.session import Guest
    from ...settings import Settings
    from ...wiring import Seating

__all__ = ("EXTRA", "settings", "versions")


class Updates(Extra):
    """Installs newer versions, and tells of them."""

    commands = {"update": "Install a newer version, with a way back."}

    def settings(self) -> Mapping[str, type[msgspec.Struct]]:
        from .settings import UpdateSettings

        return {"update": UpdateSettings}

    def guests(self, seating: Seating) -> AbstractContextManager[Sequence[Guest]]:
        from .settings import UpdateSettings

        source = seating.settings.of(UpdateSettings).source
        if not source:
            return nullcontext(())
        from .versions import UpdateWatch  # only where somebody looks

        return nullcontext((UpdateWatch(source, __version__),))

    def examine(self, settings: Settings, folder: Path) -> Iterator[Notice]:
        from .settings import UpdateSettings
        from .versions import update_finding

        yield update_finding(settings.of(UpdateSettings).source, __version__)


EXTRA = Updates()
