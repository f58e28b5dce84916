"""The session: what is read, told, hinted and led, over perfect switches."""

import pytest

from hardware.switches import FaultKind
from jetan_table.board.repair import HandMove
from jetan_table.game.commands import (
    AnswerQuestion,
    BoardIsRight,
    CommandRefused,
    Correct,
    TakeBackLast,
)
from jetan_table.game.errors import BadRecord
from jetan_table.game.events import (
    Answer,
    Ending,
    Entry,
    Event,
    Fault,
    Ply,
    Question,
    Recall,
    TakeBack,
    Wander,
)
from jetan_table.game.placement import letters
from jetan_table.game.record import Record
from jetan_table.lamps.cues import Cue, cues
from jetan_table.session.session import News, Session
from jetan_table.session.view import Phase, View
from jetan_table.words.words import Speaker
from rules import Position, Square, parse_position, parse_rules, parse_square
from tests.jetan_table.hands import Hands, board_of, hands_at, header

RULES = parse_rules("appendix")
# A black Dwar may take on d8 or e7; both stay occupied when it does so without a gap.
ASKING = "5c4/10/3p6/4p5/10/3D6/10/10/10/5QC3 b - - 0 30"
# The Flier takes the Princess at once.
WINNING = "5c4/10/10/10/10/10/3q6/10/10/F4Q3C b - - 0 30"


def events(news: list[News]) -> list[Event]:
    return [entry.event for entry in news if isinstance(entry, Entry)]


def squares(*names: str) -> frozenset[Square]:
    return frozenset(parse_square(name) for name in names)


def asked_about(hands: Hands) -> set[Square]:
    question = look(hands).question
    return set(question.squares) if question else set()


def look(at: Hands | Session) -> View:
    return at.view if isinstance(at, Session) else at.session.view


def test_plies_are_told_in_order_and_stand_in_the_record() -> None:
    hands = hands_at()
    hands.move("d2", "d3")
    hands.move("e9", "e8")
    assert events(hands.news) == [Ply(1, "Pd2-d3"), Ply(2, "Pe9-e8")]
    assert look(hands).moves == ("Pd2-d3", "Pe9-e8")
    assert look(hands).last_move == (parse_square("e9"), parse_square("e8"))


def test_a_lifted_piece_shows_where_it_may_go_at_once_and_nothing_is_told() -> None:
    hands = hands_at()
    hands.lift("d2")
    view = look(hands)
    assert set(view.lifted) == squares("d2")
    assert view.legal == squares("c3", "d3", "e3")
    hands.put("d2")
    hands.wait()
    assert hands.news == []
    assert look(hands).legal == set()


def test_a_lifted_victim_shows_what_may_take_it() -> None:
    hands = hands_at(WINNING)
    hands.lift("d4")
    assert look(hands).captures == squares("a1")
    hands.lift("a1")
    assert (look(hands).legal, look(hands).captures) == (frozenset(), squares("d4"))


def test_a_take_back_by_hand_is_told() -> None:
    hands = hands_at()
    hands.move("d2", "d3")
    hands.move("d3", "d2")
    assert look(hands).moves == ()
    hands.move("e2", "e3")
    assert look(hands).moves == ("Pe2-e3",)


def test_an_illegal_board_is_led_back_and_is_no_event() -> None:
    hands = hands_at()
    hands.move("d2", "d7")
    view = look(hands)
    assert (view.leading.missing, view.leading.extra) == (squares("d2"), squares("d7"))
    assert view.leading.repair == HandMove("P", parse_square("d7"), parse_square("d2"))
    hands.move("d7", "d2")
    assert look(hands).leading.repair is None
    assert hands.news == []


def test_the_hands_are_not_led_before_patience_ends() -> None:
    hands = hands_at()
    hands.lift("d2")
    hands.put("d7")
    assert look(hands).leading.repair is None
    assert hands.session.due is not None
    hands.wait(1.0)
    assert look(hands).leading.repair is not None


def test_a_new_game_waits_for_its_set_up_and_names_what_lacks() -> None:
    session = Session(Record.begin(header()))
    bare = parse_position("5c4/10/10/10/10/10/10/10/TPPPPPPPPT/WADFCQFDAW b - - 0 1", RULES)
    hands = Hands(session, bare)
    assert look(session).phase is Phase.SETTING_UP
    assert len(look(session).leading.missing) == 19
    hands.lift("d2")
    hands.put("d3")
    assert look(session).leading.extra == squares("d3")
    assert hands.news == []


