"""Shows a table on its page, or why it cannot start, until the system asks it to end.

Ctrl-C is SIGINT, a service manager sends SIGINT or SIGTERM, a terminal that is closed SIGHUP.
"""

import os
import socket
import sys
import time
from collections.abc import Sequence
from contextlib import suppress
from itertools import chain
from pathlib import Path

from rules import Notice, _

from .. import __version__
from ..boards.screen import ScreenBoard
from ..errors import TableError
from ..extras import extras
from ..languages import Language, say_in
from ..light.lamps import LampChoice, kept_choice
from ..light.words import Speaker
from ..machine.service import KEPT_PACKAGES
from ..notices import listed
from ..page.access import Access
from ..page.asked import AskedTable
from ..page.playing import EVERYWHERE, LOOPBACK, Address, shown
from ..page.safe import SafeTable, make_safe_app
from ..page.server import listen, running
from ..settings import Settings, find_settings, origins, read_settings
from ..table.supervision import Heartbeat
from ..wiring import TABLE_PIN, BadPin, kept_pin, unguessable
from .at_table import PlayedTable, stop_requested
from .fault_light import corners_flashing
from .options import Say

OTHER_PORTS = 20
"""Ports after the usual one that may be taken instead, if nobody has chosen one."""


def show_page(address: Address, opens: bool, path: str, played: PlayedTable) -> None:
    """Show a table on its page as long as it goes on.

    If it `opens` and there is a display, a browser shows the page at `path`.
    """
    settings, clock, journal = played.options.settings, played.options.clock, played.journal
    seating = played.seating
    screen = played.board if isinstance(played.board, ScreenBoard) else None
    pin = None
    with suppress(BadPin):  # which has been said
        pin = kept_pin(journal.folder, TABLE_PIN)
    access = Access(pin, own_names(settings.web.names), clock.now, unguessable)
    look = LampChoice(settings.lamps.palette, settings.lamps.brightness)
    played.table.light_by(kept_choice(journal.folder, look))
    asked = AskedTable(
        table=played.table,
        hands=seating.hands,
        screen=screen,
        typed=played.typed,
        archive=journal.archive,
        folder=journal.folder,
        clock=seating.clock,
        language=settings.table.language,
        eye=played.camera,
        look=look,
        scan_hz=settings.reed.scan_hz if screen is None else None,
    )
    with shown(asked, access, address, unguessable(), clock.now) as (page, port):
        seating.port = port
        tell_where(address, port, pin, seating.speaker)
        if opens:
            show_in_browser(url_of(False, port) + path)
        if address.is_open:
            url = url_of(True, port)
            show_code(url if pin is None else f"{url}#pin={pin}")
        # The page's step waits for requests, so that people are answered at once between two looks.
        while not played.table.is_done and played.goes_on():
            if played.people is None:
                page.step(page.wait_s or 1 / settings.reed.scan_hz)
            else:
                page.step(0.0)
                played.pause()


def tell_where(address: Address, port: int, pin: str | None, speaker: Speaker) -> None:
    """Print the page's address; on this machine itself it needs no PIN."""
    is_open, say = address.is_open, speaker.say
    where = (
        _("The table's page, for everybody on this network: {url}")
        if is_open
        else _("The table's page: {url}")
    )
    asked = (
        _("Anyone may watch; changing something takes the PIN {pin}.")
        if is_open and pin is not None
        else _("Anyone may watch.")
        if is_open
        else _("For phones and other machines on this network: --lan")
    )
    say_moved(address.port, port, say)
    print(say(where, url=url_of(is_open, port)), say(asked, pin=pin), sep="\n")
    print(say(_("Ctrl-C stops; the game goes on next time.")), flush=True)


def address_of(port: int | None, is_open: bool, settings: Settings, config: Path | None) -> Address:
    """Return the address of a page; a port that nobody has chosen may give way to another."""
    if port is not None:
        return Address(port, is_open)
    is_chosen = ("web", "port") in origins(find_settings(config, os.environ))
    return Address(settings.web.port, is_open, 0 if is_chosen else OTHER_PORTS)


def say_moved(port: int, to: int, say: Say) -> None:
    """Say so if a page is at another port than where it is looked for."""
    if port not in (0, to):
        where = _("Port {port} is taken by another program; the page is at port {to}.")
        print(say(where, port=port, to=to))


def show_in_browser(url: str) -> None:
    """Open a page in this machine's browser, if there is a display."""
    if _has_display():
        import webbrowser

        webbrowser.open(url)


def _has_display() -> bool:
    return sys.platform == "darwin" or any(map(os.environ.get, ("DISPLAY", "WAYLAND_DISPLAY")))


def own_names(named: str) -> list[str]:
    """Return the names browsers may reach this machine by."""
    own = socket.gethostname()
    return [own, f"{own}.local", *(name.strip() for name in named.split(",") if name.strip())]


def url_of(is_open: bool, port: int) -> str:
    """Return the address of a page: for this machine, or for everybody on its network."""
    host = LOOPBACK
    if is_open:  # nothing is sent to find its address there
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe, suppress(OSError):
            probe.connect(("192.0.2.1", 9))
            host = probe.getsockname()[0]
    return f"http://{host}:{port}/"


def show_code(text: str) -> None:
    """Draw a text as a code that phones read."""
    import segno  # takes long to import: only where one is shown

    segno.make(text, micro=False).terminal(sys.stdout, compact=True)
    sys.stdout.flush()


PACKAGES = (KEPT_PACKAGES, Path("/var/cache/apt/archives"))
"""Root's own folders: a package that anybody else could have put there is not offered."""


SETTINGS_LOOK_S = 1.0
"""Seconds between two looks at the settings' file."""


def serve_safely(
    why: str,
    is_open: bool,
    port: int | None,
    data: Path,
    config: Path | None,
    lang: Language,
) -> bool:
    """Serve the page that says `why` there is no table; return True to start one again.

    False once the system has asked to end. Raises PortTaken.
    """
    # Whatever keeps the table from starting may also be wrong here, so nothing in this is needed:
    # without settings the page has its usual port, without a PIN nobody gets in but this machine.
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
        stop_requested() as is_stopped,
        listener,
        running(make_safe_app(table), listener),
        corners_flashing(data, config),
    ):
        url = url_of(is_open, listener.getsockname()[1])
        says = _("The table does not start: {why}. Its page has the games, and a backup: {url}")
        print(say_in(language, says, why=why, url=url), flush=True)
        while not is_stopped():
            heartbeat.beat(time.monotonic())
            if table.asks_again.wait(SETTINGS_LOOK_S) or _stamp(config) != before:
                return True
    return False


def other_packages() -> Sequence[Path]:
    """Return the packages of other versions that lie in root's folders."""
    found = [path for folder in PACKAGES for path in sorted(folder.glob("jetan-table_*.deb"))]
    return [path for path in found if f"_{__version__}_" not in path.name]


def _stamp(config: Path | None) -> object:
    """Return a value that changes with the settings' file."""
    with suppress(OSError):
        path = find_settings(config, os.environ)
        if path is not None:
            stat = path.stat()
            return path, stat.st_mtime_ns, stat.st_size
    return None
