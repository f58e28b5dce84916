"""One evening, told alike by the simulated table, by the emulated chip and by the journal.

Its people answer what is asked, and say nothing else to the table: a replay hears no words.
"""

from collections.abc import Iterable, Iterator
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from firmware_bridge.build import MEGA
from hardware.ports import Change
from jetan_table.game.commands import AnswerQuestion
from jetan_table.game.events import Entry, Event, Header, Question
from jetan_table.journal.journal import Journal
from jetan_table.people.manners import PROFILES
from jetan_table.people.people import SimulatedPlay
from jetan_table.replay.recordings import Recording, RecordingHeader, microseconds
from jetan_table.replay.replay import ArchivedSensor, Replay, replay_of_game
from jetan_table.session.session import News
from jetan_table.settings import Settings
from jetan_table.table.games import begin_game
from jetan_table.terminal.terminal import next_due, table_of
from jetan_table.wiring import seat_people
from rules import Position, format_square, parse_position, parse_rules, squares_of
from tests.emulated.conftest import MakeBoard
from tests.emulated.replayed import observe
from tests.needs import EMULATOR

pytestmark = pytest.mark.needs(*EMULATOR)

BEGINS = 10.0

SETTLED_S = 12.0
"""So long after the last touch the table has read all it ever will."""
ENDGAME = "4q1c3/10/5f4/10/3w6/10/10/4F5/10/2W1CQ4 b - - 0 40"


class FreeClock:
    """A clock that passes time only where it is slept."""

    def __init__(self) -> None:
        self._now = BEGINS

    def now(self) -> float:
        return self._now

    def sleep(self, seconds: float) -> None:
        self._now += seconds


@dataclass(slots=True)
class Evening:
    """What was played at the simulated table, with each raw change of a switch."""

    start: Position
    play: SimulatedPlay
    changes: list[Change] = field(default_factory=list)

    @property
    def recording(self) -> Recording:
        closed = tuple(map(format_square, squares_of(self.start.occupied)))
        ends = microseconds(self.changes[-1].at + SETTLED_S)
        return Recording(RecordingHeader(closed=closed, t_end_us=ends), tuple(self.changes))

    def answer(self, question: Question) -> AnswerQuestion:
        move = self.play.table.record.game.plies[question.number - self.start.ply_number].move
        end = move.from_square if question.from_square is None else move.to_square
        return AnswerQuestion(format_square(end))


def events_in(news: Iterable[News]) -> Iterator[Event]:
    yield from (item.event for item in news if isinstance(item, Entry))


def played(journal: Journal, start: Position, people: str, seed: int) -> Evening:
    """Let simulated people play a game at a simulated table."""
    clock = FreeClock()
    opened = begin_game(journal, Header.of(start, clock.now()))
    play = seat_people(journal, opened, Settings(), PROFILES[people], seed, clock)
    evening = Evening(start, play)
    play.people.board.listener = lambda changes, until: evening.changes.extend(changes)
    play.run(lambda news: None)
    journal.flush()
    return evening


def seen_again(replay: Replay, evening: Evening) -> list[Event]:
    """Return the events that a table tells whose sensor sees it all once more."""
    events: list[Event] = []
    with table_of(replay) as table:
        while (due := next_due(replay, table)) <= replay.ends_at:
            events += events_in(table.step(due))
            if table.view.question:
                events += events_in(table.obey(evening.answer(table.view.question), due))
    return events


@pytest.mark.parametrize(
    ("rules", "people", "seed"),
    [
        ("appendix,thoat=jumps", "careful", 4),
        pytest.param("ninth-ray-clockwise", "careful-disk", 2, marks=pytest.mark.ci),
    ],
)
def test_chip_table_and_journal_tell_the_same_evening(
    tmp_path: Path, make_board: MakeBoard, rules: str, people: str, seed: int
) -> None:
    start = parse_position(ENDGAME, parse_rules(rules))
    with closing(Journal(tmp_path)) as journal:
        evening = played(journal, start, people, seed)
        kept = replay_of_game(journal.archive, evening.play.table.game)
        events = list(events_in(journal.archive.entries(evening.play.table.game)))
    assert len(evening.play.table.record.moves) > 3
    assert seen_again(kept, evening) == events
    observations = observe(make_board(MEGA), evening.recording, round(Settings().reed.debounce_ms))
    chip = Replay("chip", start, ArchivedSensor(observations), evening.recording.ends_at)
    assert seen_again(chip, evening) == events
