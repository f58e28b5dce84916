"""The hall in a browser: a wall, a board large, the arbiter's desk."""

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, Route, expect

from jetan_table.extras.hall.hub import Delay
from jetan_table.extras.hall.payloads import ONLINE, table_topic
from rules import format_square
from tests.e2e.windows import PHONE, Windows
from tests.jetan_table.extras.hall.mosquitto import Mosquitto, until
from tests.jetan_table.extras.hall.served import PIN, ServedHall, hall_served
from tests.jetan_table.extras.hall.test_hub import game_of, told_game
from tests.jetan_table.extras.hall.test_pages import say
from tests.jetan_table.extras.hall.test_teller import stepping, telling_of
from tests.jetan_table.sitting import sitting

pytestmark = pytest.mark.needs("chromium", "mosquitto")

TELEVISION = {"width": 1920, "height": 1080}

WALKERS = """() => {
  const walked = [];
  const look = (changes) => changes.forEach(({ addedNodes }) => addedNodes.forEach((node) =>
    node.classList?.contains("walker") && walked.push(node)));
  new MutationObserver(look).observe(document.body, { childList: true, subtree: true });
  return walked;
}"""
"""Collects the pieces that walk from now on."""


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
        with opened(windows, served, viewport=size, locale="de") as page:
            boards = page.locator("#wall svg.board")
            expect(boards).to_have_count(12)
            expect(page.locator("#to-arbiter")).to_have_text("Schiedsrichter")
            wide = page.evaluate("document.documentElement.scrollWidth")
            assert wide <= size["width"]
            assert (boards.first.bounding_box() or {"width": 0})["width"] > 100
            expect(boards.first.locator(".piece")).to_have_count(40)
            if size == TELEVISION:
                last = boards.last.bounding_box()
                assert last is not None
                assert last["y"] + last["height"] <= size["height"]


def test_few_boards_fill_a_television_and_walk(
    windows: Windows, tmp_path: Path, mosquitto: Mosquitto
) -> None:
    with hall_served(tmp_path / "hall", mosquitto.broker) as served:
        for index in range(4):
            say(served, told_game(game_of(6 + index, index), 9), f"table-{index}")
        with opened(windows, served, viewport=TELEVISION, reduced_motion="no-preference") as page:
            board = page.locator("#wall svg.board").first
            expect(board.locator(".piece")).to_have_count(40)
            assert (board.bounding_box() or {"width": 0})["width"] > 400
            newest = game_of(7, 0)
            walkers = page.evaluate_handle(WALKERS)
            say(served, told_game(newest, 10), "table-0")
            page.wait_for_function("walked => walked.length === 1", arg=walkers)
            end = format_square(newest.plies[-1].move.to_square)
            expect(board.locator(f"[data-square={end}] .piece")).to_have_count(1)
            expect(board.locator("[data-cue=last-move]")).to_have_count(2)


def test_spectators_are_late_in_their_browser(
    windows: Windows, tmp_path: Path, mosquitto: Mosquitto
) -> None:
    with hall_served(tmp_path / "hall", mosquitto.broker, Delay(plies=3)) as served:
        say(served, told_game(game_of(9), 9), "alpha")
        with opened(windows, served) as page:
            expect(page.locator("#late")).to_contain_text("2 moves")
            page.locator("#wall a").click()
            expect(page.locator(".moves button")).to_have_count(6)
            say(served, told_game(game_of(10), 10), "alpha")
            expect(page.locator(".moves button")).to_have_count(7)


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
            enter(page)
            page.locator("#wall a").click()
            expect(page.locator("#tools")).to_be_visible()
            page.locator(".moves button").first.click()
            expect(page.locator("#position")).to_have_value(re.compile(r" o "))
            page.locator("#set-position").click()
            expect(page.locator("#notice")).to_be_visible()
            stepping(evening, lambda: evening.table.view.leading.repair is not None)
            step = evening.table.view.leading.repair
            assert step is not None
            evening.move("e8", "e9")
            stepping(evening, lambda: evening.table.view.leading.repair is None)
            expect(page.locator(".moves button")).to_have_count(0)
            assert len(evening.table.record.terms.fixes) == 1


SAYS = {
    "en": ("1 move", "with 4 players", "Round 1 is paired", "not over yet", "round 1 are undone"),
    "de": ("1 Zug", "mit 4 Spielern", "Runde 1 ist ausgelost", "noch nicht", "der Runde 1 ist"),
}


