"""Lamps of a table that cannot start, lit by a process of its own, which alone may fail.

`python -m jetan_table.cli.fault_light DATA [CONFIG]` lights until its input ends.
"""

import os
import select
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Final

from hardware.ports import RGB
from rules import parse_square

from ..boards.opening import open_board
from ..light.lamps import Cue, LampChoice, Lighting, kept_choice, lights
from ..notices import CHECKS, START_CHECK
from ..settings import Settings, find_settings, read_settings

CORNERS: Final = tuple(map(parse_square, CHECKS[START_CHECK].lamps))
FLASH_STEP_S: Final = 0.02
TO_LEAVE_S: Final = 3.0
"""Seconds for it to put the lamps out and let go of the board."""


@contextmanager
def corners_flashing(data: Path, config: Path | None) -> Iterator[None]:
    """Light the lamps of the settings' board, where they can be reached, while the block runs."""
    # The driver may be what fails, or hang in a library: in this process it would take the page
    # along.
    words = [sys.executable, "-m", __name__, str(data), *([] if config is None else [str(config)])]
    try:
        process = subprocess.Popen(
            words,
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            process_group=0,  # an interrupt is for who serves the page, and then ends it
        )
    except OSError:
        yield
        return
    with process:
        try:
            yield
        finally:
            with suppress(OSError, subprocess.TimeoutExpired):
                process.communicate(timeout=TO_LEAVE_S)
            process.kill()


def light_until_end(
    settings: Settings, choice: LampChoice, descriptor: int, clock: Callable[[], float]
) -> None:
    """Flash the corners until the input at `descriptor` ends; raises what opening a board does."""
    with closing(open_board(settings, clock, time.sleep)) as board:
        while not select.select([descriptor], [], [], FLASH_STEP_S)[0]:
            board.poll(clock())  # by which a board on a cable is greeted
            board.show(corners_lit(settings, choice, clock()))


def corners_lit(settings: Settings, choice: LampChoice, now: float) -> Sequence[RGB]:
    """Return the lamps' colours at a time: the corners are lit as failed switches are."""
    lamps = settings.lamps
    light = Lighting(choice.palette, lamps.lamp_of(), choice.brightness, lamps.limit_ma)
    cues = dict.fromkeys(CORNERS, Cue.FAULT)
    return lights(cues, light, now)


def main() -> None:
    """Light the lamps that the settings name, if they are a real board's."""
    data, *config = map(Path, sys.argv[1:])
    settings = read_settings(find_settings(config[0] if config else None, os.environ))
    if settings.table.board in ("pins", "serial"):
        set_so = LampChoice(settings.lamps.palette, settings.lamps.brightness)
        light_until_end(settings, kept_choice(data, set_so), sys.stdin.fileno(), time.monotonic)


if __name__ == "__main__":
    main()
