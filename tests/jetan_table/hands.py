"""A pair of hands at a table whose switches are perfect: for tests of what stands above them."""

from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Any

from hardware.ports import FaultKind, Observation
from hardware.reeds import reed_evidence
from jetan_table.engine.process import EngineProcess, start_engine
from jetan_table.game.events import Entry, Event, Header
from jetan_table.game.record import Record
from jetan_table.session.session import News, Session
from jetan_table.session.view import Phase, View
from rules import (
    SQUARES,
    Position,
    Rules,
    Square,
    format_position,
    format_rules,
    letters,
    parse_rules,
    parse_square,
)

NO_FAULTS: Mapping[Square, FaultKind] = MappingProxyType({})
# A black Dwar may take on d8 or e7; both stay occupied when it does so without a gap.
ASKING = "5c4/10/3p6/4p5/10/3D6/10/10/P9/5QC3 b - - 0 1"

EVIDENCE = {is_closed: reed_evidence(is_closed) for is_closed in (False, True)}


def header(rules: Rules | None = None, start: str | None = None) -> Header:
    """The header of a game from `start`, or from the rules' own start."""
    rules = rules or parse_rules("appendix")
    text = start or format_position(Position.start(rules))
    return Header(started=1.0, rules=format_rules(rules), start=text, version="test")


def seen(position: Position, *events: Event, phase: Phase = Phase.PLAYING, **shown: Any) -> View:
    """The view of a game from a position in which these events have happened."""
    record = Record.fold(Header.of(position, 1.0), [Entry(1.0, event) for event in events])
    return replace(View(phase, record, record.stands), **shown)


def board_of(
    position: Position, at: float, faults: Mapping[Square, FaultKind] = NO_FAULTS
) -> Observation:
    """What a sensor sees first, where the board stands right but for failed switches."""
    closed = {square: kind is FaultKind.STUCK for square, kind in faults.items()}
    closed = dict.fromkeys(letters(position), True) | closed
    return Observation(at, {square: EVIDENCE[closed.get(square, False)] for square in SQUARES})


class Hands:
    """Plays on a session; `news` is all that it has told."""

    def __init__(
        self, session: Session, position: Position | None = None, at: float = 100.0
    ) -> None:
        self.session = session
        self.at = at
        self.news: list[News] = []
        shown = position or session.record.position
        self.news += session.observe(board_of(shown, self.at, session.record.faults))

    def lift(self, name: str, after_s: float = 0.4) -> None:
        self._see(parse_square(name), False, after_s)

    def put(self, name: str, after_s: float = 0.4) -> None:
        self._see(parse_square(name), True, after_s)

    def fail(self, name: str, is_occupied: bool) -> None:
        """Let a switch fail."""
        self._see(parse_square(name), is_occupied)

    def move(self, start: str, end: str) -> None:
        self.lift(start)
        self.put(end)
        self.wait()

    def take(self, start: str, end: str) -> None:
        self.lift(end)
        self.move(start, end)

    def wait(self, seconds: float = 5.0) -> None:
        for _ in range(int(seconds * 10)):
            self.at += 0.1
            self.news += self.session.tick(self.at)

    def _see(self, square: Square, is_occupied: bool, after_s: float = 0.4) -> None:
        self.at += after_s
        observation = Observation(self.at, {square: EVIDENCE[is_occupied]})
        self.news += self.session.observe(observation)


def hands_at(start: str | None = None) -> Hands:
    """Hands at a new game of the default rules."""
    return Hands(Session(Record.begin(header(start=start))))


def events(hands: Hands) -> list[Event]:
    return [entry.event for entry in hands.news if isinstance(entry, Entry)]


def plies(hands: Hands) -> tuple[str, ...]:
    return hands.session.view.record.moves


def advising(rules: Rules) -> EngineProcess:
    """Start an adviser's engine that answers the same each time."""
    return start_engine("jeddak", rules, 1)
