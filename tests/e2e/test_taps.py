"""How many taps away everything is that a visitor may want, in a real browser."""

from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.served import Served, served, visiting
from tests.e2e.test_training import play_badly
from tests.e2e.windows import Windows

pytestmark = [pytest.mark.ci, pytest.mark.needs("chromium")]

CONFIRM: Final = "dialog[open] button.main"
"""What begins or confirms in a dialog."""

WON_SOON: Final = "9c/3q6/10/10/4p5/3F1F4/10/10/10/C3Q5 b - - 0 1"


class Way(NamedTuple):
    """The taps that lead to what is wanted, as selectors, and what is seen there."""

    wanted: str
    taps: tuple[str, ...]
    seen: str


def card(name: str, value: str) -> str:
    """A card or a chip of the dialog of a new game."""
    return f"dialog[open] label:has([name={name}][value='{value}'])"


FROM_THE_FIRST_PAGE: Final = (
    Way("lessons", ("[data-action=learn]",), "#lesson-card"),
    Way("a beginner", ("[data-action=against]",), "body:not(.starting)"),
    Way("two", ("[data-action=two]",), "body:not(.starting)"),
    Way("watching", ("[data-action=watch]",), "#watch"),
    Way(
        "a stronger opponent", ("#open-new", card("level", "odwar"), CONFIRM), "body:not(.starting)"
    ),
    Way("the puzzle of the day", ("[data-action=daily]",), "#training-card"),
    Way("the Juggernaut", ("#open-new", ".juggernaut", CONFIRM), "#die-card"),
    Way("the disk", ("#open-new", card("preset", "ninth-ray-clockwise"), CONFIRM), "#board.disk"),
    Way("a clock", ("#open-new", card("clock-chip", "10+5"), CONFIRM), "#clock-black"),
    Way("silence", ("#open-settings", "[name=sounds]"), "[name=sounds]:not(:checked)"),
)
IN_A_GAME: Final = (
    Way("saving", ("#do-menu", "#open-save"), "dialog[open] input"),
    Way("taking back", ("#do-back",), "#moves:not(:has([data-ply]))"),
    Way("resigning", ("#do-menu", "#do-resign", CONFIRM), "#end-card"),
)
AFTER_THE_END: Final = (
    Way("its analysis", ("#end-analyse",), "#analysis-card"),
    Way("guessing", ("#end-guess",), "#training-card"),
    Way("showing it", ("#end-show",), "dialog[open]"),
    Way("another game", ("#do-rematch",), "#end-card[hidden]"),
)
AN_OLD_GAME: Final = Way(
    "the analysis of an old game",
    ("#open-games", ".games li:has-text('1. ') button:has-text('View')", "[data-action=analyse]"),
    "#chances",
)


@pytest.fixture(scope="module")
def screen(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with served(tmp_path_factory.mktemp("screen"), "--board", "screen") as table:
        yield table


def assert_reached(page: Page, way: Way) -> None:
    """Tap the way, and see what is wanted at its end."""
    for tap in way.taps:
        page.locator(f"{tap} >> visible=true").first.click()
    expect(page.locator(way.seen).first).to_be_attached()


@pytest.mark.parametrize("way", FROM_THE_FIRST_PAGE, ids=lambda way: way.wanted)
def test_everything_is_near_the_first_page(windows: Windows, screen: Served, way: Way) -> None:
    screen.begin_anew()
    with visiting(windows, screen) as guest:
        if not guest.page.locator("#start").is_visible():
            guest.page.locator("#open-start").click()
        assert_reached(guest.page, way)
    screen.leave_exercises()


@pytest.mark.parametrize("way", IN_A_GAME, ids=lambda way: way.wanted)
def test_everything_is_near_in_a_game(windows: Windows, screen: Served, way: Way) -> None:
    screen.begin_anew()
    with visiting(windows, screen, "?play") as guest:
        guest.touch("d2", "d3")
        guest.assert_moves("Pd2-d3")
        assert_reached(guest.page, way)


def test_two_taps_turn_the_board(windows: Windows, screen: Served) -> None:
    screen.begin_anew()
    with visiting(windows, screen, "?play") as guest:
        heights = [guest.square(name).bounding_box()["y"] for name in ("a10", "a1")]
        for tap in ("#do-menu", "#do-flip"):
            guest.page.locator(tap).click()
        assert [guest.square(name).bounding_box()["y"] for name in ("a1", "a10")] == heights
        guest.touch("d2", "d3")
        guest.assert_moves("Pd2-d3")


@pytest.mark.parametrize("way", AFTER_THE_END, ids=lambda way: way.wanted)
def test_everything_is_near_after_the_end(windows: Windows, screen: Served, way: Way) -> None:
    screen.begin_anew(position=WON_SOON)
    with visiting(windows, screen, "?play") as guest:
        for start, end in (("d5", "e8"), ("j10", "i10"), ("e8", "d9")):
            guest.touch(start, end)
        guest.page.locator("#end-card").wait_for()
        assert_reached(guest.page, way)


def test_an_old_game_is_near(windows: Windows, tmp_path: Path) -> None:
    play_badly(tmp_path)
    table = served(tmp_path, "--board", "screen", "--rules", "appendix")
    with table as running, visiting(windows, running, "?play") as guest:
        assert_reached(guest.page, AN_OLD_GAME)
