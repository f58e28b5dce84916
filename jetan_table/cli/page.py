"""Shows a table on its page: prints the address, opens a browser, and stops at a word."""

from __future__ import annotations

import os
import socket
import sys
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass

from rules.sentences import _

from ..journal.journal import Journal
from ..lamps.choice import LampChoice, kept_choice
from ..opponent.seat import Seat
from ..settings import Settings
from ..setup.guide import SetUp
from ..simulation.people import SimulatedPlay
from ..simulation.screen import ScreenBoard
from ..simulation.typed import TypedHands
from ..table.loop import Clock, Table
from ..terminal.typed import TypedWords
from ..web.access import Access
from ..web.asked import AskedTable, FarCalls
from ..web.camera import TableEye
from ..web.playing import Address, shown
from ..wiring import TABLE_PIN, BadPin, kept_pin, unguessable
from ..words.words import Speaker
from .signals import asked_to_end, tell_stopped


@dataclass(frozen=True, slots=True)
class Page:
    """How a table is shown on its page."""

    settings: Settings
    speaker: Speaker
    clock: Clock
    port: int
    """0: any free one."""
    is_open: bool
    """To all on this network."""
    opens: bool
    """In a browser, where there is a display."""
    set_up: SetUp | None = None
    """By which a table without a board may be set up."""
    path: str = ""
    """What of the page is opened."""

    def show(
        self,
        journal: Journal,
        table: Table,
        hands: TypedHands | None,
        typed: TypedWords | None,
        seat: Seat | None,
        people: SimulatedPlay | None = None,
        goes_on: Callable[[], bool] = lambda: True,
        eye: TableEye | None = None,
        screen: ScreenBoard | None = None,
        clock: Clock | None = None,
        far: FarCalls | None = None,
    ) -> bool:
        """Show a table until Ctrl-C, as long as it `goes_on` and simulated `people`, if any, play.

        Without a `clock` of its own the table has the page's. False if stopped.
        """
        pin = self._pin(journal)
        names = own_names(self.settings.web.names)
        access = Access(pin, names, self.clock.now, unguessable)
        look = self._light(journal, table)
        asked = AskedTable(
            table=table,
            hands=hands,
            screen=screen,
            typed=typed,
            seat=seat,
            archive=journal.archive,
            folder=journal.folder,
            clock=clock or self.clock,
            language=self.settings.table.language,
            eye=eye,
            look=look,
            far=far,
            scan_hz=self.settings.reed.scan_hz if screen is None else None,
        )
        address = Address(self.port, self.is_open)
        with (
            asked_to_end() as is_stopped,
            shown(asked, access, address, unguessable(), self.clock.now, self.set_up) as (
                page,
                port,
            ),
        ):
            self._tell(port, pin)
            while not (is_stopped() or self._is_set_up) and goes_on():
                if people is None:
                    page.step(page.wait_s or 1 / self.settings.reed.scan_hz)
                elif people.is_going_on():
                    page.step(0.0)
                    people.pause()
                else:
                    break
        if is_stopped():
            tell_stopped(self.speaker)
        return not is_stopped()

    def _pin(self, journal: Journal) -> str | None:
        """Return the table's PIN; None where it is damaged, as has been said."""
        try:
            return kept_pin(journal.folder, TABLE_PIN)
        except BadPin:
            return None

    def _light(self, journal: Journal, table: Table) -> LampChoice:
        """Let a table's lamps look as was chosen last; return how the settings have them."""
        lamps = self.settings.lamps
        look = LampChoice(lamps.palette, lamps.brightness)
        table.light_by(kept_choice(journal.folder, look))
        return look

    @property
    def _is_set_up(self) -> bool:
        """Whether the table is to begin anew, by the settings that set-up has written."""
        return self.set_up is not None and self.set_up.is_finished

    def _tell(self, port: int, pin: str | None) -> None:
        """Say where the page is; who opens it on this machine needs no PIN."""
        if self.set_up is not None:
            self.set_up.port = port
        host = lan_address() if self.is_open else "127.0.0.1"
        url = f"http://{host}:{port}/"
        say = self.speaker.say
        where = (
            _("The table's page, for everybody on this network: {url}")
            if self.is_open
            else _("The table's page: {url}")
        )
        asked = (
            _("Anyone may watch; changing something takes the PIN {pin}.")
            if self.is_open and pin is not None
            else _("Anyone may watch.")
            if self.is_open
            else _("For phones and other machines on this network: --lan")
        )
        print(say(where, url=url), say(asked, pin=pin), sep="\n")
        print(say(_("Ctrl-C stops; the game goes on next time.")), flush=True)
        if self.opens:
            show_in_browser(f"http://127.0.0.1:{port}/{self.path}")
        if self.is_open:
            import segno  # which draws codes: only where one is shown

            entered = url if pin is None else f"{url}#pin={pin}"
            segno.make(entered, micro=False).terminal(sys.stdout, compact=True)
            sys.stdout.flush()


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


def lan_address() -> str:
    """Return this machine's address on its network; nothing is sent to find it."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe, suppress(OSError):
        probe.connect(("192.0.2.1", 9))
        return str(probe.getsockname()[0])
    return "127.0.0.1"
