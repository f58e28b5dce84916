"""Wirings drawn at random are found out, from few squares and in whatever goes wrong."""

from collections.abc import Collection
from pathlib import Path
from random import Random

import pytest

from hardware.matrix import ORDERS
from hardware.ports import FaultKind, Switch
from jetan_table.cli import main
from jetan_table.extras.commissioning.setup import order_option, with_options
from jetan_table.extras.commissioning.simulated import LedHands, drawn_wiring
from jetan_table.extras.commissioning.walk import (
    ENOUGH_LAMPS,
    NAMED_ORDERS,
    USUAL_ORDERS,
    Leading,
    SquareState,
    Wiring,
    WiringWalk,
    grids_for,
    next_lamp,
    next_square,
    orders_for,
    whole_order,
    wiring_map,
)
from jetan_table.light.lamps import Lamp
from jetan_table.people.board import TrueWiring, steady_board
from jetan_table.settings import Settings, parse_settings, read_settings
from jetan_table.table.loop import EagerClock
from rules import SQUARES, Square, format_square, parse_square
from tests.profiles import sampled


def read_all(
    wiring: TrueWiring, dead: Collection[Square]
) -> tuple[dict[Square, Switch], set[Square]]:
    """Put pieces on the squares asked for, until no more are."""
    readings: dict[Square, Switch] = {}
    in_vain: set[Square] = set()
    while (square := next_square(readings, in_vain)) is not None:
        if square in dead:
            in_vain.add(square)
        else:
            readings[square] = wiring.switch_of[square]
    return readings, in_vain


@pytest.mark.parametrize("seed", range(40))
def test_eleven_squares_tell_all_switches_and_each_dead_one_costs_one_more(seed: int) -> None:
    rng = Random(seed)
    wiring = drawn_wiring(rng, dead=seed % 5)
    readings, in_vain = read_all(wiring, wiring.faults.keys())
    assert len(readings) == 11
    assert len(in_vain) <= seed % 5
    (grid,) = grids_for(readings)
    assert [grid.switch(square) for square in SQUARES] == list(wiring.switch_of)


@pytest.mark.parametrize("rank", [0, 2, 9])
def test_a_whole_rank_that_is_silent_is_told_by_the_others(rank: int) -> None:
    wiring = drawn_wiring(Random(3), dead=0)
    readings, in_vain = read_all(wiring, SQUARES[10 * rank : 10 * rank + 10])
    assert 2 <= len(in_vain) <= 3
    (grid,) = grids_for(readings)
    assert [grid.switch(square) for square in SQUARES] == list(wiring.switch_of)


def test_the_second_square_tells_whether_the_board_is_turned() -> None:
    a1, b1 = parse_square("a1"), parse_square("b1")
    assert next_square({}, ()) == a1
    assert next_square({a1: Switch(0)}, ()) == b1
    assert [grid.is_turned for grid in grids_for({a1: Switch(0), b1: Switch(1)})] == [False]
    assert [grid.is_turned for grid in grids_for({a1: Switch(0), b1: Switch(10)})] == [True]


def test_wires_that_form_no_matrix_are_read_one_by_one() -> None:
    switches = Random(1).sample([Switch(n) for n in range(100)], 100)
    wiring = TrueWiring(switches, ())
    readings, _ = read_all(wiring, ())
    assert readings == dict(zip(SQUARES, switches, strict=True))


def test_a_usual_order_runs_in_eight_ways_and_has_every_square_once() -> None:
    assert len(set(USUAL_ORDERS)) == 8 * len(ORDERS)
    assert all(sorted(order) == list(SQUARES) for order in USUAL_ORDERS)
    assert set(ORDERS.values()) <= set(USUAL_ORDERS)


def test_a_usual_order_is_named_by_its_first_lamp_and_the_way_it_runs() -> None:
    for (_pattern, corner, along), order in NAMED_ORDERS.items():
        assert format_square(order[0]) == corner
        assert abs(order[1] - order[0]) == (1 if along == "ranks" else 10)


@pytest.mark.parametrize("order", USUAL_ORDERS)
def test_few_lamps_tell_a_usual_order(order: tuple[Square, ...]) -> None:
    readings: dict[Lamp, Square] = {}
    while (lamp := next_lamp(readings, (), walks=False)) is not None:
        readings[lamp] = order[lamp]
    assert len(readings) == ENOUGH_LAMPS
    assert whole_order(readings) == order


def test_a_lamp_that_tells_nothing_is_passed_over() -> None:
    first = next_lamp({}, (), walks=False)
    assert first is not None
    assert next_lamp({}, (first,), walks=False) not in (first, None)


def test_any_order_is_told_by_all_lamps_but_one() -> None:
    order = tuple(Random(2).sample(SQUARES, 100))
    silent = Lamp(17)
    readings: dict[Lamp, Square] = {}
    while (lamp := next_lamp(readings, (silent,), walks=False)) is not None:
        assert whole_order(readings) is None
        readings[lamp] = order[lamp]
    assert len(readings) == 99
    assert orders_for(readings) == []
    assert whole_order(readings) == order


def test_a_walk_asks_for_every_lamp_in_turn() -> None:
    readings: dict[Lamp, Square] = {}
    while (lamp := next_lamp(readings, (), walks=True)) is not None:
        assert lamp == len(readings)
        readings[lamp] = SQUARES[lamp]
    assert len(readings) == 100


