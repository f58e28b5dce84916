"""The shape of the page in a real browser: how much of it is board, and that nothing is cut off."""

import re
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, Final

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.served import Served, Visitor, served, served_at_broker, visiting
from tests.e2e.windows import PHONE, Windows
from tests.jetan_table.extras.hall.mosquitto import Mosquitto

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
        page.set_viewport_size(size)  # type: ignore[arg-type]
        page.evaluate(
            "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"
        )
        if found := page.evaluate(WRONG):
            wrong[f"{size['width']}x{size['height']}"] = found
    assert wrong == {}, state


def board_px(page: Page) -> float:
    box = page.locator("#board").bounding_box()
    assert box is not None
    return min(box["width"], box["height"])


@pytest.fixture(scope="module")
def screen(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with served(tmp_path_factory.mktemp("screen"), "--board", "screen") as table:
        yield table


@pytest.fixture(scope="module")
def simulated(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with served(tmp_path_factory.mktemp("simulated"), "--speed", "4") as table:
        table.await_playing()
        yield table


def test_the_board_has_the_height(windows: Windows, screen: Served) -> None:
    begin_with_all(screen)
    with visiting(windows, screen, "?play") as guest:
        for size, smallest in SMALLEST:
            guest.page.set_viewport_size(size)  # type: ignore[arg-type]
            assert board_px(guest.page) >= smallest, size
    with visiting(windows, screen, "?wall", viewport=DESK) as guest:
        assert board_px(guest.page) >= 1000


def begin_with_all(table: Served) -> None:
    """Begin a game with a clock, a series, stakes and the Juggernaut."""
    terms: dict[str, Any] = {"clock": "10+5 buttons", "series": "evening", "stake": 10}
    table.begin_anew("appendix,juggernaut=e5", black="Gahan of Gathol", orange="Tara", **terms)


def first_page(guest: Visitor, _table: Served) -> None:
    guest.page.locator(".choice").first.wait_for()


def with_all(guest: Visitor, table: Served) -> None:
    begin_with_all(table)
    guest.page.locator("#roll-opening").wait_for()


def die_due(guest: Visitor, table: Served) -> None:
    table.begin_anew("appendix,juggernaut=e5")
    guest.assert_piece("e5", "Juggernaut")
    guest.touch("d2", "d3")
    expect(guest.page.locator("#do-roll")).to_be_enabled()


def die_rolled(guest: Visitor, table: Served) -> None:
    die_due(guest, table)
    guest.page.locator("#do-roll").click()
    expect(guest.page.locator("#die-face")).to_have_text(re.compile(r"\d|-|\+"))


def ended(guest: Visitor, table: Served) -> None:
    table.begin_anew(position=SHORT_GAME)
    guest.assert_piece("d5", "Flier|Flieger")
    guest.touch("d5", "e8")
    guest.touch("j10", "i10")
    guest.touch("e8", "d9")
    guest.page.locator("#end-card").wait_for()


def question(guest: Visitor, table: Served) -> None:
    table.begin_anew(position=ASKING)
    guest.assert_piece("d5", "Dwar")
    guest.touch("d5")
    guest.page.locator("#box-tray").click()
    guest.touch("f10", "f7")
    guest.assert_cue("d8", "question")


def fight(guest: Visitor, table: Served) -> None:
    table.begin_anew("manator-arena", position=ARENA)
    guest.assert_piece("e4", "Padwar")
    guest.drag("e4", "e6")
    guest.page.locator("#fight-card").wait_for()


def repair(guest: Visitor, table: Served) -> None:
    table.begin_anew()
    guest.assert_piece("d2", "Panthan")
    guest.touch("d2", "d6")
    guest.assert_cue("d6", "wrong")


SCREEN_STATES: Final = (first_page, with_all, die_due, die_rolled, ended)
SIMULATED_STATES: Final = (question, fight, repair)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("state", SCREEN_STATES, ids=lambda state: state.__name__)
def test_nothing_is_cut_off_on_a_screen(
    windows: Windows, screen: Served, state: Callable[[Visitor, Served], None], language: str
) -> None:
    query = f"?lang={language}" + ("" if state is first_page else "&play")
    with at_first(screen, state is first_page), visiting(windows, screen, query) as guest:
        if state is first_page and not guest.page.locator("#start").is_visible():
            guest.page.locator("#open-start").click()
        state(guest, screen)
        assert_fits(guest.page, state.__name__)


@contextmanager
def at_first(table: Served, is_wanted: bool) -> Iterator[None]:
    """Serve a game that nobody has begun, where that `is_wanted`."""
    if is_wanted:
        table.begin_anew()
    yield


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("state", SIMULATED_STATES, ids=lambda state: state.__name__)
def test_nothing_is_cut_off_at_a_simulated_table(
    windows: Windows, simulated: Served, state: Callable[[Visitor, Served], None], language: str
) -> None:
    with visiting(windows, simulated, f"?lang={language}") as guest:
        state(guest, simulated)
        assert_fits(guest.page, state.__name__)
    simulated.begin_anew()


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
