"""A board on its cable with the real driver at the host's end, all in virtual time."""

from collections.abc import Sequence

from firmware_bridge import BoardSettings, SerialBoard
from hardware.ports import Change, Observation, Switch, presence
from rules import SQUARES, Square
from tests.emulated.cable import Faults, VirtualPort, unharmed
from tests.emulated.emulated_board import EmulatedBoard

SWITCH_OF = tuple(Switch(square) for square in SQUARES)
STEP_S = 0.005


class Rig:
    """`occupied` is what has been told so far; `events` each change, with the table's time."""

    def __init__(
        self,
        board: EmulatedBoard,
        settings: BoardSettings | None = None,
        to_board: Faults = unharmed,
        to_host: Faults = unharmed,
    ) -> None:
        self.board = board
        self.port = VirtualPort(board, to_board=to_board, to_host=to_host)
        self.driver = SerialBoard(self.port, settings or BoardSettings(), SWITCH_OF)
        self.occupied: set[Square] = set()
        self.events: list[tuple[float, Square, bool]] = []
        self._has_begun = False

    @property
    def now(self) -> float:
        return self.board.now

    def press(self, at: float, square: int, closed: bool = True) -> None:
        """Let one switch close, or open."""
        self.board.change([Change(at, Switch(square), closed)])

    def change(self, changes: Sequence[Change]) -> None:
        self.board.change(changes)

    def step(self) -> list[Observation]:
        """Let one step of the table's loop pass."""
        self.port.run_until(self.now + STEP_S)
        observations = self.driver.poll(self.now)
        for observation in observations:
            self._note(observation)
        return observations

    def run(self, seconds: float) -> None:
        """Let time pass, step by step."""
        end = self.now + seconds
        while self.now < end:
            self.step()

    def start(self) -> None:
        """Wait until the board's levels are known and it is set up."""
        self.run(0.2)
        assert self.driver.trouble is None

    def _note(self, observation: Observation) -> None:
        for square, evidence in observation.squares.items():
            assert evidence is not None
            is_occupied = presence(evidence) > 0
            if self._has_begun:
                self.events.append((observation.at, square, is_occupied))
            (self.occupied.add if is_occupied else self.occupied.discard)(square)
        self._has_begun = True
