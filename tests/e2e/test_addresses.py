"""Addresses of the page in a real browser: each place has one, and Back goes back."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.served import Served, Visitor

pytestmark = pytest.mark.needs("chromium")


@pytest.fixture(scope="module")
def options() -> tuple[str, ...]:
    return ("--board", "screen")


def expect_at(page: Page, place: str) -> None:
    expect(page).to_have_url(re.compile(f"/#{place}$"))


def test_back_goes_from_place_to_place_and_a_reload_stays(visitor: Visitor, table: Served) -> None:
    page = visitor.page
    expect_at(page, "start")
    page.locator("[data-action=two]").click()
    expect_at(page, r"game/\d+")
    game = visitor.game
    visitor.touch("d2", "d3", "d9", "d8")
    visitor.assert_moves("Pd2-d3", "Pd9-d8")
    page.locator("#ply-first").click()
    expect_at(page, f"game/{game}/0")
    page.locator("#ply-next").click()
    expect_at(page, f"game/{game}/1")
    page.reload()
    visitor.await_ready()
    expect(page.locator("#past")).to_contain_text("Move 1 (Black)")
    page.locator("#to-live").click()
    expect_at(page, f"game/{game}")
    page.evaluate("location.hash = 'puzzle/3'")
    expect(page.locator("#training-card")).to_have_attribute("data-puzzle", "3")
    page.locator("#puzzle-next").click()
    expect_at(page, "puzzle/4")
    page.reload()
    visitor.await_ready()
    expect(page.locator("#training-card")).to_have_attribute("data-puzzle", "4")
    page.go_back()
    expect(page.locator("#training-card")).to_have_attribute("data-puzzle", "3")
    page.go_back()
    expect(page.locator("#training-card")).to_be_hidden()
    visitor.assert_moves("Pd2-d3", "Pd9-d8")
    expect_at(page, f"game/{visitor.game}")
    page.go_back()
    expect(page.locator("#start")).to_be_visible()


def test_a_lesson_a_game_and_a_position_are_opened_by_their_addresses(
    visitor: Visitor, table: Served
) -> None:
    page = visitor.page
    page.locator("[data-action=two]").click()
    expect_at(page, r"game/\d+")
    game = visitor.game
    visitor.touch("d2", "d3")
    visitor.assert_moves("Pd2-d3")
    table.begin_anew()
    visitor.await_playing(since=game)
    page.evaluate("at => (location.hash = at)", f"game/{game}/1")
    visitor.assert_piece("d3", "d3, Black Panthan")
    expect(page.locator("#past")).to_contain_text(f"Game {game}: ")
    page.locator("#to-live").click()
    page.evaluate("location.hash = 'lesson/flier'")
    expect(page.locator("#lesson-card")).to_have_attribute("data-lesson", "flier")
    page.locator("#leave-course").click()
    expect_at(page, r"game/\d+")
    text = "9q/10/10/10/10/d9/10/10/Q9/10 b - - 0 1"
    page.evaluate(
        "text => (location.hash = ['position', 'cazaux', text].map(encodeURIComponent).join('/'))",
        text,
    )
    visitor.assert_piece("a5", "a5, Orange Dwar")
    page.locator("#from-here").click()
    expect_at(page, r"game/\d+")
    assert table.state()["position"] == text
    page.evaluate("location.hash = 'game/999999'")
    expect(page.locator("#toast")).to_contain_text("999999")