class Visit:
    """One run of the wizard with simulated hands."""

    def __init__(
        self, truth: TrueWiring, walks: bool, seed: int = 1, errs_at: tuple[int, ...] = ()
    ) -> None:
        rng = Random(seed)
        self.truth = truth
        self.lines: list[str] = []
        board, clock = steady_board((), rng, wiring=truth), EagerClock()
        self.hands = LedHands(board, rng, clock.now, errs_at)
        hands, say = self.hands, self.lines.append
        leading = Leading(board, hands.read, clock, say, "en", hear=hands.hear)
        self.wiring = WiringWalk(leading).run(walks)

    @property
    def settings(self) -> Settings:
        """What would be written."""
        wiring = self.found()
        orders = {"reed": wiring.switches, "lamps": wiring.lamps}
        options = {name: {"order": order_option(order)} for name, order in orders.items()}
        return parse_settings(with_options("", options))

    def found(self) -> Wiring:
        assert self.wiring is not None
        return self.wiring

    def is_right(self) -> bool:
        settings = self.settings
        switches, lamps = settings.reed.switch_of(), settings.lamps.lamp_of()
        return (switches, lamps) == (tuple(self.truth.switch_of), tuple(self.truth.lamp_of))


@pytest.mark.parametrize("seed", sampled(range(10), by_hand=2))
def test_a_board_wired_anyhow_with_a_dead_switch_is_found_out(seed: int) -> None:
    visit = Visit(drawn_wiring(Random(seed)), walks=False)
    assert visit.is_right()
    assert visit.hands.instructions <= 17


def test_a_walk_tries_every_switch() -> None:
    visit = Visit(drawn_wiring(Random(5), dead=2, stuck=1), walks=True)
    assert visit.is_right()
    marks = {FaultKind.DEAD: SquareState.DEAD, FaultKind.STUCK: SquareState.STUCK}
    expected = [
        marks[visit.truth.faults[square]] if square in visit.truth.faults else SquareState.GOOD
        for square in SQUARES
    ]
    assert list(visit.found().states) == expected
    *_, counts = wiring_map(visit.found(), "en")
    assert counts == "Good 97, dead 2, stuck 1, not tried 0."


def test_a_chain_in_any_order_is_found_out_lamp_by_lamp() -> None:
    truth = drawn_wiring(Random(6), dead=3, is_any_chain=True)
    visit = Visit(truth, walks=False)
    assert visit.is_right()
    assert sum("Which square is lit?" in line for line in visit.lines) == 2


@pytest.mark.parametrize("errs_at", [(1,), (2,), (5,), (11,), (13,), (3, 9, 14)])
def test_a_piece_on_the_wrong_square_misleads_nobody(errs_at: tuple[int, ...]) -> None:
    """What is doubted is asked once more; what were believed would cost forty pieces and more."""
    visit = Visit(drawn_wiring(Random(7)), walks=False, errs_at=errs_at)
    assert visit.is_right()
    assert visit.hands.instructions < 30


def test_a_map_shows_rank_ten_first() -> None:
    states = [SquareState.GOOD] * 100
    states[parse_square("j10")] = SquareState.DEAD
    lines = wiring_map(Wiring(SQUARES, SQUARES, tuple(states)), "de")
    assert lines[0] == "10  " + "o  " * 9 + "X"
    assert lines[10].split() == list("abcdefghij")
    assert lines[11] == "Gut 99, tot 1, klemmt 0, nicht versucht 0."


SETTINGS = """\
# the table in the hall
[table]
board = "serial"  # an Arduino

[reed]
debounce_ms = 9.0
"""


def test_the_command_writes_the_orders_and_leaves_the_rest(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "table.toml"
    path.write_text(SETTINGS)
    assert main(["wire", "--board", "simulated", "--seed", "7", "--config", str(path)]) == 0
    assert capsys.readouterr().out.endswith(f"{path}: the wiring is written.\n")
    text = path.read_text()
    assert text.startswith(SETTINGS)
    settings, truth = read_settings(path), drawn_wiring(Random(7))
    assert settings.reed.switch_of() == tuple(truth.switch_of)
    assert settings.lamps.lamp_of() == tuple(truth.lamp_of)
    assert settings.reed.debounce_ms == 9


def test_a_dry_run_prints_settings_and_writes_none(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "table.toml"
    main(["wire", "--board", "simulated", "--dry-run", "--config", str(path)])
    out = capsys.readouterr().out
    assert parse_settings(out[out.index("[reed]") :]).reed.order != "rows"
    assert not path.exists()


def test_what_a_simulated_board_tells_is_kept_out_of_the_settings_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    assert main(["wire", "--board", "simulated"]) == 0
    assert "order = [" in capsys.readouterr().out
    assert list(tmp_path.iterdir()) == []


def test_without_a_board_it_says_what_to_do(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["wire", "--config", str(tmp_path / "none.toml")]) == 2
    assert "the settings name no real board" in capsys.readouterr().err


def test_orders_with_a_name_are_written_by_it() -> None:
    assert order_option(tuple(SQUARES)) == "rows"
    assert order_option(tuple(reversed(SQUARES)))[:2] == ["j10", "i10"]
