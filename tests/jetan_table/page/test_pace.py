"""How soon the table plays on a screen, by its own clock: when people have seen the last ply."""

import pytest

from jetan_table.game.events import DieRoll, DuelTold, Entry, Event, Header, Ply
from jetan_table.game.record import Record
from jetan_table.page.asked import FOUGHT_S, REPLY_S, ROLLED_S, Pace
from rules import Position, parse_rules

ARENA = ("manator-arena", ("Fd1-e4", "Pe9-e8", "Fe4-f7", "Pd9-d8", "Ff7xe10"))


def record_of(rules: str, *events: Event) -> Record:
    header = Header.of(Position.start(parse_rules(rules)), 0.0)
    return Record.read(header, [Entry(float(at), event) for at, event in enumerate(events, 1)])


def plies(*moves: str) -> list[Event]:
    return [Ply(number, move) for number, move in enumerate(moves, 1)]


@pytest.mark.parametrize(
    ("record", "seen_s"),
    [
        (record_of("appendix"), REPLY_S),
        (record_of("appendix", *plies("Pd2-d3")), REPLY_S),
        (record_of("appendix,juggernaut=e5", *plies("Pd2-d3"), DieRoll(1, "3 hand")), ROLLED_S),
        (record_of(ARENA[0], *plies(*ARENA[1]), DuelTold(5, "1,9 hand")), FOUGHT_S),
    ],
)
def test_the_table_waits_until_what_was_played_is_seen(record: Record, seen_s: float) -> None:
    pace = Pace()
    assert not pace.allows(record, 100.0, is_watched=False)
    assert not pace.allows(record, 99.99 + seen_s, is_watched=False)
    assert pace.allows(record, 100.01 + seen_s, is_watched=False)


def test_it_waits_anew_when_the_board_has_changed_and_not_for_what_is_said() -> None:
    pace, record = Pace(), record_of("appendix")
    pace.allows(record, 0.0, is_watched=False)
    assert pace.allows(record_of("appendix"), 1.0, is_watched=False) is False
    assert pace.allows(record, 2.0, is_watched=False) is False
    assert pace.allows(record, 2.0 + REPLY_S, is_watched=False)


def test_what_is_watched_goes_as_people_want_it_and_stands_still() -> None:
    pace, record = Pace(), record_of("appendix")
    pace.allows(record, 0.0, is_watched=True)
    assert not pace.allows(record, 0.9, is_watched=True)
    assert pace.allows(record, 1.0, is_watched=True)
    pace.every_s = 4.0
    assert not pace.allows(record, 3.9, is_watched=True)
    pace.is_paused = True
    assert not pace.allows(record, 60.0, is_watched=True)
    pace.is_paused = False
    assert pace.allows(record, 60.0, is_watched=True)
