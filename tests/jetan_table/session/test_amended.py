"""What is known better is one event: nothing that stands is taken back and told again."""

import pytest

from jetan_table.game import events as happened
from jetan_table.game.events import Amended, BadRecord, ConductName, Entry, Event, Ply
from jetan_table.game.record import Record
from jetan_table.game.terms import NO_TERMS
from jetan_table.journal.file_format import Tip
from jetan_table.light.news import event_in_words
from jetan_table.session.session import Session
from rules import Side, parse_rules
from tests.jetan_table.hands import Hands, events, header, plies
from tests.jetan_table.reading.hand import FACING, RULES

PLAYED = (Ply(1, "Pd2-d3"), Ply(2, "Pd9-d8"), Ply(3, "Pe2-e3"))


def record_of(*events: Event, rules: str = "appendix") -> Record:
    entries = [Entry(float(at), event) for at, event in enumerate(events, 1)]
    return Record.read(header(parse_rules(rules)), entries)


def corrected(conduct: ConductName) -> Hands:
    """Hands whose reply shows that a capture was another, long after that was told."""
    record = Record.begin(header(RULES, FACING))
    record = record.after(Entry(1.0, happened.ConductAgreed(conduct)))
    hands = Hands(Session(record))
    for name, after_s in (("e5", 1.0), ("e10", 2.0)):
        hands.lift(name, after_s)
    hands.put("e7", 0.5)
    hands.wait(0.4)
    hands.lift("e7", 0.1)
    hands.put("h10", 0.2)
    hands.wait(2.0)
    assert plies(hands) == ("De5xh5", "Qe10-h10")
    hands.lift("e8", 1.0)
    hands.put("e5", 0.5)
    hands.wait(3.0)
    return hands


@pytest.mark.parametrize("conduct", ["friendly", "tournament"])
def test_a_capture_that_was_another_is_one_event_and_the_reply_stands(conduct: ConductName) -> None:
    # Nothing is taken back by hand, so that a strict game takes it in as well.
    hands = corrected(conduct)
    amended = [event for event in events(hands) if isinstance(event, Amended)]
    assert amended == [Amended({1: "De5xe8"}, 2)]
    assert not any(
        isinstance(event, happened.TakeBack) and event.number == 1 for event in events(hands)
    )
    assert plies(hands) == ("De5xe8", "Qe10-h10", "De8-e5")


def test_plies_that_stand_keep_their_time_and_what_is_gone_is_gone() -> None:
    record = record_of(*PLAYED, happened.Noted("bold"), Amended({2: "g9g8"}, 3))
    assert record.moves == ("Pd2-d3", "Pg9-g8", "Pe2-e3")
    assert record.times == (1.0, 2.0, 3.0)
    assert record.terms.remarks == ((3, "bold"),)
    shorter = record_of(*PLAYED, happened.Noted("bold"), Amended({1: "e2e3"}, 2))
    assert shorter.moves == ("Pe2-e3", "Pd9-d8")
    assert shorter.terms == NO_TERMS


def test_the_clock_goes_on_where_as_many_plies_stand() -> None:
    clocked = (happened.ClockAgreed("10"), happened.Press(), *PLAYED)
    before = record_of(*clocked)
    as_many = before.after(Entry(9.0, Amended({2: "g9g8"}, 3))).clocks
    fewer = before.after(Entry(9.0, Amended({1: "e2e3"}, 2))).clocks
    assert before.clocks
    assert as_many
    assert fewer
    assert as_many == before.clocks.until(9.0)
    assert (as_many.running, fewer.running) == (Side.ORANGE, Side.BLACK)


def test_a_roll_that_followed_a_ply_follows_it_still() -> None:
    rolled = happened.DieRoll(1, "7 hand")
    rules = "appendix,juggernaut=e5"
    record = record_of(Ply(1, "Pd2-d3"), rolled, Ply(2, "Pd9-d8"), rules=rules)
    amended = record.after(Entry(9.0, Amended({1: "g2g3"}, 2)))
    assert amended.position.juggernaut == record.position.juggernaut
    assert amended.game.plies[0].rolls == record.game.plies[0].rolls != ()


def test_a_question_after_it_is_no_question_any_more_and_one_before_it_waits() -> None:
    asked = happened.Question(3, "e2", ("e3", "f3"))
    answered = record_of(*PLAYED[:2], asked, Amended({2: "g9g8", 3: "e2f3"}, 3))
    assert (answered.question, answered.moves[1:]) == (None, ("Pg9-g8", "Pe2-f3"))
    held = record_of(*PLAYED[:2], asked, Ply(4, "e9e8"), Amended({4: "g9g8"}, 4))
    assert held.moves[2:] == ("e2?", "g9g8")
    later = held.after(Entry(9.0, happened.Answer(3, "e2f3")))
    assert later.moves[2:] == ("Pe2-f3", "Pg9-g8")


@pytest.mark.parametrize("moves", [{0: "d2d3"}, {4: "e9e8", 9: "d2d3"}, {2: "d9d2"}, {5: "d2d3"}])
def test_what_cannot_have_been_is_refused(moves: dict[int, str]) -> None:
    with pytest.raises(BadRecord):
        record_of(*PLAYED, Amended(moves, max(moves)))


def test_the_end_of_a_journal_counts_the_plies_that_stand() -> None:
    tip = Tip(0, b"", (1, 2, 3), "{}")
    after, _ = tip.next_row(1.0, "amended", '{"moves":{"1":"Pe2-e3"},"last":2}')
    assert (after.plies, after.ending) == ((1, 2), None)


def test_people_hear_only_of_what_was_another() -> None:
    sentence = event_in_words(Amended({12: "Pd2xd3", 14: "Td8-d7"}, 20))
    assert sentence == "these moves were others: 12 Pd2xd3, 14 Td8-d7"
