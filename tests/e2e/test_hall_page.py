"""The hall in a browser: a wall, a board large, the arbiter's desk."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from jetan_table.hall.showing import Delay
from tests.e2e.windows import PHONE, Windows
from tests.jetan_table.hall.mosquitto import Mosquitto, until
from tests.jetan_table.hall.served import PIN, ServedHall, hall_served
from tests.jetan_table.hall.test_hub import game_of, told_game
from tests.jetan_table.hall.test_pages import say
from tests.jetan_table.hall.test_teller import stepping, telling_of
from tests.jetan_table.sitting import sitting

pytestmark = pytest.mark.needs("chromium", "mosquitto")

TELEVISION = {"width": 1920, "height": 1080}


@contextmanager
def opened(windows: Windows, served: ServedHall, **how: Any) -> Iterator[Page]:
    with windows.opened(served.url, **how) as page:
        page.goto(served.url)
        yield page


@pytest.mark.parametrize("size", [PHONE, TELEVISION])
def test_a_wall_of_twelve_boards_fits_its_screen(
    windows: Windows, tmp_path: Path, mosquitto: Mosquitto, size: dict[str, int]
) -> None:
    with hall_served(tmp_path / "hall", mosquitto.broker) as served:
        for index in range(12):
            say(served, told_game(game_of(6 + index, index), 9), f"table-{index}")
        with opened(windows, served, viewport=size) as page:
            boards = page.locator("#wall img.board")
            expect(boards).to_have_count(12)
            wide = page.evaluate("document.documentElement.scrollWidth")
            assert wide <= size["width"]
            assert (boards.first.bounding_box() or {"width": 0})["width"] > 100
            if size == TELEVISION:
                last = boards.last.bounding_box()
                assert last is not None
                assert last["y"] + last["height"] <= size["height"]


def test_spectators_are_late_in_their_browser(
    windows: Windows, tmp_path: Path, mosquitto: Mosquitto
) -> None:
    with hall_served(tmp_path / "hall", mosquitto.broker, Delay(plies=3)) as served:
        say(served, told_game(game_of(9), 9), "alpha")
        with opened(windows, served) as page:
            expect(page.locator("#late")).to_contain_text("3")
            page.locator("#wall a").click()
            expect(page.locator("ol.moves li")).to_have_count(6)
            say(served, told_game(game_of(10), 10), "alpha")
            expect(page.locator("ol.moves li")).to_have_count(7)


def test_the_arbiter_corrects_a_table_by_its_board(
    windows: Windows, tmp_path: Path, mosquitto: Mosquitto
) -> None:
    with (
        hall_served(tmp_path / "hall", mosquitto.broker) as served,
        sitting(tmp_path / "alpha") as evening,
        telling_of(evening, mosquitto.port),
    ):
        evening.move("d2", "d3")
        evening.move("e9", "e8")
        until(lambda: bool(served.visitor().get("/api/hall")))
        until(lambda: served.visitor().get("/api/hall")[0]["plies"] == 2)
        with opened(windows, served) as page:
            page.locator("#to-arbiter").click()
            page.locator("#pin").fill(PIN)
            with page.expect_event("load"):  # the page begins anew for the arbiter
                page.locator("#desk button").click()
            page.locator("#wall a").click()
            expect(page.locator("#tools")).to_be_visible()
            page.locator("ol.moves button").first.click()
            expect(page.locator("#position")).to_have_value(re.compile(r" o "))
            page.locator("#set-position").click()
            expect(page.locator("#notice")).to_be_visible()
            stepping(evening, lambda: evening.table.view.leading.repair is not None)
            step = evening.table.view.leading.repair
            assert step is not None
            evening.move("e8", "e9")
            stepping(evening, lambda: evening.table.view.leading.repair is None)
            expect(page.locator("ol.moves li")).to_have_count(0)
            assert len(evening.table.record.terms.fixes) == 1
