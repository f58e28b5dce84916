"""The session: what is read, told, hinted and led, over perfect switches.

It asks its reader as time passes only when the reader wants to be asked; and what people answer
goes to whoever reads looks, though play has gone on since it was asked.
"""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from hardware.ports import Evidence, FaultKind, Observation
from jetan_table.game.agreements import AMEND_S, CONDUCTS
from jetan_table.game.commands import AnswerQuestion, CommandRefused, TakeBackLast
from jetan_table.game.events import (
    Answer,
    BadRecord,
    ConductAgreed,
    ConductName,
    Entry,
    Event,
    Fault,
    Ply,
    Question,
    Recall,
    TakeBack,
    Wander,
)
from jetan_table.game.record import Record
from jetan_table.reading.readings import JetanGame, Reading, Standing, occupants_of
from jetan_table.reading.switch_reader import SwitchReader
from jetan_table.reading.table_reader import by_looks
from jetan_table.session.session import Session
from jetan_table.session.umpire import check_ply
from jetan_table.session.view import Phase
from rules import IllegalMove, Position, Square, letters, parse_move, parse_rules, parse_square
from tests.jetan_table.hands import Hands, events, hands_at, header, plies

SURELY: list[Evidence] = [
    (0.0, -20.0, -20.0, -20.0),
    (-20.0, 0.0, -20.0, -20.0),
    (-20.0, -20.0, 0.0, -20.0),
    (-20.0, -20.0, -20.0, 0.0),
]
HARDLY: Evidence = (0.0, -20.0, -20.0, -2.0)
"""Of what stands on a square, as `Occupant`; and of a Juggernaut that is hardly seen."""


def look(at: float, position: Position, unseen: Mapping[str, Evidence]) -> Observation:
    """A look that shows a position surely, but for some squares."""
    squares = {Square(n): SURELY[who] for n, who in enumerate(occupants_of(position))}
    return Observation(at, squares | {parse_square(name): each for name, each in unseen.items()})


def test_where_the_juggernaut_went_is_answered_while_play_goes_on() -> None:
    record = Record.begin(header(parse_rules("appendix,juggernaut=e5")))
    session = Session(record, read_by=by_looks)
    position, at = record.position, 1.0
    session.observe(look(at, position, {}))
    position = position.play(parse_move("d2d3", position))
    session.observe(look(at := at + 5, position, {}))
    position = position.move_juggernaut(parse_square("e6"))
    unseen = dict.fromkeys(("e6", "f5"), HARDLY)
    session.observe(look(at := at + 1, position, unseen))
    position = position.play(parse_move("d9d8", position))
    while session.view.question is None and at < 100:
        session.observe(look(at := at + 1, position, unseen))
    session.obey(AnswerQuestion("e6"), at)
    session.observe(look(at + 1, position, unseen))
    assert session.view.phase is Phase.PLAYING
    assert session.record.position == position


STEP_S = 0.01


class CountingReader(SwitchReader):
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


# A black Dwar may take on d8 or e7; both stay occupied when it does so without a gap.
ASKING = "5c4/10/3p6/4p5/10/3D6/10/10/10/5QC3 b - - 0 30"
ASKED = Question(59, "d5", ("d8", "e7"))


def record_after(*happened: Event, rules: str = "appendix", start: str | None = ASKING) -> Record:
    record = Record.begin(header(parse_rules(rules), start))
    for event in happened:
        record = record.after(Entry(1.0, event))
    return record


def test_what_follows_an_open_question_is_held_until_the_answer() -> None:
    record = record_after(ASKED, Ply(60, "f10f7"), Ply(61, "g1g4"), TakeBack(61, "hands"))
    assert record.moves[:2] == ("d5?", "f10f7")
    assert record.last_number == 58
    record = record.after(Entry(2.0, Answer(59, "Dd5xe7")))
    assert record.moves == ("Dd5xe7", "Cf10-f7")


@pytest.mark.parametrize(
    ("event", "why"),
    [
        (Ply(3, "Pd2-d3"), "move 3 .* follows move 0"),
        (Ply(1, "Pd2-d7"), "not a legal move"),
        (TakeBack(1, "hands"), "move 1 is not the last one"),
        (Answer(1, "Pd2-d3"), "was not asked about"),
    ],
)
def test_a_journal_that_does_not_fit_its_rules_is_refused(event: Event, why: str) -> None:
    with pytest.raises(BadRecord, match=why):
        Record.read(header(), [Entry(1.0, event)])


def test_a_second_question_waits_until_the_first_is_answered() -> None:
    second = Question(61, None, ("d8", "e7"), "d9")
    record = record_after(ASKED, Ply(60, "f10f7"), second)
    assert (record.question, record.last_played) == (ASKED, 61)
    assert record.moves == ("d5?", "f10f7", "?d9")
    first = Entry(2.0, Answer(59, "Dd5xe7"))
    assert record.after(first).question == second
    late = record.after(Entry(2.0, Answer(61, "d8d9")))
    assert late.moves == ("d5?", "f10f7", "d8d9")
    assert late.question == ASKED


