"""A board on a screen: it always stands right; or, when people want that, a simulated real one.

What is tapped on it is a ply for certain, so it has a reader of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from random import Random

from hardware.ports import Evidence as Likelihoods
from hardware.ports import Observation
from hardware.reed_sensor import Bouncing
from hardware.switches import FaultKind
from rules import SQUARES, Occupant, Position, Square, parse_move
from rules.sentences import Worded, _
from rules.topology import SQUARE_NAMES

from ..game.record import Record
from ..reading.jetan_game import JetanGame, Standing, occupants_of
from ..reading.readings import Belief, Evidence, Followed, Played, Reading
from ..reading.table_reader import TableReader, by_switches
from ..table.board import BoardHands, Plain
from .typed import HandRefused, TypedHands

SURE = 40.0
"""Nats: a picture cannot be mistaken."""

NO_MOVE_NOW = _("no move can be made just now: see what the table asks or waits for")


class ScreenBoard(Plain):
    """The board of a table that is a picture on a screen, and who reads it.

    Nothing is sensed and so nothing can be misread: pieces stand where the game has them, at once,
    and a ply is what people name. While it `simulates`, `typed` hands touch the reeds of a
    simulated board instead, and those are read as a real table's are.
    """

    hands: BoardHands | None = None
    trouble: Worded | None = None

    def __init__(self, typed: TypedHands, simulates: bool) -> None:
        self.typed, self.simulates = typed, simulates
        self._record: Callable[[], Record] | None = None
        self._shown: Mapping[Square, Occupant] = {}
        self._reader: CertainReader | None = None

    def follow(self, record: Callable[[], Record]) -> None:
        """Show from now on the game that `record` tells."""
        self._record = record

    @property
    def due(self) -> float | None:
        """When something happens next at the simulated switches; None for never."""
        return self.typed.board.due if self.simulates else None

    @property
    def bouncing(self) -> Mapping[Square, Bouncing]:
        """How the simulated switches have bounced."""
        return self.typed.board.bouncing if self.simulates else {}

    @property
    def is_behind(self) -> bool:
        """Whether the game has gone on since the last look, as where a ply was taken back."""
        return self._record is not None and self._shown != _occupants(self._record().stands)

    def simulate(self, is_wanted: bool) -> None:
        """Begin or cease to simulate a real board, from the game as it stands; hands are empty."""
        assert self._record is not None
        self.simulates, self._shown = is_wanted, {}
        if is_wanted:
            self.typed.sit_down(self._record().stands, Random("a table of its own"))

    def poll(self, now: float) -> Iterable[Observation]:
        """Return what has changed on the board since the last look."""
        return self.typed.board.poll(now) if self.simulates else self._look(now)

    def read_by(self, standing: Standing, faults: Mapping[Square, FaultKind]) -> TableReader:
        """Begin to read from a position that stands."""
        self._reader = None
        if self.simulates:
            return by_switches(standing, faults)
        self._reader = CertainReader(standing, standing.position.ply_number, faults)
        return self._reader

    def pick(self, square: Square | None) -> None:
        """Show where the piece of a square may go, which people are about to move; None: no one."""
        reader = self._ready()
        piece = None if square is None else reader.position.piece_at(square)
        is_own = piece is not None and piece.side is reader.position.side
        reader.picked = square if is_own else None

    def play(self, start: Square, end: Square, now: float) -> None:
        """Let a ply be played; IllegalMove where it is none, HandRefused where none can be now."""
        if not self._ready().name(start, end, now):
            raise HandRefused(NO_MOVE_NOW)

    def unplay(self) -> None:
        """Forget a ply that nobody has taken in yet."""
        if self._reader is not None:
            self._reader.unname()

    def _ready(self) -> CertainReader:
        if self._reader is None or self._record is None or self._record().ending is not None:
            raise HandRefused(NO_MOVE_NOW)
        return self._reader

    def _look(self, now: float) -> list[Observation]:
        """Show the game as it stands; what it has under others was cleared away by nobody."""
        if self._record is None:
            return []
        record = self._record()
        shown = _occupants(record.stands)
        news = {square: each for square, each in shown.items() if self._shown.get(square) != each}
        observations = []
        if record.remains:
            cleared = dict.fromkeys(record.remains, Occupant.EMPTY)
            observations.append(Observation(now, _evident(cleared)))
            news |= {square: shown[square] for square in record.remains}
        self._shown = shown
        if news:
            observations.append(Observation(now, _evident(news)))
        return observations


class CertainReader:
    """Reads plies that people name, not hands; what a sensor sees is none of its business.

    `failed` are the switches that the game remembers as failed: a screen has none, so they are said
    to follow again.
    """

    def __init__(self, standing: Standing, number: int, failed: Iterable[Square] = ()) -> None:
        self.picked: Square | None = None
        """The piece that people are about to move, which counts as in the air."""
        self._standing, self._number = standing, number
        self._failed = tuple(failed)
        self._named: list[Reading[Standing]] = []
        """What was named and is to be told at the next look."""
        self._told = standing, number
        """What stands by what was told."""
        self.due: float | None = 0.0 if self._failed else None
        """What was named is told at once; nothing becomes certain by waiting."""

    @property
    def position(self) -> Position:
        """The position that stands."""
        return self._standing.position

    @property
    def belief(self) -> Belief[Standing]:
        air = () if self.picked is None else (self.picked,)
        return Belief(self._standing, self._number, lifted=air, missing=frozenset(air))

    def name(self, start: Square, end: Square, now: float) -> bool:
        """Play from one square to another; IllegalMove where that is none.

        False where no ply can follow just now: a square is still fought for.
        """
        self.picked = None
        move = parse_move(SQUARE_NAMES[start] + SQUARE_NAMES[end], self.position)
        steps = JetanGame().steps_from(self._standing, move.from_square)
        step = next((step for step in steps if step.to_square == move.to_square), None)
        if step is None:
            return False
        self._named.append(Played(self._number, step, Evidence(now, now), now))
        self._standing, self._number, self.due = step.after, self._number + 1, now
        return True

    def unname(self) -> None:
        """Forget what was named and is not told yet."""
        self._named = []
        self._standing, self._number = self._told
        self.due = 0.0 if self._failed else None

    def observe(self, observation: Observation) -> list[Reading[Standing]]:
        """Return what was named."""
        return self.tick(observation.at)

    def tick(self, now: float) -> list[Reading[Standing]]:
        """Return what was named."""
        failed, self._failed = self._failed, ()
        read, self._named = [*(Followed(square, now) for square in failed), *self._named], []
        self._told = self._standing, self._number
        self.due = None
        return read

    def answer(self, number: int, square: Square) -> list[Reading[Standing]]:
        """Nothing is ever asked: ValueError."""
        raise ValueError(f"ply {number} is certain")


def _occupants(position: Position) -> dict[Square, Occupant]:
    found = occupants_of(position)
    return {square: Occupant(found[square]) for square in SQUARES}


def _evident(squares: Mapping[Square, Occupant]) -> dict[Square, Likelihoods | None]:
    return {square: _EVIDENCE[occupant] for square, occupant in squares.items()}


_EVIDENCE: Mapping[Occupant, Likelihoods] = {
    Occupant.EMPTY: (0.0, -SURE, -SURE, -SURE),
    Occupant.BLACK: (-SURE, 0.0, -SURE, -SURE),
    Occupant.ORANGE: (-SURE, -SURE, 0.0, -SURE),
    Occupant.NEUTRAL: (-SURE, -SURE, -SURE, 0.0),
}