def test_people_may_say_that_the_board_is_right_and_a_switch_is_not() -> None:
    session = Session(Record.begin(header()))
    position = Position.start(RULES)
    observation = board_of(position, 0.0)
    closed = observation.squares[parse_square("a1")]
    stuck = type(observation)(0.0, {**observation.squares, parse_square("e5"): closed})
    session.observe(stuck)
    assert look(session).phase is Phase.SETTING_UP
    session.obey(BoardIsRight(), 1.0)
    assert look(session).phase is Phase.PLAYING
    assert look(session).faults == {parse_square("e5"): FaultKind.STUCK}


def asked() -> Hands:
    """Hands at a table that has just asked: the Dwar took d8 or e7, and nobody could see it."""
    hands = hands_at(ASKING)
    hands.lift("d5")
    hands.wait()
    hands.move("f10", "f7")
    return hands


def test_a_capture_that_cannot_be_told_is_asked_and_touching_answers() -> None:
    hands = asked()
    assert asked_about(hands) == squares("d8", "e7")
    hands.move("d8", "d8")
    assert look(hands).question is None
    assert look(hands).moves == ("Dd5xd8", "Cf10-f7")


def test_once_play_has_gone_on_adjusting_a_piece_answers_no_question() -> None:
    hands = asked()
    hands.move("g1", "j1")
    hands.move("d8", "d8")
    assert Cue.QUESTION not in cues(look(hands)).values()
    hands.session.obey(AnswerQuestion("e7"), hands.at)
    assert look(hands).moves == ("Dd5xe7", "Cf10-f7", "Cg1-j1")


def test_a_question_may_be_answered_in_words() -> None:
    hands = asked()
    with pytest.raises(CommandRefused, match="a1 was not asked about: say"):
        hands.session.obey(AnswerQuestion("a1"), hands.at)
    hands.session.obey(AnswerQuestion("e7"), hands.at)
    assert look(hands).moves == ("Dd5xe7", "Cf10-f7")


def test_a_question_outlives_a_power_cut() -> None:
    journaled = [entry for entry in asked().news if isinstance(entry, Entry)]
    assert isinstance(journaled[0].event, Question)
    record = Record.read(header(start=ASKING), journaled[:1])
    after = Hands(Session(record), parse_position(ASKING.replace("3D6", "10"), RULES))
    assert asked_about(after) == squares("d8", "e7")
    after.move("e7", "e7")
    assert look(after).moves == ("Dd5xe7",)
    after.move("f10", "f7")
    assert look(after).moves == ("Dd5xe7", "Cf10-f7")


def test_a_ply_finished_while_the_table_was_off_is_read_at_once() -> None:
    first = hands_at()
    first.move("d2", "d3")
    record = first.session.record
    later = Session(record)
    moved = record.position.play(record.position.moves_from(parse_square("e9"))[0])
    again = Hands(later, moved)
    again.wait()
    assert len(look(later).moves) == 2


def test_a_half_lifted_piece_is_taken_up_after_a_power_cut() -> None:
    first = hands_at()
    first.move("d2", "d3")
    record = first.session.record
    observation = board_of(record.position, 0.0)
    empty = observation.squares[parse_square("e5")]
    later = Session(record)
    later.observe(type(observation)(0.0, {**observation.squares, parse_square("e9"): empty}))
    assert look(later).phase is Phase.PLAYING
    assert set(look(later).lifted) == squares("e9")
    assert parse_square("e8") in look(later).legal
    assert "You were in the middle of Panthan e9" in " ".join(Speaker("en").sentences(look(later)))


def test_the_game_ends_by_the_rules_and_the_end_may_be_taken_back() -> None:
    hands = hands_at(WINNING)
    hands.take("a1", "d4")
    assert events(hands.news)[-1] == Ending("black", "princess taken")
    assert look(hands).phase is Phase.OVER
    hands.session.obey(TakeBackLast(), hands.at)
    assert look(hands).phase is Phase.SETTING_UP
    hands.lift("d4")
    hands.put("a1")
    hands.put("d4")
    assert look(hands).phase is Phase.PLAYING
    assert look(hands).ending is None


def test_a_take_back_in_words_waits_until_the_board_is_back() -> None:
    hands = hands_at()
    with pytest.raises(CommandRefused, match="no move"):
        hands.session.obey(TakeBackLast(), hands.at)
    hands.move("d2", "d3")
    hands.session.obey(TakeBackLast(), hands.at)
    assert look(hands).leading.repair == HandMove("P", parse_square("d3"), parse_square("d2"))
    hands.wait()
    assert look(hands).moves == ()
    hands.move("d3", "d2")
    hands.move("c2", "c3")
    assert look(hands).moves == ("Pc2-c3",)


