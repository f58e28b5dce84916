"""A board on the screen: what is tapped is the ply, whatever the rules and however it goes on."""

from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from random import Random

import pytest

from jetan_table.boards.screen import ScreenBoard, typed_hands
from jetan_table.game.commands import CommandRefused, DecideFight, New, RollDie, TakeBackLast
from jetan_table.game.events import Header
from jetan_table.journal.journal import Journal
from jetan_table.light.lamps import LampChoice
from jetan_table.page import asked as ask
from jetan_table.page.asked import AskedTable
from jetan_table.page.playing import PageTable
from jetan_table.page.state import State
from jetan_table.settings import Settings
from jetan_table.table.dice import Dice, Seeds
from jetan_table.table.games import open_game
from jetan_table.table.loop import EagerClock, OwnTime
from jetan_table.wiring import join
from rules import Position, RulesError, format_square, letters, parse_rules
from tests.jetan_table.page.described import assert_described

RULES = ("appendix", "cazaux+juggernaut", "ninth-ray-clockwise", "appendix,duel=arena")


class ScreenTable:
    """A table on a page that nobody serves: requests go straight to it."""

    def __init__(self, journal: Journal, rules: str, simulates: bool = False) -> None:
        clock = EagerClock()
        start = Header.of(Position.start(parse_rules(rules)), clock.now())
        opened = open_game(journal, start)
        hands = typed_hands(journal, opened, seed=1, between_s=0.12)
        self.screen = ScreenBoard(hands, simulates)
        dice = Dice(Seeds(journal.folder / "seeds", Random(5).randbytes))
        self.table = join(self.screen, journal, opened, Settings(), dice, typed=hands)
        self.clock = clock
        own = OwnTime(clock, lambda: (self.screen.due, self.table.session.due))
        self.asked = AskedTable(
            table=self.table,
            hands=hands,
            archive=journal.archive,
            folder=journal.folder,
            clock=own,
            language="en",
            look=LampChoice(),
            screen=self.screen,
        )
        self.page = PageTable(self.asked)
        self.page.step(0.0)

    @property
    def state(self) -> State:
        return self.page.mailbox.state

    def ask(self, request: ask.Request) -> list[str]:
        answer = self.page.mailbox.ask(request)
        self.page.step(0.0)
        return answer.result(0).said

    def wait(self, seconds: float) -> None:
        """Let time pass all at once, as on a machine that was busy with something else."""
        self.clock.sleep(seconds)
        self.page.step(0.0)


@contextmanager
def on_screen(
    folder: Path, rules: str = "appendix", simulates: bool = False
) -> Iterator[ScreenTable]:
    with closing(Journal(folder)) as journal:
        yield ScreenTable(journal, rules, simulates)


def assert_calm(table: ScreenTable) -> None:
    """Nothing is asked, nothing led, nothing faulty, and the board shows the game."""
    state = table.state
    assert_described(state)
    assert state["asks"] is None
    assert not state["is_led"]
    assert not state["faults"]
    assert not state["lifted"]
    assert state["trouble"] is None
    assert state["standing"] == {
        format_square(square): letter
        for square, letter in letters(table.table.record.stands).items()
    }


@pytest.mark.parametrize("rules", RULES)
def test_random_games_are_told_as_they_are_made(tmp_path: Path, rules: str) -> None:
    rng = Random(rules)
    with on_screen(tmp_path, rules) as table:
        for _ in range(2):
            table.ask(New(rules=rules))
            for _ in range(60):
                state = table.state
                if state["over"]:
                    break
                if state["fight"]:
                    table.ask(DecideFight())
                    continue
                if state["die"] is not None and state["die"]["is_due"]:
                    table.ask(RollDie())
                    continue
                move = rng.choice(table.table.record.position.moves())
                start, end = format_square(move.from_square), format_square(move.to_square)
                count = len(state["moves"])
                table.ask(ask.PickRequest(start))
                assert end in table.state["cues"]
                table.ask(ask.MoveRequest(start, end))
                assert len(table.state["moves"]) == count + 1
                assert start in table.state["moves"][-1]
                assert end in table.state["moves"][-1]
                assert_calm(table)
                if rng.random() < 0.1 and not table.state["over"] and not table.state["fight"]:
                    table.ask(TakeBackLast())
                    assert len(table.state["moves"]) == count
                    assert_calm(table)


