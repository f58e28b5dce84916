"""What buttons do at the table, and that what they cannot do does no harm."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from hardware.ports import FaultKind
from hardware.reeds import Button, ButtonPress
from jetan_table.extras.opponent.seat import EngineAdviser
from jetan_table.game.commands import Help, NewGame, PauseGame, SetClock
from jetan_table.game.events import ClockAgreed, OpeningAgreed
from jetan_table.table.loop import TableButtons
from rules import Side, parse_square
from tests.jetan_table.hands import advising, header
from tests.jetan_table.sitting import Evening, sitting


class Panel:
    """Buttons that are pressed by calling."""

    def __init__(self, evening: Evening) -> None:
        self._presses: list[ButtonPress] = []
        self.buttons = TableButtons(evening.table, evening.clock, self._take)

    def press(self, button: Button, is_long: bool = False) -> bool:
        self._presses.append(ButtonPress(0.0, button, is_long))
        return self.buttons.go_on()

    def _take(self) -> list[ButtonPress]:
        presses, self._presses = self._presses, []
        return presses


@pytest.fixture
def evening(tmp_path: Path) -> Iterator[Evening]:
    with sitting(tmp_path) as evening:
        yield evening


def test_the_menu_says_that_the_board_is_right(evening: Evening) -> None:
    dead = parse_square("b1")
    evening.move("d2", "d3")
    evening.hands.fail(dead, FaultKind.DEAD, evening.clock.now())
    evening.wait(2.0)
    assert not evening.table.view.record.faults
    assert Panel(evening).press("menu")
    assert dead in evening.table.view.record.faults


def test_where_the_board_is_right_the_menu_asks_for_a_hint(evening: Evening) -> None:
    adviser = EngineAdviser(advising, wait_s=20.0, think_s=0.05)
    evening.table.welcome(adviser)
    with closing(adviser):
        panel = Panel(evening)
        for wanted in Help:
            panel.press("menu")
            evening.wait(0.1)
            advice = evening.table.view.help.advice
            assert advice is not None
            assert advice.help is wanted
        assert evening.table.view.record.faults == {}


def test_what_a_button_cannot_do_now_it_does_not_do(evening: Evening) -> None:
    before = evening.table.view
    panel = Panel(evening)
    assert panel.press("menu")
    assert panel.press("die")
    assert panel.press("die", is_long=True)
    evening.wait(0.5)
    assert evening.table.view == before


def test_a_long_press_of_the_menu_ends_the_table_for_good(evening: Evening) -> None:
    panel = Panel(evening)
    assert not panel.press("menu", is_long=True)
    assert panel.buttons.is_off
    assert not panel.buttons.go_on()


def test_the_die_button_presses_the_clock_and_ends_a_pause(evening: Evening) -> None:
    evening.tell(SetClock("10 buttons"))
    panel = Panel(evening)
    panel.press("die")
    evening.wait(10.0)
    evening.move("d2", "d3")
    assert running(evening) is Side.BLACK
    panel.press("die")
    assert running(evening) is Side.ORANGE
    evening.tell(PauseGame())
    panel.press("die")
    assert not evening.table.record.terms.is_paused


def running(evening: Evening) -> Side | None:
    clocks = evening.table.record.clocks
    return clocks.running if clocks else None


def test_the_die_button_rolls_for_who_begins_before_it_presses_the_clock(evening: Evening) -> None:
    begun = header()
    agreed = (OpeningAgreed(first="roll"), ClockAgreed("10+5 buttons"))
    evening.tell(NewGame(begun, agreed))
    Panel(evening).press("die")
    first = evening.table.record.opening.first_settled
    assert first is not None
    assert first.by == "table"