def test_a_question_that_is_taken_back_takes_what_followed_with_it() -> None:
    record = record_after(ASKED, Ply(60, "f10f7"), TakeBack(60, "hands"), TakeBack(59, "hands"))
    assert record == record_after()


def test_where_the_juggernaut_went_may_be_asked() -> None:
    question = Question(1, "e5", ("e6", "f5"), is_ply=False)
    record = record_after(Ply(1, "Pd2-d3"), question, rules="appendix,juggernaut=e5", start=None)
    assert record.moves == ("Pd2-d3",)
    recalled = record.after(Entry(2.0, Recall(1)))
    assert (recalled.question, recalled.position.juggernaut) == (None, parse_square("e5"))
    session = Session(record)
    moved = record.position.move_juggernaut(parse_square("f5"))
    hands = Hands(session, moved)
    hands.news += session.obey(AnswerQuestion("f5"), hands.at)
    assert events(hands) == [Wander(1, "f5")]
    hands.move("e9", "e8")
    assert hands.session.view.record.moves == ("Pd2-d3", "Pe9-e8")


@pytest.mark.parametrize(
    ("question", "square", "denial"),
    [
        (Question(2, "e9", ("e8", "e9")), "e9", TakeBack(2, "words")),
        (Question(2, None, ("d9", "e8"), "e8"), "e8", TakeBack(2, "words")),
        (Question(1, "e5", ("e6", "e5"), is_ply=False), "e5", Recall(1)),
    ],
)
def test_where_it_was_means_that_nothing_was_moved(
    question: Question, square: str, denial: TakeBack | Recall
) -> None:
    record = record_after(Ply(1, "Pd2-d3"), question, rules="appendix,juggernaut=e5", start=None)
    session = Session(record)
    hands = Hands(session, record.position)
    hands.news += session.obey(AnswerQuestion(square), hands.at)
    assert events(hands) == [denial]
    assert (hands.session.view.question, hands.session.view.record.moves) == (None, ("Pd2-d3",))


def test_an_answer_that_does_not_fit_what_followed_is_refused() -> None:
    record = record_after(ASKED, Ply(60, "d8d7"))
    hands = Hands(Session(record))
    with pytest.raises(CommandRefused, match="d8 does not fit what followed"):
        hands.session.obey(AnswerQuestion("d8"), hands.at)
    assert hands.session.view.question == ASKED


@pytest.mark.parametrize("kind", FaultKind)
def test_play_goes_on_without_a_failed_switch_after_a_power_cut_and_a_take_back(
    kind: FaultKind,
) -> None:
    first = hands_at()
    first.move("d2", "d3")
    failed = Fault("e8" if kind is FaultKind.STUCK else "f9", kind.value)
    record = first.session.record.after(Entry(1.0, failed))
    hands = Hands(Session(record))
    hands.move("g9", "g8")
    hands.session.obey(TakeBackLast(), hands.at)
    hands.move("g8", "g9")
    hands.move("c9", "c8")
    hands.move("e2", "e3")
    assert hands.session.view.record.moves == ("Pd2-d3", "Pc9-c8", "Pe2-e3")
    assert hands.session.view.leading.repair is None
    assert hands.session.view.standing == letters(hands.session.view.position)


def tournament() -> Hands:
    """Hands at a tournament game in which three plies have been played, long ago but for one."""
    record = Record.read(header(), [Entry(1.0, ConductAgreed("tournament"))])
    hands = Hands(Session(record))
    hands.move("d2", "d3")
    hands.move("e9", "e8")
    hands.lift("c2")
    hands.put("c3")
    hands.wait(1.0)
    assert len(hands.session.record.moves) == 3
    return hands


def test_in_a_tournament_hands_may_amend_what_they_have_just_played() -> None:
    hands = tournament()
    hands.lift("c3", after_s=0.1)
    hands.put("c2", after_s=0.2)
    hands.wait()
    assert hands.session.record.moves == ("Pd2-d3", "Pe9-e8")


def test_in_a_tournament_what_has_stood_for_a_while_is_not_taken_back() -> None:
    hands = tournament()
    hands.wait(AMEND_S)
    hands.lift("c3")
    hands.put("c2")
    hands.wait()
    assert hands.session.record.moves == ("Pd2-d3", "Pe9-e8", "Pc2-c3")
    assert hands.session.view.leading.repair is not None


@pytest.mark.parametrize("conduct", CONDUCTS)
def test_the_time_to_amend_begins_with_the_last_ply(conduct: ConductName) -> None:
    plies = [Entry(10.0, Ply(1, "Pd2-d3")), Entry(30.0, Ply(2, "Pe9-e8"))]
    record = Record.read(header(), [Entry(1.0, ConductAgreed(conduct)), *plies])
    check_ply(record, TakeBack(2, "hands"), 30.0 + AMEND_S)
    if conduct == "tournament":
        with pytest.raises(IllegalMove, match="move 2 stands: nothing is taken back"):
            check_ply(record, TakeBack(2, "hands"), 30.1 + AMEND_S)
    else:
        check_ply(record, TakeBack(2, "hands"), 300.0)
