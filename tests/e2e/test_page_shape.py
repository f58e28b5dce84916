"""The shape of the page in a real browser: how much of it is board, and that nothing is cut off."""

import re
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Final

import pytest
from msgspec.structs import replace
from playwright.sync_api import Page, expect

from jetan_table.game.commands import New, RollDie
from jetan_table.page.asked import (
    BoxRequest,
    LiftRequest,
    MoveRequest,
    PageRequest,
    PutRequest,
    TakeRequest,
)
from tests.e2e.drawn import Drawn, drawn
from tests.e2e.served import Visitor, served, served_at_broker, visiting
from tests.e2e.windows import PHONE, Windows
from tests.jetan_table.extras.hall.mosquitto import Mosquitto
from tests.jetan_table.page.test_on_screen import ScreenTable, on_screen

pytestmark = [pytest.mark.ci, pytest.mark.needs("chromium")]

LAPTOP: Final = {"width": 1366, "height": 768}
DESK: Final = {"width": 1920, "height": 1080}
LARGEST: Final = {"width": 3840, "height": 2160}
TABLET: Final = {"width": 820, "height": 1180}
LYING: Final = {"width": 844, "height": 390}
ZOOMED: Final = {"width": 683, "height": 384}
"""A laptop's window where everything is drawn at twice its size."""
SIZES: Final = (LAPTOP, DESK, TABLET, PHONE, LYING, ZOOMED)
LANGUAGES: Final = ("en", "de")

SMALLEST: Final = (
    (LAPTOP, 640),
    (DESK, 920),
    (LARGEST, 1840),
    (TABLET, 780),
    (PHONE, 370),
    (LYING, 370),
    (ZOOMED, 370),
)
"""How many pixels of its height the board has at least, with clock, die and series."""

ASKING: Final = "5c4/10/3p6/4p5/10/3D6/10/10/10/5QC3 b - - 0 30"
ARENA: Final = "9q/10/5c4/10/4d5/10/4A5/10/3C6/Q9 b BO - 0 1"
SHORT_GAME: Final = "9c/3q6/10/10/4p5/3F1F4/10/10/10/C3Q5 b - - 0 1"

WRONG: Final = Path(__file__).with_name("shape.js").read_text()
"""A script that tells what is amiss on the page that is shown, in words."""


def assert_fits(page: Page, state: str) -> None:
    """Nothing is cut off or overlaps, whatever the window's size."""
    wrong = {}
    for size in SIZES:
        page.set_viewport_size(size)
        page.evaluate(
            "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"
        )
        if found := page.evaluate(WRONG):
            wrong[f"{size['width']}x{size['height']}"] = found
    assert wrong == {}, state


def board_px(page: Page) -> float:
    box = page.locator("#board").bounding_box()
    assert box is not None
    return float(min(box["width"], box["height"]))


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Drawn]:
    with drawn(tmp_path_factory.mktemp("drawn")) as site:
        yield site


@pytest.fixture(scope="module")
def readers(windows: Windows, site: Drawn) -> Iterator[dict[str, Visitor]]:
    """Who reads the page in each language, whatever it is shown."""
    with ExitStack() as ends:
        yield {
            each: ends.enter_context(visiting(windows, site, f"?lang={each}&play"))
            for each in LANGUAGES
        }


def test_nothing_is_cut_off_on_the_first_page(windows: Windows, site: Drawn) -> None:
    for language in LANGUAGES:
        with visiting(windows, site, f"?lang={language}") as guest:
            guest.page.locator(".choice").first.wait_for()
            assert_fits(guest.page, f"first page, {language}")


def with_all(table: ScreenTable) -> None:
    """A game with a clock, a series, stakes and the Juggernaut is begun."""
    begun = New("appendix,juggernaut=e5", black="Gahan of Gathol", orange="Tara", stake=10)
    table.ask(replace(begun, clock="10+5 buttons", series="evening"))


def die_due(table: ScreenTable) -> None:
    table.ask(New(rules="appendix,juggernaut=e5"))
    table.ask(MoveRequest("d2", "d3"))


def die_rolled(table: ScreenTable) -> None:
    die_due(table)
    table.ask(RollDie())


