"""Who reads a table: by what hands do to switches, or by looks at the whole board."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Protocol, TypeAlias

from hardware.ports import Observation
from hardware.switches import FaultKind
from rules import Square

from .camera_reader import CameraReader
from .jetan_game import JetanGame, Standing
from .readings import Belief, Reading
from .switch_reader import SwitchReader


class TableReader(Protocol):
    """Reads observations into plies."""

    @property
    def due(self) -> float | None:
        """When to call `tick`, in seconds: before that time alone changes nothing; None: never."""
        ...

    @property
    def belief(self) -> Belief[Standing]:
        """What is held true now."""
        ...

    def observe(self, observation: Observation) -> list[Reading[Standing]]:
        """Take in what a sensor saw, and return what follows from it."""
        ...

    def tick(self, now: float) -> list[Reading[Standing]]:
        """Let time pass, and return what has become certain by it; nobody calls it before `due`."""
        ...

    def answer(self, number: int, square: Square) -> list[Reading[Standing]]:
        """The players say which candidate a question meant; ValueError if it was none."""
        ...


ReadBy: TypeAlias = Callable[[Standing, Mapping[Square, FaultKind]], TableReader]
"""Begins to read from a position that stands, at a board where these switches have failed."""


def by_switches(standing: Standing, faults: Mapping[Square, FaultKind]) -> TableReader:
    """Read hands in the act, as switches show them, and whatever sees more beside them."""
    return SwitchReader(JetanGame(), standing, standing.position.ply_number, faults)


def by_looks(standing: Standing, faults: Mapping[Square, FaultKind]) -> TableReader:
    """Read looks at a board at rest, whose evidence may be thin; it has no switches to fail."""
    return CameraReader(JetanGame(), standing, standing.position.ply_number)
