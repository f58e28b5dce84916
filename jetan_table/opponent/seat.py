"""The opponent's seat at a table, empty or not; and who advises people, beside it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from rules import Side

from ..table.dice import Dice
from ..table.loop import Table
from .adviser import EngineAdviser

if TYPE_CHECKING:
    from ..engine.process import EngineProcess
    from ..engine.protocol import Info
    from .engine_player import EnginePlayer

THINK_S = 2.0
"""How long it thinks about a move, unless told otherwise."""


@dataclass(frozen=True, slots=True)
class Guest:
    """An opponent that people ask to the table."""

    name: str
    """A level, or `command:` and another engine's command line."""
    side: Side
    think_s: float = THINK_S
    """Seconds a move."""
    ponders: bool = False
    """Whether it thinks on the people's time, too."""
    plays_both: bool = False
    """Whether it plays both sides, beginning with `side`."""


class Seat:
    """Seats one guest after another; each thinks in a process of its own, and so does the adviser.

    `wait_s` is how long one look at the table may wait for an answer.
    """

    def __init__(self, table: Table, dice: Dice, wait_s: float = 0.0) -> None:
        self.guest: Guest | None = None
        self._table, self._dice, self._wait_s = table, dice, wait_s
        self._engine: EngineProcess | None = None
        self._player: EnginePlayer | None = None
        self._adviser = table.adviser = EngineAdviser(self._start_adviser, wait_s)

    @property
    def thinking(self) -> Info | None:
        """What the guest thinks of the game; None without one."""
        return None if self._player is None else self._player.thinking

    @property
    def plays_now(self) -> bool:
        """Whether it is the guest's turn."""
        record = self._table.record
        guest = self.guest
        is_to_move = guest is not None and (guest.plays_both or guest.side is record.position.side)
        return is_to_move and record.ending is None and not record.unsettled

    def invite(self, guest: Guest | None) -> None:
        """Let a guest take the place of the one before, or nobody.

        UnknownLevel or EngineLost where there is no such player; the one before then stays.
        """
        if guest is None:
            self._empty()
            return
        from ..engine.process import start_engine  # a search is heavy: only where one is wanted
        from ..engine.search import Limits
        from .engine_player import EnginePlayer

        engine = start_engine(guest.name, self._table.record.position.rules)
        self._empty()
        self.guest, self._engine = guest, engine
        limits = Limits(seconds=guest.think_s)
        self._player = self._table.opponent = EnginePlayer(
            guest.side, engine, limits, self._dice, self._wait_s, guest.ponders
        )

    def follow(self) -> None:
        """Let a guest who plays both sides play the one whose turn it is."""
        if self._player is not None and self.guest is not None and self.guest.plays_both:
            self._player.side = self._table.session.record.stands.side

    def close(self) -> None:
        """Let whoever is there go."""
        self._empty()
        self._table.adviser = None
        self._adviser.close()

    def _start_adviser(self) -> EngineProcess:
        from ..engine.levels import FULL
        from ..engine.process import start_engine

        return start_engine(FULL, self._table.record.position.rules)

    def _empty(self) -> None:
        self._table.opponent = self._player = None
        self.guest = None
        if self._engine is not None:
            self._engine.close()
            self._engine = None
