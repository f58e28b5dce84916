"""A session asks its reader as time passes only when the reader wants to be asked."""

from __future__ import annotations

from collections.abc import Mapping

from hardware.ports import FaultKind
from jetan_table.game.record import Record
from jetan_table.reading.jetan_game import JetanGame, Standing
from jetan_table.reading.readings import Reading
from jetan_table.reading.switch_reader import SwitchReader
from jetan_table.session.session import Session
from rules import Square
from tests.jetan_table.hands import Hands, header, plies

STEP_S = 0.01


class CountingReader(SwitchReader[Standing]):
    """A reader that counts how often it is asked as time passes."""

    asked = 0

    def tick(self, now: float) -> list[Reading[Standing]]:
        self.asked += 1
        return super().tick(now)


def counted() -> tuple[Hands, list[CountingReader]]:
    readers: list[CountingReader] = []

    def read_by(standing: Standing, faults: Mapping[Square, FaultKind]) -> CountingReader:
        readers.append(CountingReader(JetanGame(), standing, faults=faults))
        return readers[-1]

    return Hands(Session(Record.begin(header()), read_by=read_by)), readers


def ticked(hands: Hands, reader: CountingReader, seconds: float) -> int:
    """Let a session step as a table does; return how often it asked its reader."""
    before = reader.asked
    for _ in range(round(seconds / STEP_S)):
        hands.at += STEP_S
        hands.news += hands.session.tick(hands.at)
    return reader.asked - before


def test_nobody_asks_while_nothing_can_change() -> None:
    hands, readers = counted()
    hands.move("d2", "d3")
    assert plies(hands) == ("Pd2-d3",)
    assert ticked(hands, readers[-1], 12.5) == 0


def test_who_thinks_with_a_piece_in_the_hand_is_asked_about_a_few_times() -> None:
    hands, readers = counted()
    hands.move("d2", "d3")
    hands.lift("d9")
    assert ticked(hands, readers[-1], 12.5) < 10
    hands.put("d8")
    hands.wait()
    assert plies(hands) == ("Pd2-d3", "Pd9-d8")
