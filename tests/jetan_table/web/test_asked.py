"""What a page asks of a table whose pieces are real, or somebody else's."""

from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from jetan_table.commands import CommandRefused
from jetan_table.simulated_table import HandRefused
from jetan_table.web import requests as ask
from jetan_table.web.asked import AskedTable
from jetan_table.web.state import state_of
from tests.jetan_table.sitting import Evening, sitting


@pytest.fixture
def evening(tmp_path: Path) -> Iterator[Evening]:
    with sitting(tmp_path) as begun:
        yield begun


@pytest.fixture
def asked(evening: Evening) -> AskedTable:
    return AskedTable(
        table=evening.table,
        hands=None,
        typed=None,
        chair=None,
        archive=evening.journal.archive,
        folder=evening.journal.folder,
        clock=evening.clock,
        rng=Random(1),
        language="en",
    )


@pytest.mark.parametrize(
    "touch", [ask.Lift("d2"), ask.Tidy(), ask.Oblige(), ask.Ail("d2", "weak"), ask.Box()]
)
def test_nobody_touches_pieces_that_are_not_his(asked: AskedTable, touch: ask.Request) -> None:
    with pytest.raises(HandRefused, match="not yours to move from here"):
        asked.do(touch)


def test_words_about_the_game_are_obeyed(asked: AskedTable, evening: Evening) -> None:
    evening.move("d2", "d3")
    asked.do(ask.Back())
    assert evening.table.view.moves == ()
    asked.do(ask.Resign("orange"))
    assert evening.table.view.ending is not None
    assert evening.table.view.ending.result == "black"
    with pytest.raises(CommandRefused, match="nothing can be typed"):
        asked.do(ask.Type("d2 d3"))
    with pytest.raises(CommandRefused, match="simulated people play both sides"):
        asked.do(ask.Invite("dwar"))


def test_a_new_game_waits_for_the_hands_to_set_it_up(asked: AskedTable, evening: Evening) -> None:
    evening.move("d2", "d3")
    asked.do(ask.New("cazaux", black="Ghek"))
    evening.wait(1.0)
    told = state_of(evening.table, None)
    assert (told.phase, told.rules, told.black, told.orange) == (
        "setting up",
        "cazaux",
        "Ghek",
        "?",
    )
    assert told.step is not None
    assert (told.step.from_square, told.step.to_square) == ("d3", "d2")


def test_a_game_is_loaded_and_the_hands_led_to_it(asked: AskedTable, evening: Evening) -> None:
    evening.move("d2", "d3")
    evening.move("e9", "e8")
    asked.do(ask.Load(game=1, plies=1))
    evening.wait(1.0)
    told = state_of(evening.table, None)
    assert (told.game, told.moves, told.phase) == (2, ["Pd2-d3"], "setting up")
    evening.move("e8", "e9")
    assert evening.table.view.phase.value == "playing"


def test_lamps_are_dimmed_and_coloured(asked: AskedTable, evening: Evening) -> None:
    asked.do(ask.Light(palette="mono", brightness=0.5))
    told = state_of(evening.table, None)
    assert (told.palette, told.brightness) == ("mono", 0.5)
