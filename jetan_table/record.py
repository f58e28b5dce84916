"""One game as its events tell it: fold them in order, and this is where the game stands."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from jetan_table.archive import BadJournal
from jetan_table.events import (
    RESULTS,
    Answer,
    Correction,
    Ending,
    Entry,
    Fault,
    Header,
    Ply,
    Question,
    Recall,
    TakeBack,
    Wander,
)
from jetan_table.reading.readings import FaultKind
from rules import (
    Move,
    Position,
    RulesError,
    Square,
    format_move,
    parse_move,
    parse_position,
    parse_rules,
    parse_square,
)


@dataclass(frozen=True, slots=True)
class PlayedPly:
    """A ply that stands. `after` includes what the Juggernaut did upon it, if anything."""

    number: int
    text: str
    move: Move
    at: float
    before: Position
    after: Position
    has_wandered: bool = False


@dataclass(frozen=True, slots=True)
class Record:
    """A game so far. `start` is its position before the first ply that stands here.

    With a `question` open, the ply asked about is not among `plies` yet, and what has followed it
    is `held` until the answer tells on which position it was played.
    """

    header: Header
    start: Position
    plies: tuple[PlayedPly, ...] = ()
    question: Question | None = None
    held: tuple[Entry, ...] = ()
    faults: Mapping[Square, FaultKind] = field(default_factory=dict)
    ending: Ending | None = None

    @classmethod
    def begin(cls, header: Header) -> Record:
        """Return a game before its first event."""
        return cls(header, parse_position(header.start, parse_rules(header.rules)))

    @classmethod
    def read(cls, header: Header, entries: Iterable[Entry]) -> Record:
        """Return the game the journal tells; BadJournal where its events do not fit together."""
        try:
            record = cls.begin(header)
            for entry in entries:
                record = record.after(entry)
        except RulesError as error:
            raise BadJournal(f"the journal does not fit its rules: {error}") from error
        return record

    @property
    def position(self) -> Position:
        """Where the game stands, as far as it is certain."""
        return self.plies[-1].after if self.plies else self.start

    @property
    def moves(self) -> tuple[str, ...]:
        """The texts of the plies that stand, those that wait for an answer included."""
        told = [ply.text for ply in self.plies]
        if self.question:
            told.append(f"{self.question.from_square}x?")
            told += (entry.event.move for entry in self.held if isinstance(entry.event, Ply))
        return tuple(told)

    def after(self, entry: Entry) -> Record:
        """Return the game with one event more; BadJournal or a RulesError where it cannot be."""
        match entry.event:
            case Question() as question:
                return replace(self, question=question, held=())
            case Answer(number=number, move=text):
                return self._answered(number, text, entry.at)
            case TakeBack(number=number) if self.question and number == self.question.number:
                return replace(self, question=None, held=())
            case Ply() | TakeBack() | Wander() | Recall() if self.question:
                return replace(self, held=(*self.held, entry))
            case Ply(number=number, move=text):
                return self._played(number, text, entry.at)
            case TakeBack(number=number):
                return self._taken_back(number)
            case Wander(to_square=name):
                return self._wandered(self.position.move_juggernaut(parse_square(name)), True)
            case Recall() if self.plies:
                last = self.plies[-1]
                return self._wandered(last.before.play(last.move), False)
            case Fault(square=name, fault=kind):
                faults = {**self.faults, parse_square(name): FaultKind(kind)}
                return replace(self, faults=faults)
            case Correction(position=text):
                start = parse_position(text, self.start.rules)
                return Record(self.header, start, faults=self.faults)
            case Ending() as ending:
                return replace(self, ending=ending)
        raise BadJournal(f"{entry.event!r} cannot follow here")

    def _played(self, number: int, text: str, at: float) -> Record:
        before = self.position
        if number != before.ply_number:
            raise BadJournal(f"ply {number} ({text}) follows ply {before.ply_number - 1}")
        move = parse_move(text, before)
        ply = PlayedPly(number, format_move(move, before), move, at, before, before.play(move))
        return replace(self, plies=(*self.plies, ply))

    def _answered(self, number: int, text: str, at: float) -> Record:
        if not self.question or self.question.number != number:
            raise BadJournal(f"ply {number} ({text}) was not asked about, and is answered")
        record = replace(self, question=None, held=())._played(number, text, at)
        for entry in self.held:
            record = record.after(entry)
        return record

    def _taken_back(self, number: int) -> Record:
        if not self.plies or self.plies[-1].number != number:
            raise BadJournal(f"ply {number} is not the last one, and is taken back")
        return replace(self, plies=self.plies[:-1], ending=None)

    def _wandered(self, position: Position, has_wandered: bool) -> Record:
        if not self.plies:
            return replace(self, start=position)
        last = replace(self.plies[-1], after=position, has_wandered=has_wandered)
        return replace(self, plies=(*self.plies[:-1], last))


def ending_of(position: Position) -> Ending | None:
    """Return how the rules end the game here; None while it goes on."""
    outcome = position.outcome
    if outcome is None:
        return None
    return Ending(RESULTS[outcome.winner], outcome.termination.value)
