"""A table that cannot start: its page all the same, until it is worth trying again."""

import os
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from rules.sentences import _

from .. import __version__
from ..errors import TableError
from ..extras.commissioning.doctor_command import findings_here
from ..extras.updates.renewal import KEPT
from ..languages import Language, say_in
from ..notices import Notice, listed
from ..page.access import Access
from ..page.playing import EVERYWHERE, LOOPBACK
from ..page.safe import SafeTable, make_safe_app
from ..page.server import listen, running
from ..settings import Settings, find_settings, read_settings
from ..table.supervision import Heartbeat
from ..wiring import TABLE_PIN, kept_pin, unguessable
from .fault_light import corners_flashing
from .page import own_names, url_of
from .signals import asked_to_end

PACKAGES = (KEPT, Path("/var/cache/apt/archives"))
"""Root's own folders: a package that anybody else could have put there is not offered."""

LOOK_S = 1.0
"""The settings are looked at so often."""


def serve_safely(
    why: str,
    is_open: bool,
    port: int | None,
    data: Path,
    config: Path | None,
    lang: Language,
) -> bool:
    """Serve the page that says `why` there is no table; return whether to start one again.

    False where the system has asked to end. Raises PortTaken.
    """
    settings, language = Settings(), lang
    with suppress(TableError, OSError):
        settings = read_settings(find_settings(config, os.environ))
    pin = unguessable()
    with suppress(TableError, OSError, ValueError):
        pin = kept_pin(data, TABLE_PIN)
    names = own_names(settings.web.names)
    access = Access(pin, names, time.monotonic, unguessable)

    def examine() -> tuple[Notice, ...]:
        return listed(findings_here(data, config))

    table = SafeTable(data, access, language, why, examine, other_packages())
    host = EVERYWHERE if is_open else LOOPBACK
    listener = listen(host, settings.web.port if port is None else port)
    heartbeat, before = Heartbeat(os.environ), _stamp(config)
    with (
        asked_to_end() as is_stopped,
        listener,
        running(make_safe_app(table), listener),
        corners_flashing(data, config),
    ):
        url = url_of(is_open, listener.getsockname()[1])
        says = _("The table does not start: {why}. Its page has the games, and a backup: {url}")
        print(say_in(language, says, why=why, url=url), flush=True)
        while not is_stopped():
            heartbeat.beat(time.monotonic())
            if table.asks_again.wait(LOOK_S) or _stamp(config) != before:
                return True
    return False


def other_packages() -> Sequence[Path]:
    """Return the packages of other versions that lie in root's folders."""
    found = [path for folder in PACKAGES for path in sorted(folder.glob("jetan-table_*.deb"))]
    return [path for path in found if f"_{__version__}_" not in path.name]


def _stamp(config: Path | None) -> object:
    """Return what is another value once the settings have changed."""
    with suppress(OSError):
        path = find_settings(config, os.environ)
        if path is not None:
            stat = path.stat()
            return path, stat.st_mtime_ns, stat.st_size
    return None
