"""When to speak: what there is to say of some rivals, and how long it is waited for."""

import math

import pytest

from jetan_table.reading.speaking import (
    AskOf,
    Rival,
    Tell,
    Withdraw,
    chances_of,
    odds_for,
    rest_s,
    silence_s,
    what_to_say,
)


def test_what_all_rivals_would_tell_is_told() -> None:
    assert what_to_say([Rival(1.0, 2, "d2-d3"), Rival(2.0, 2, "d2-d3")], 2) == Tell("d2-d3")


def test_what_they_differ_in_is_asked_the_likeliest_first() -> None:
    what = what_to_say([Rival(1.0, 0, None), Rival(1.5, 0, "exh5"), Rival(1.2, 0, "exe8")], 0)
    assert isinstance(what, AskOf)
    assert what.options == ("exe8", "exh5")
    assert what.played == pytest.approx(1.0 - 1.0 / (1.0 + math.exp(-0.5) + math.exp(-0.2)))


def test_nothing_is_said_while_nothing_has_happened() -> None:
    assert what_to_say([Rival(1.0, 1, None)], 1) is None
    assert what_to_say(list[Rival[str]](), 1) is None


def test_what_no_rival_keeps_is_taken_back() -> None:
    assert what_to_say([Rival(1.0, 1, "a"), Rival(1.5, 2, "b")], 3) == Withdraw(2)


def test_nothing_is_said_while_it_is_open_whether_what_was_told_stands() -> None:
    assert what_to_say([Rival(1.0, 1, "a"), Rival(1.5, 2, "b")], 2) is None


def test_accounts_that_say_the_same_count_once() -> None:
    chances = chances_of([Rival(3.0, 0, "a"), Rival(0.0, 0, "b"), Rival(3.0, 0, "a")])
    assert list(chances) == ["b", "a"]
    assert chances["a"] == pytest.approx(math.exp(-3.0) / (1.0 + math.exp(-3.0)))


def test_all_else_counts_together_against_what_is_told() -> None:
    rivals = [Rival(0.0, 0, "a"), Rival(3.0, 0, "b"), Rival(3.0, 0, None)]
    assert odds_for("a", rivals) == pytest.approx(3.0 - math.log(2.0))
    assert odds_for("a", rivals[:1]) == math.inf


def test_a_question_waits_the_longer_the_likelier_hands_answer_it() -> None:
    assert 0.0 == silence_s(0.0) < silence_s(0.5) < silence_s(1.0)


def test_who_has_hardly_played_is_hardly_asked() -> None:
    assert silence_s(1.0, 0.9) < 3.0 < 15.0 < silence_s(1.0, 0.1) < silence_s(1.0, 0.0) == math.inf


def test_hands_that_often_put_pieces_right_are_waited_for() -> None:
    assert rest_s(0.02) < 0.3 < 1.0 < rest_s(0.1)