def test_people_may_set_another_position() -> None:
    hands = hands_at()
    hands.move("d2", "d3")
    hands.session.obey(Correct(WINNING), hands.at)
    assert look(hands).moves == ()
    assert look(hands).phase is Phase.SETTING_UP
    assert len(look(hands).leading.extra) > 30


def test_what_the_session_told_rebuilds_its_record() -> None:
    hands = asked()
    hands.news += hands.session.obey(AnswerQuestion("e7"), hands.at)
    hands.wait()
    hands.news += hands.session.obey(TakeBackLast(), hands.at)
    entries = [entry for entry in hands.news if isinstance(entry, Entry)]
    assert Record.read(header(start=ASKING), entries) == hands.session.record


def test_what_follows_an_open_question_is_held_until_the_answer() -> None:
    record = Record.begin(header(start=ASKING))
    happened = [
        Question(59, "d5", ("d8", "e7")),
        Ply(60, "f10f7"),
        Ply(61, "g1g4"),
        TakeBack(61, "hands"),
    ]
    for event in happened:
        record = record.after(Entry(1.0, event))
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


def record_after(*happened: Event) -> Record:
    record = Record.begin(header(start=ASKING))
    for event in happened:
        record = record.after(Entry(1.0, event))
    return record


ASKED = Question(59, "d5", ("d8", "e7"))


def test_a_second_question_waits_until_the_first_is_answered() -> None:
    second = Question(61, None, ("d8", "e7"), "d9")
    record = record_after(ASKED, Ply(60, "f10f7"), second)
    assert (record.question, record.last_told) == (ASKED, 61)
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
    rules = parse_rules("appendix,juggernaut=e5")
    record = Record.begin(header(rules))
    for event in (Ply(1, "Pd2-d3"), Question(1, "e5", ("e6", "f5"), is_ply=False)):
        record = record.after(Entry(1.0, event))
    assert record.moves == ("Pd2-d3",)
    recalled = record.after(Entry(2.0, Recall(1)))
    assert (recalled.question, recalled.position.juggernaut) == (None, parse_square("e5"))
    session = Session(record)
    moved = record.position.move_juggernaut(parse_square("f5"))
    hands = Hands(session, moved)
    hands.news += session.obey(AnswerQuestion("f5"), hands.at)
    assert events(hands.news) == [Wander(1, "f5")]
    hands.move("e9", "e8")
    assert look(hands).moves == ("Pd2-d3", "Pe9-e8")


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
    record = Record.begin(header(parse_rules("appendix,juggernaut=e5")))
    for event in (Ply(1, "Pd2-d3"), question):
        record = record.after(Entry(1.0, event))
    session = Session(record)
    hands = Hands(session, record.position)
    hands.news += session.obey(AnswerQuestion(square), hands.at)
    assert events(hands.news) == [denial]
    assert (look(hands).question, look(hands).moves) == (None, ("Pd2-d3",))


def test_back_takes_the_question_back() -> None:
    hands = asked()
    hands.news += hands.session.obey(TakeBackLast(), hands.at)
    view = look(hands)
    assert (view.question, view.moves) == (None, ())
    # The taken piece is back on its square for all the switches know: only two pieces moved.
    assert view.leading.repair == HandMove("c", parse_square("f7"), parse_square("f10"))


def test_a_capture_on_a_square_asked_about_is_no_touch() -> None:
    hands = asked()
    hands.lift("g1")
    hands.lift("e7")
    hands.put("e7")
    assert asked_about(hands) == squares("d8", "e7")


def test_a_flicker_on_a_square_asked_about_is_no_touch() -> None:
    hands = asked()
    hands.lift("e7")
    hands.put("e7", after_s=0.05)
    assert asked_about(hands) == squares("d8", "e7")


def test_an_answer_that_does_not_fit_what_followed_is_refused() -> None:
    record = record_after(ASKED, Ply(60, "d8d7"))
    hands = Hands(Session(record))
    with pytest.raises(CommandRefused, match="d8 does not fit what followed"):
        hands.session.obey(AnswerQuestion("d8"), hands.at)
    assert asked_about(hands) == squares("d8", "e7")


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
    assert look(hands).moves == ("Pd2-d3", "Pc9-c8", "Pe2-e3")
    assert look(hands).leading.repair is None
    assert look(hands).standing == letters(look(hands).position)
