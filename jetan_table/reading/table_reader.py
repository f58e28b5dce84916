"""The readers of a table: by what hands do to switches, or by looks at the whole board."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Protocol, TypeAlias

from hardware.ports import IN_DOUBT, SURELY_KNOWN, Believed, FaultKind, Observation
from rules import Square, parse_square

from .camera_reader import CameraReader
from .readings import Belief, JetanGame, Reading, Standing, occupants_of
from .scene import Rates
from .switch_reader import SwitchReader


class TableReader(Protocol):
    """Reads observations into plies."""

    @property
    def due(self) -> float | None:
        """Time at which to call `tick`, in seconds; before, nothing changes by itself."""
        ...

    @property
    def belief(self) -> Belief[Standing]:
        """The position as it is read now, and what is open in it."""
        ...

    @property
    def shown(self) -> tuple[Standing, ...]:
        """The positions that people may choose from, since it was said that the game is lost."""
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

    def stands(self, number: int, now: float) -> list[Reading[Standing]]:
        """The players say that board `number` of those shown stands there; ValueError if none."""
        ...


ReadBy: TypeAlias = Callable[[Standing, Mapping[Square, FaultKind]], TableReader]
"""Begins to read from a position that stands, at a board where these switches have failed."""


def by_switches(
    standing: Standing, faults: Mapping[Square, FaultKind], rates: Rates | None = None
) -> TableReader:
    """Read hands in the act, as switches show them, and whatever sees more beside them.

    `rates` are what the switches have shown on other evenings; they go on being counted.
    """
    return SwitchReader(JetanGame(), standing, standing.position.ply_number, faults, rates)


def by_looks(standing: Standing, faults: Mapping[Square, FaultKind]) -> TableReader:
    """Read looks at a board at rest, whose evidence may be thin; it has no switches to fail."""
    return CameraReader(JetanGame(), standing, standing.position.ply_number)


def believed_by(reader: TableReader) -> Believed | None:
    """Return what a reader believes of all that has been seen, for a sensor that learns from it.

    None while nothing explains that. Who reads switches is sure of every square but those that show
    something else, or are asked about.
    """
    if isinstance(reader, CameraReader):
        return reader.believed
    belief = reader.belief
    occupants, question = list(occupants_of(belief.position.position)), belief.question
    doubtful = [*belief.missing, *belief.extra, *belief.unseen]
    if question is not None:
        doubtful += question.squares
        doubtful += map(parse_square, filter(None, (question.from_square, question.to_square)))
    for square in doubtful:
        occupants[square] = IN_DOUBT
    return Believed(tuple(occupants), (SURELY_KNOWN,) * len(occupants))


def goes_on_astray(reader: TableReader | None) -> bool:
    """Return True if a reader follows hands also where the board is far from what it has told.

    One of looks always does. One of switches does where hands have played: not where they clear the
    board, which it would take for plies.
    """
    is_astray = isinstance(reader, SwitchReader) and reader.is_astray
    return isinstance(reader, CameraReader) or is_astray
