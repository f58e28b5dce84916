"""`jetan bench lamps`: whether eyes tell meanings apart, and what the supply is asked for."""

import json

import pytest

from bench import lamps
from bench.lamps import EYES, Shown, distance
from jetan_table.cli import main

BLACK, WHITE, GREY, RED, GREEN = (0, 0, 0), (255,) * 3, (128,) * 3, (255, 0, 0), (0, 255, 0)


@pytest.mark.parametrize("eye", EYES)
def test_black_and_white_are_one_apart_to_every_eye(eye: str) -> None:
    assert distance(BLACK, WHITE, eye, Shown.LAMP) == pytest.approx(1.0, abs=1e-3)


def test_a_lamp_at_half_is_brighter_than_a_screen_at_half() -> None:
    lamp, screen = (distance(BLACK, GREY, "normal", shown) for shown in Shown)
    assert lamp == pytest.approx((128 / 255) ** (1 / 3), abs=1e-3)
    assert screen < lamp


def test_red_and_green_are_nearer_to_eyes_that_mix_them_up() -> None:
    by_eye = {eye: distance(RED, GREEN, eye, Shown.SCREEN) for eye in EYES}
    assert by_eye["deutan"] < 0.6 * by_eye["normal"]
    assert by_eye["tritan"] > by_eye["deutan"]


def test_figures_are_within_the_limits(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bench", "lamps", "--json"]) == 0
    figures = json.loads(capsys.readouterr().out)
    assert figures.keys() == lamps.Figures.__annotations__.keys()
    assert figures["rhythm_distance"] > 0.09
    assert 0 < figures["most_vs_limit"] < 1