def ended(table: ScreenTable) -> None:
    table.ask(New(rules="appendix", position=SHORT_GAME))
    for start, end in (("d5", "e8"), ("j10", "i10"), ("e8", "d9")):
        table.ask(MoveRequest(start, end))


def question(table: ScreenTable) -> None:
    table.ask(New(rules="appendix", position=ASKING))
    touch(table, LiftRequest("d5"), BoxRequest(), LiftRequest("f10"), PutRequest("f7"))


def fight(table: ScreenTable) -> None:
    table.ask(New(rules="manator-arena", position=ARENA))
    touch(table, LiftRequest("e4"), TakeRequest("e6"))


def repair(table: ScreenTable) -> None:
    touch(table, LiftRequest("d2"), PutRequest("d6"))


def touch(table: ScreenTable, *touches: PageRequest) -> None:
    table.wait(2.0)
    for each in touches:
        table.ask(each)
        table.wait(1.0)


SHOWN_BY: Final[dict[Callable[[ScreenTable], None], str]] = {
    with_all: "#roll-opening",
    die_due: "#do-roll:enabled",
    die_rolled: "#die-face:not(:text('?'))",
    ended: "#end-card",
    question: "#square-d8[data-cue=question]",
    fight: "#fight-card",
    repair: "#square-d6[data-cue=wrong]",
}
"""What a table has come to, and what the page has of that."""


@pytest.mark.parametrize("state", SHOWN_BY, ids=lambda state: state.__name__)
def test_nothing_is_cut_off(
    site: Drawn,
    readers: dict[str, Visitor],
    tmp_path: Path,
    state: Callable[[ScreenTable], None],
) -> None:
    with on_screen(tmp_path, simulates=state in (question, fight, repair)) as table:
        state(table)
        site.show(table, *readers.values())
    for language, guest in readers.items():
        guest.page.locator(SHOWN_BY[state]).wait_for()
        assert_fits(guest.page, f"{state.__name__}, {language}")


def test_the_board_has_the_height(
    windows: Windows, site: Drawn, readers: dict[str, Visitor], tmp_path: Path
) -> None:
    with on_screen(tmp_path) as table:
        with_all(table)
        site.show(table, *readers.values())
    for size, smallest in SMALLEST:
        readers["en"].page.set_viewport_size(size)
        assert board_px(readers["en"].page) >= smallest, size
    with visiting(windows, site, "?wall", viewport=DESK) as guest:
        assert board_px(guest.page) >= 1000


@pytest.mark.parametrize("language", LANGUAGES)
def test_nothing_is_cut_off_while_a_table_is_set_up(
    windows: Windows, tmp_path: Path, language: str
) -> None:
    with (
        served(tmp_path, "--board", "screen") as table,
        windows.opened(table.url, locale=language) as page,
    ):
        page.goto(f"{table.url}setup")
        title = page.locator("#title:not(:empty)")
        for action in (f"language-{language}", "kind-practice", "walk", "nothing", "skip", "skip"):
            title.wait_for()
            assert_fits(page, f"set-up, before {action}")
            page.locator(f"[data-action='{action}']").first.click()
        assert_fits(page, "set-up")


@pytest.mark.needs("mosquitto")
def test_nothing_is_cut_off_in_a_far_match(
    windows: Windows, tmp_path: Path, mosquitto: Mosquitto
) -> None:
    with ExitStack() as ends:
        alpha, beta = (
            ends.enter_context(served_at_broker(tmp_path, mosquitto.port, name))
            for name in ("alpha", "beta")
        )
        guests = {
            language: ends.enter_context(visiting(windows, alpha, f"?play&lang={language}"))
            for language in LANGUAGES
        }
        for table in (alpha, beta):
            table.begin_anew()

        def each_fits(state: str, shown: str, words: str) -> None:
            for language, guest in guests.items():
                expect(guest.page.locator(shown)).to_contain_text(re.compile(words))
                assert_fits(guest.page, f"far match, {state}, {language}")

        alpha.ask("api/do", do="far")
        each_fits("waiting", "#said", "match |partie ")
        (code,) = re.findall("[A-Z]{6}", guests["en"].page.inner_text("#said"))
        beta.ask("api/do", do="far", code=code)
        each_fits("joined", "#strip-far .name", "beta")
        beta.ask("api/do", do="offer", side="orange")
        each_fits("asked", "#do-decline", ".")
