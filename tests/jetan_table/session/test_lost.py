"""Plies that nobody could tell: people are asked how the board stands, and the game goes on."""

import pytest

from jetan_table.game.commands import BoardIsRight, CommandRefused
from jetan_table.light.words import Speaker
from tests.jetan_table.hands import Hands, hands_at, plies


def astray() -> Hands:
    """Hands that have lifted pieces of both sides together, and put them down in some order."""
    hands = hands_at()
    for name, after_s in (("d2", 1.0), ("e2", 0.1), ("d9", 0.2)):
        hands.lift(name, after_s)
    for name, after_s in (("d3", 1.7), ("e3", 0.2), ("d8", 0.2)):
        hands.put(name, after_s)
    hands.wait(15.0)
    return hands


def test_people_say_which_board_stands_there_and_the_plies_in_between_are_written() -> None:
    hands = astray()
    assert plies(hands) == ()
    first = hands.session.view.lost[0]
    words = " ".join(Speaker("en").sentences(hands.session.view))
    assert "I have lost track of the game: is this the board?" in words
    assert "Board 1: nothing on d2" in words
    hands.session.obey(BoardIsRight(1), hands.at)
    assert hands.session.record.position == first
    assert plies(hands) == ("Pe2-d3", "Pd9-d8", "Pd2-e3")
    assert hands.session.view.lost == ()
    hands.lift("g9")
    hands.put("g8")
    hands.wait()
    assert plies(hands)[3:] == ("Pg9-g8",)


def test_a_board_that_was_not_shown_is_refused_and_the_question_stays() -> None:
    hands = astray()
    shown = hands.session.view.lost
    with pytest.raises(CommandRefused, match="board 3 is not shown"):
        hands.session.obey(BoardIsRight(3), hands.at)
    assert hands.session.view.lost == shown != ()


def test_where_no_legal_way_leads_to_the_board_hands_are_led_back_to_what_was_told() -> None:
    hands = hands_at()
    moved = (("d2", "d5"), ("e2", "e5"), ("g2", "g5"))
    for start, end in moved:
        hands.lift(start)
        hands.put(end)
    hands.wait(15.0)
    start_position = hands.session.record.position
    assert list(hands.session.view.lost) == [start_position]
    assert "as it was told" in " ".join(Speaker("en").sentences(hands.session.view))
    hands.session.obey(BoardIsRight(1), hands.at)
    hands.wait(3.0)
    assert not hands.session.view.lost
    assert hands.session.view.leading.repair is not None
    for start, end in moved:
        hands.lift(end)
        hands.put(start)
    hands.wait(3.0)
    hands.move("d2", "d3")
    assert plies(hands) == ("Pd2-d3",)