def test_what_is_picked_right_after_a_take_back_stays_picked(tmp_path: Path) -> None:
    with on_screen(tmp_path) as table:
        table.ask(ask.MoveRequest("d2", "d3"))
        asked = [table.page.mailbox.ask(each) for each in (TakeBackLast(), ask.PickRequest("d2"))]
        table.page.step(0.0)
        assert [each.result(0).said for each in asked] == [[], []]
        table.wait(1.0)
        assert list(table.state["lifted"]) == ["d2"]
        table.ask(ask.MoveRequest("d2", "d3"))
        assert_calm(table)


def test_what_is_played_right_after_a_take_back_stands(tmp_path: Path) -> None:
    with on_screen(tmp_path) as table:
        table.ask(ask.MoveRequest("d2", "d3"))
        wanted = (TakeBackLast(), ask.MoveRequest("e2", "e3"))
        asked = [table.page.mailbox.ask(each) for each in wanted]
        table.page.step(0.0)
        assert [each.result(0).said for each in asked] == [[], []]
        assert len(table.state["moves"]) == 1
        assert "e3" in table.state["moves"][0]
        assert_calm(table)


def test_what_was_picked_in_the_game_before_is_picked_no_more(tmp_path: Path) -> None:
    with on_screen(tmp_path) as table:
        table.ask(ask.PickRequest("d2"))
        assert list(table.state["lifted"]) == ["d2"]
        table.ask(New(rules="appendix"))
        table.wait(1.0)
        assert_calm(table)


def test_what_is_no_move_is_refused_and_nothing_changes(tmp_path: Path) -> None:
    with on_screen(tmp_path) as table:
        before = table.state
        with pytest.raises(RulesError):
            table.ask(ask.MoveRequest("d2", "d6"))
        with pytest.raises(RulesError):
            table.ask(ask.MoveRequest("d9", "d8"))
        table.wait(5.0)
        assert table.state == before


def test_hands_touch_nothing_on_a_screen(tmp_path: Path) -> None:
    with on_screen(tmp_path) as table, pytest.raises(CommandRefused):
        table.ask(ask.LiftRequest("d2"))


def test_a_real_table_is_simulated_from_the_position_and_left_again(tmp_path: Path) -> None:
    with on_screen(tmp_path) as table:
        table.ask(ask.MoveRequest("d2", "d3"))
        table.ask(ask.SimulateRequest(True))
        table.wait(1.0)
        assert table.state["hands"] is not None
        assert table.state["phase"] == "playing"
        with pytest.raises(CommandRefused):
            table.ask(ask.MoveRequest("d9", "d8"))
        table.ask(ask.LiftRequest("d9"))
        table.ask(ask.PutRequest("d8"))
        table.wait(3.0)
        assert table.state["moves"] == ["Pd2-d3", "Pd9-d8"]
        table.ask(ask.LiftRequest("c2"))
        table.ask(ask.AilRequest("a1", "stuck"))
        table.wait(1.0)
        table.ask(ask.SimulateRequest(False))
        assert_calm(table)
        assert table.state["standing"]["c2"] == "P"
        table.ask(ask.MoveRequest("c2", "c3"))
        assert table.state["moves"] == ["Pd2-d3", "Pd9-d8", "Pc2-c3"]


def test_clicks_mean_the_same_however_seldom_the_machine_looks(tmp_path: Path) -> None:
    for name, pauses in (("calm", 0.05), ("busy", 2.5)):
        with on_screen(tmp_path / name, simulates=True) as table:
            table.wait(1.0)
            for request in (
                ask.LiftRequest("d2"),
                ask.PutRequest("d3"),
                ask.LiftRequest("e9"),
                ask.PutRequest("e8"),
            ):
                table.ask(request)
                table.wait(pauses)
            table.wait(5.0)
            assert table.state["moves"] == ["Pd2-d3", "Pe9-e8"], name
            assert not table.state["faults"]


def test_another_board_is_led_to_nowhere_while_the_juggernaut_waits_for_its_die(
    tmp_path: Path,
) -> None:
    with on_screen(tmp_path) as table:
        for start, end in (("d2", "d3"), ("e9", "e8")):
            table.ask(ask.MoveRequest(start, end))
        table.ask(New(rules="ninth-ray-clockwise+juggernaut"))
        assert table.state["die"] is not None
        assert table.state["die"]["is_due"]
        assert_calm(table)
