"""The wizard at randomly wired boards: the settings it writes are right, whatever goes wrong."""

from pathlib import Path
from random import Random

import pytest

from hardware.ports import FaultKind
from jetan_table.cli import main
from jetan_table.extras.commissioning.simulated import LedHands, drawn_wiring
from jetan_table.extras.commissioning.walk import (
    Leading,
    SquareState,
    Wiring,
    WiringWalk,
    wiring_map,
)
from jetan_table.extras.commissioning.wire import order_option, with_options
from jetan_table.people.board import TrueWiring, steady_board
from jetan_table.settings import Settings, parse_settings, read_settings
from jetan_table.table.loop import EagerClock
from rules import SQUARES, parse_square
from tests.profiles import sampled


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
        leading = Leading(board, self.hands, clock, self.lines.append, "en")
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
    assert visit.hands.errands <= 17


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


@pytest.mark.parametrize("errs_at", [(2,), (5,), (11,), (13,), (3, 9, 14)])
def test_a_piece_on_the_wrong_square_misleads_nobody(errs_at: tuple[int, ...]) -> None:
    assert Visit(drawn_wiring(Random(7)), walks=False, errs_at=errs_at).is_right()


def test_even_a_first_piece_on_the_wrong_square_is_found_out() -> None:
    assert Visit(drawn_wiring(Random(7)), walks=False, errs_at=(1,)).is_right()


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
