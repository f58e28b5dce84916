"""`jetan serve`: the table and its page without a screen, and the page of one that cannot start."""

import os
import time
from collections.abc import Sequence
from contextlib import suppress
from itertools import chain
from pathlib import Path
from typing import Annotated

import click

from rules.sentences import _

from .. import __version__
from ..boards.fault_light import corners_flashing
from ..errors import TableError
from ..extras import extras
from ..languages import Language, refused_in, say_in
from ..machine.service import KEPT_PACKAGES
from ..notices import Notice, listed
from ..page.access import Access
from ..page.playing import EVERYWHERE, LOOPBACK
from ..page.safe import SafeTable, make_safe_app
from ..page.server import listen, running
from ..settings import Settings, find_settings, read_settings
from ..table.heartbeat import Heartbeat
from ..wiring import TABLE_PIN, kept_pin, unguessable
from . import refusals
from .options import Config, Data, Lang, Port, command
from .page import asked_to_end, own_names, url_of
from .play import play

PACKAGES = (KEPT_PACKAGES, Path("/var/cache/apt/archives"))
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
        found = (each.examine_table(data, config) for each in extras().values())
        return listed(chain.from_iterable(found))

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


@command("jetan serve --lan", "jetan serve --port 8080 --data here", "jetan serve --help")
def serve(
    lan: Annotated[bool, "Let everybody on this network watch."],
    port: Port,
    safe: Annotated[bool, "Only the page, the games and what the doctor says."],
    data: Data,
    config: Config,
    lang: Lang,
) -> int:
    """Run the table and serve its page, without opening a browser.

    Add `?wall` to the address for a screen on the wall: the board alone, large. A service that has
    failed to start three times comes up with --safe: without a board, and its page says why.
    """
    from ..table.starts import MOST_BAD, Starts  # a table: only once its help is not all

    starts = Starts(os.environ)
    if safe or starts.bad >= MOST_BAD:
        starts.give_one_more()
        unknown = _("it was asked to, by --safe") if safe else _("it hung, or was killed")
        why = starts.why or say_in(lang, unknown)
        if not serve_safely(why, lan, port, data, config, lang):
            return 0
    starts.begin()
    try:
        if port is None:  # phones and updates look for it where it was: it gives way to nobody
            port = read_settings(find_settings(config, os.environ)).web.port
        code: int = click.get_current_context().invoke(
            play, lan=lan, port=port, data=data, config=config, lang=lang, browser=False
        )
    except Exception as error:
        why = refused_in(lang, error)
        is_defect = not isinstance(error, (*refusals(), click.ClickException))
        starts.failed(f"{type(error).__name__}: {why}" if is_defect else why)
        raise
    except SystemExit:
        starts.good()
        raise
    starts.good()
    return code
