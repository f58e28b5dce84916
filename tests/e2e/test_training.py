"""Puzzles on the page in a real browser: set by one tap, solved by taps and by keys."""

from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, expect

from jetan_table.engine.proof import wins_by
from jetan_table.lessons.puzzles import Task, judge, read_daily, solutions
from rules import Move, format_square
from tests.e2e.served import PHONE, Visitor, served, visiting

pytestmark = pytest.mark.needs("chromium")

PUZZLES = read_daily()
WIN_3 = next(puzzle for puzzle in PUZZLES if puzzle.task is Task.WIN_3)


def open_puzzle(guest: Visitor) -> None:
    if guest.page.locator('[data-action="on"]').is_visible():
        guest.page.locator('[data-action="on"]').click()
    if not guest.page.locator("#puzzle").is_visible():
        guest.page.locator("#do-menu").click()
    guest.page.locator('[data-action="puzzle"]').click()
    guest.page.wait_for_selector("#training-card:not([hidden])")


def touch(guest: Visitor, move: Move) -> None:
    guest.touch(format_square(move.from_square), format_square(move.to_square))


def choose(guest: Visitor, theme: str) -> None:
    guest.page.locator("#puzzle-theme").select_option(theme)


def test_a_puzzle_is_chosen_answered_and_solved(browser: Browser, tmp_path: Path) -> None:
    with served(tmp_path, "--board", "screen") as table, visiting(browser, table) as guest:
        open_puzzle(guest)
        choose(guest, "save")
        expect(guest.page.locator("#training-words")).to_contain_text("every move but one")
        choose(guest, "win-3")
        card = guest.page.locator("#training-card")
        expect(guest.page.locator("#training-words")).to_contain_text("wins with the second move")
        puzzle = PUZZLES[int(card.get_attribute("data-puzzle") or 0) - 1]
        assert puzzle.task is Task.WIN_3
        (key,) = solutions(puzzle.position, puzzle.task)
        wrong = next(move for move in puzzle.position.moves() if move[:2] != key[:2])
        touch(guest, wrong)
        expect(guest.page.locator("#training-words .answer")).to_contain_text("No: ")
        touch(guest, key)
        expect(guest.page.locator("#training-words .praise")).to_contain_text("Good: ")
        after = judge(puzzle.position, puzzle.task, 3, key).position
        touch(guest, next(move for move in after.moves() if wins_by(after, move, 1)))
        expect(guest.page.locator("#training-words")).to_contain_text("wins: solved.")
        expect(guest.page.locator("#training-actions")).to_contain_text("1 of ")
        guest.page.locator("#puzzle-next").click()
        expect(card).to_have_attribute("data-over", "false")
        guest.page.locator("#leave-training").click()
        guest.page.wait_for_selector("#training-card", state="hidden")
        guest.assert_piece("d2", "d2, Black Panthan")


@pytest.mark.parametrize("how", [{}, {"viewport": PHONE}, {"color_scheme": "dark"}])
def test_a_puzzle_is_open_to_all_in_german(
    browser: Browser, tmp_path: Path, how: dict[str, str]
) -> None:
    with (
        served(tmp_path, "--board", "screen") as table,
        visiting(browser, table, "?lang=de", **how) as guest,
    ):
        open_puzzle(guest)
        expect(guest.page.locator("#training-heading")).to_contain_text("Rätsel")
        found = Axe().run(guest.page).response["violations"]
        assert [each["id"] for each in found if each["impact"] in ("serious", "critical")] == []
        assert guest.is_as_wide_as_its_window()