@pytest.mark.parametrize("language", SAYS)
def test_the_arbiter_s_buttons_answer(
    windows: Windows, tmp_path: Path, mosquitto: Mosquitto, language: str
) -> None:
    """Each says that it is under way, then what has come of it; the pairs stand on the desk."""
    one_move, begun, paired, refused, undone = SAYS[language]
    with hall_served(tmp_path / "hall", mosquitto.broker) as served:
        served.hear(table_topic("alpha", ONLINE), b"1")
        say(served, told_game(game_of(1), 9), "alpha")
        with opened(windows, served, locale=language) as page:
            expect(page.locator("#wall .state")).to_have_text(one_move)
            page.on("dialog", lambda dialog: dialog.accept())
            enter(page)
            page.locator("#to-arbiter").click()
            answer, pair = page.locator("#answer"), page.locator("#pair")
            fill = page.locator("#begin textarea").first.fill
            page.locator("#begin textarea").last.fill("alpha\nbeta")
            for names in ("Tara", "?\nTara"):
                fill(names)
                page.locator("#begin button").click()
                expect(answer).to_have_class("refused")
            fill("Tara\nGahan\nGhek\nTuran")
            with held(page) as let_go:
                page.locator("#begin button").click()
                expect(page.locator("#begin button")).to_be_disabled()
                expect(answer).to_contain_text("…")
                let_go()
            expect(answer).to_contain_text(begun)
            expect(page.locator("#begin")).to_be_hidden()
            with held(page) as let_go:
                pair.click()
                expect(pair).to_be_disabled()
                let_go()
            expect(answer).to_contain_text(paired)
            expect(pair).to_be_enabled()
            expect(page.locator("#round table").first.locator("tr")).to_have_count(2)
            expect(page.locator("#round table").first).to_contain_text("Gahan")
            pair.click()
            expect(answer).to_contain_text(refused)
            expect(answer).to_have_class("refused")
            page.locator("#unpair").click()
            expect(answer).to_contain_text(undone)
            expect(page.locator("#round")).not_to_contain_text("alpha")


def test_who_is_paired_is_named_at_the_boards_at_once(
    windows: Windows, tmp_path: Path, mosquitto: Mosquitto
) -> None:
    """Where its table has named nobody, and says nothing more."""
    with hall_served(tmp_path / "hall", mosquitto.broker) as served:
        say(served, told_game(game_of(1), 9, Black="?", Orange="?"), "alpha")
        with opened(windows, served) as page:
            names = page.locator("#wall .names")
            expect(names).to_have_text([re.compile("Black"), re.compile("Orange")])
            arbiter = served.visitor(is_arbiter=True)
            terms = {"system": "berger", "rules": "zillions", "clock": "none", "conduct": "strict"}
            begun = {"players": ["Tara", "Gahan"], "tables": ["alpha"], **terms}
            assert arbiter.post("/api/do", {"do": "begin", "tournament": begun}) == 200
            assert arbiter.post("/api/do", {"do": "pair"}) == 200
            expect(names).to_have_text([re.compile("Tara|Gahan")] * 2)
            page.locator("#wall a").click()
            expect(page.locator("#one .names")).to_have_text([re.compile("Tara|Gahan")] * 2)


def test_what_an_arbiter_types_stays_while_the_table_goes_on(
    windows: Windows, tmp_path: Path, mosquitto: Mosquitto
) -> None:
    with hall_served(tmp_path / "hall", mosquitto.broker) as served:
        say(served, told_game(game_of(1), 9), "alpha")
        with opened(windows, served) as page:
            enter(page)
            page.locator("#wall a").click()
            text = page.locator("#position")
            text.fill("10/10")
            say(served, told_game(game_of(2), 10), "alpha")
            expect(page.locator(".moves button")).to_have_count(2)
            expect(text).to_have_value("10/10")
            expect(text).to_be_focused()


def enter(page: Page) -> None:
    """Tell the hall's PIN; the page begins anew for the arbiter."""
    page.locator("#to-arbiter").click()
    page.locator("#pin").fill(PIN)
    with page.expect_event("load"):
        page.locator("#desk button").click()


@contextmanager
def held(page: Page) -> Iterator[Callable[[], None]]:
    """Keep from the hall what is asked of it, until it is let go."""
    asked: list[Route] = []

    def hold(route: Route) -> None:
        asked.append(route)

    page.route("**/api/do", hold)
    yield lambda: asked.pop().continue_()
    page.unroute("**/api/do")
