"""When to speak: what there is to say of some rivals, and how long it is waited for."""

import math
from typing import Final

import pytest

from jetan_table.reading.speaking import (
    Ask,
    Decision,
    Rival,
    SpeechClock,
    Tell,
    Wait,
    Withdraw,
    chances_of,
    decide,
    odds_for,
    rest_s,
    silence_s,
)

DECISIONS: Final = """
rivals            | told | early                        | late
                  | 0    | wait                         | wait
                  | 2    | wait                         | wait
2-                | 2    | wait                         | wait
2- 2-             | 2    | wait                         | wait
2a                | 2    | wait till 11                 | tell a
2a 2a             | 2    | wait till 11                 | tell a
0a                | 0    | wait till 11                 | tell a
2a 2b             | 2    | wait till 12                 | ask a b
2b 2a             | 2    | wait till 12                 | ask b a
2- 2a             | 2    | wait till 12                 | ask a
2a 2-             | 2    | wait till 12                 | ask a
2- 2a 2b          | 2    | wait till 12                 | ask a b
2a 2b 2a          | 2    | wait till 12                 | ask a b
1a                | 2    | wait till 13                 | keep 1
1-                | 2    | wait till 13                 | keep 1
0a 1b             | 2    | wait till 13                 | keep 1
1- 0-             | 3    | wait till 13                 | keep 1
1a 2b             | 2    | wait                         | wait
2b 1a             | 2    | wait                         | wait
2- 0-             | 2    | wait                         | wait
"""
"""What is decided while all is too early, and once nothing is: each rival, the likeliest first, as
the steps it keeps and the one that comes next; `told` steps have been told."""


def rivals_of(text: str) -> list[Rival[str]]:
    return [
        Rival(0.5 * index, int(each[0]), None if each[1] == "-" else each[1])
        for index, each in enumerate(text.split())
    ]


def written(decision: Decision[str]) -> str:
    match decision:
        case Tell(step=step):
            return f"tell {step}"
        case Ask(options=options):
            return f"ask {' '.join(options)}"
        case Withdraw(kept=kept):
            return f"keep {kept}"
        case Wait(at=at):
            return "wait" if at == math.inf else f"wait till {at:.0f}"


@pytest.mark.parametrize("row", DECISIONS.strip().splitlines()[1:])
def test_what_is_said_depends_on_rivals_on_what_was_told_and_on_the_clock(row: str) -> None:
    rivals, count, early, late = (each.strip() for each in row.split("|"))
    clock = SpeechClock(10.0, tells_at=11.0, asks_at=12.0, withdraws_at=13.0)
    assert written(decide(rivals_of(rivals), int(count), clock)) == early
    assert written(decide(rivals_of(rivals), int(count), clock._replace(now=13.0))) == late


@pytest.mark.parametrize(
    ("rivals", "own"), [("2a", "tells_at"), ("2a 2b", "asks_at"), ("1a", "withdraws_at")]
)
def test_each_thing_to_be_said_has_its_own_time(rivals: str, own: str) -> None:
    others = dict.fromkeys({"tells_at", "asks_at", "withdraws_at"} - {own}, math.inf)
    decided = decide(rivals_of(rivals), 2, SpeechClock(0.0, **others))
    assert not isinstance(decided, Wait)
    assert decide(rivals_of(rivals), 2, SpeechClock(0.0, **{own: 0.5})) == Wait(0.5)
    assert decide(rivals_of(rivals), 2, SpeechClock(0.5 - 1e-12, **{own: 0.5})) == decided


def test_of_what_is_asked_the_likeliest_comes_first() -> None:
    what = decide(
        [Rival(1.0, 0, None), Rival(1.5, 0, "exh5"), Rival(1.2, 0, "exe8")], 0, SpeechClock(0.0)
    )
    assert isinstance(what, Ask)
    assert what.options == ("exe8", "exh5")
    assert what.played == pytest.approx(1.0 - 1.0 / (1.0 + math.exp(-0.5) + math.exp(-0.2)))


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
