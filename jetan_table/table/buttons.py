"""What the buttons of a board do at the table."""

from collections.abc import Callable
from contextlib import suppress

from hardware.reeds import Button, ButtonPress

from ..errors import TableError
from ..game.commands import AskAdvice, BoardIsRight, Command, PressClock, RollDie
from ..game.rolling import is_roll_due
from .loop import Clock, Table


class TableButtons:
    """The die button rolls, or presses the clock; the menu button says that the board is right.

    Where nothing says otherwise, the menu button asks for a hint. A long press of it wants the
    table shut down: `is_off` then, and for good. What a button cannot do just now it does not do.
    """

    def __init__(
        self, table: Table, clock: Clock, take_presses: Callable[[], list[ButtonPress]]
    ) -> None:
        self.is_off = False
        self._table, self._clock, self._take_presses = table, clock, take_presses

    def go_on(self) -> bool:
        """Do what was pressed, and return whether the table goes on."""
        for press in self._take_presses():
            if press.button == "menu" and press.is_long:
                self.is_off = True
            elif not press.is_long:
                self._press(press.button)
        return not self.is_off

    def _press(self, button: Button) -> None:
        by_menu: tuple[Command, ...] = (BoardIsRight(), AskAdvice())
        for command in (self._by_die(),) if button == "die" else by_menu:
            with suppress(TableError):
                self._table.obey(command, self._clock.now())
                return

    def _by_die(self) -> RollDie | PressClock:
        """Return what the die button means: the clock, unless a roll is due."""
        record = self._table.record
        takes_press = record.clocks is not None and record.clocks.takes_press
        is_clock = record.terms.is_paused or takes_press
        return PressClock() if is_clock and not is_roll_due(record) else RollDie()
