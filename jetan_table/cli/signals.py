"""What the system asks of a table that plays: to end, and how that is done in order.

Ctrl-C is SIGINT, a service manager sends SIGINT or SIGTERM, a terminal that is closed SIGHUP.
"""

import signal
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from threading import Event
from types import FrameType
from typing import Final

import click

from rules.sentences import Sentence, _

from ..errors import TableError
from ..light.words import Speaker
from ..table.supervision import EXIT_SHUT_DOWN

GOES_ON: Final = _("Stopped; the game goes on next time.")

ENDING: Final = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)

EXIT_SIGNAL: Final = 128
"""With the signal's number added, as a shell reports it."""


class SignalledEnd(SystemExit):
    """The system asks to end; `code` is the exit code for that."""


@contextmanager
def ends_in_order(speaker: Speaker, leave: Sentence = GOES_ON) -> Iterator[None]:
    """Let a signal end the block as an exception does, so that all is closed, and then say so."""

    asked: list[SignalledEnd] = []

    def end(number: int, frame: FrameType | None) -> None:
        for other in ENDING:  # nothing interrupts the closing
            signal.signal(other, signal.SIG_IGN)
        asked.append(SignalledEnd(EXIT_SIGNAL + number))
        raise asked[0]

    try:
        with _handled(end):
            yield
    except (SignalledEnd, OSError) as error:
        # A terminal that is gone takes no leave; what the journal has to say is heard.
        if not asked or isinstance(error, TableError):
            raise
        tell_stopped(speaker, leave)
        raise asked[0] from None


@contextmanager
def asked_to_end() -> Iterator[Callable[[], bool]]:
    """Tell whether the system has asked to end; it is the block that ends then."""
    asked = Event()
    with _handled(lambda number, frame: asked.set()):
        yield asked.is_set


def tell_stopped(speaker: Speaker, leave: Sentence = GOES_ON) -> None:
    """Say that the game goes on next time, where there is still somebody to hear it."""
    with suppress(OSError):
        click.echo(speaker.say(leave), err=True)


def shut_down() -> None:
    """Switch the machine off; end with EXIT_SHUT_DOWN where this user may not."""
    if subprocess.run(["systemctl", "poweroff"], check=False).returncode:
        raise SystemExit(EXIT_SHUT_DOWN)


@contextmanager
def _handled(handler: Callable[[int, FrameType | None], None]) -> Iterator[None]:
    """Let these signals be handled so; what a caller lets nohup ignore stays ignored."""
    before = {number: signal.getsignal(number) for number in ENDING}
    if before[signal.SIGHUP] == signal.SIG_IGN:
        del before[signal.SIGHUP]
    for number in before:
        signal.signal(number, handler)
    try:
        yield
    finally:
        for number, earlier in before.items():
            signal.signal(number, earlier)
