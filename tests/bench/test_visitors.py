"""`jetan bench visitors`: somebody with a mouse, and somebody who only listens, end short games."""

from pathlib import Path
from random import Random

import pytest

pytest.importorskip("playwright", reason="playwright is missing: ./jetan test brings it")

from bench.visitors.ear import Blind, play_on
from bench.visitors.mouse import MOST_PLIES, Mouse, Visit, chosen, complaints
from rules import Termination, parse_position, parse_rules
from tests.e2e.served import served
from tests.e2e.windows import Windows, chromium

pytestmark = pytest.mark.needs("chromium")

NEAR = "9c/3q6/10/10/3D6/10/10/10/10/C3Q5 b - - 0 1"
"""Black's Dwar takes the Princess at once."""
FOUGHT = "9c/3q6/10/10/4p5/3F1F4/10/10/10/C3Q5 b - - 0 1"


def test_the_winning_move_is_chosen() -> None:
    position = parse_position(NEAR, parse_rules("zillions"))
    outcomes = {position.play(chosen(position, Random(seed))).outcome for seed in range(5)}
    assert [each and each.termination for each in outcomes] == [Termination.PRINCESS_TAKEN]


@pytest.mark.parametrize("rules", ["zillions", "manator-arena"])
def test_a_game_is_played_to_its_end_by_mouse(tmp_path: Path, rules: str) -> None:
    visit = Visit("mouse", rules)
    arguments = ("--board", "screen", "--rules", rules, "--position", FOUGHT)
    with (
        chromium() as browser,
        served(tmp_path, *arguments) as table,
        Windows(browser).opened(table.url, reduced_motion="no-preference") as page,
        complaints(page, visit),
    ):
        page.goto(f"{table.url}?play")
        page.wait_for_selector("body[data-phase=playing]")
        Mouse(page, table, Random(3)).play(visit)
    assert visit.troubles == []
    assert 0 < visit.plies < MOST_PLIES
    assert "won: " in visit.ended or "draw: " in visit.ended


def test_a_game_is_won_by_who_only_listens(tmp_path: Path) -> None:
    visit = Visit("blind", "zillions")
    arguments = ("--board", "screen", "--position", NEAR, "--opponent", "panthan")
    with (
        chromium() as browser,
        served(tmp_path, *arguments) as table,
        Windows(browser).opened(table.url) as page,
        complaints(page, visit),
    ):
        page.goto(f"{table.url}?play")
        page.wait_for_selector("body[data-phase=playing]")
        play_on(Blind(page, Random(3)), visit)
    assert visit == Visit("blind", "zillions", 1, "You won")
