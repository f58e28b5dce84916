"""Arrows on the page in a real browser: hints, people's own, lines, a study, a move told ahead."""

from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from jetan_table.extras.lessons.puzzles import Task, read_daily, solutions
from rules import format_square
from tests.e2e.served import Served, Visitor, visiting
from tests.e2e.windows import LOOKS, Windows, amiss
from tests.profiles import sampled

pytestmark = pytest.mark.needs("chromium")


@pytest.fixture(scope="module")
def options() -> tuple[str, ...]:
    return ("--board", "screen")


def arrows(page: Page) -> Locator:
    return page.locator("#arrows li")


def leave_start(guest: Visitor) -> None:
    guest.page.evaluate("location.hash = 'game/' + document.body.dataset.ready")


def drag_right(guest: Visitor, start: str, end: str) -> None:
    for name, act in ((start, guest.page.mouse.down), (end, guest.page.mouse.up)):
        box = guest.square(name).bounding_box()
        guest.page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2, steps=3)
        act(button="right")


def test_a_hint_is_an_arrow_along_the_way(table: Served, visitor: Visitor) -> None:
    leave_start(visitor)
    for more in ("piece", "move"):
        table.ask("api/do", do="hint", wanted=more)
    expect(arrows(visitor.page)).to_contain_text("Hint: ")
    (hint,) = (each for each in table.state()["arrows"] if each["kind"] == "hint")
    drawn = visitor.page.locator(".arrow.hint")
    expect(drawn).to_have_attribute("data-arrow", " ".join(hint["path"]))
    visitor.touch(hint["path"][0], hint["path"][-1])
    expect(arrows(visitor.page)).to_have_count(0)


def test_people_draw_arrows_by_the_right_button_and_by_keys(visitor: Visitor) -> None:
    leave_start(visitor)
    page = visitor.page
    drag_right(visitor, "a2", "b4")
    expect(arrows(page)).to_have_text("Your arrow: Thoat a2 to b4")
    expect(page.locator(".arrow.own")).to_have_attribute("data-arrow", "a2 a3 b4")
    drag_right(visitor, "e5", "h7")
    expect(arrows(page)).to_have_count(2)
    drag_right(visitor, "e5", "h7")
    expect(arrows(page)).to_have_count(1)
    visitor.square("e2").focus()
    for key in ("a", "ArrowUp", "a"):
        page.keyboard.press(key)
    expect(arrows(page).last).to_have_text("Your arrow: Panthan e2 to e3")
    expect(page.locator("#spoken")).to_have_text("Your arrow: Panthan e2 to e3")
    visitor.square("g6").click(button="right", force=True)
    expect(arrows(page)).to_have_count(0)


def test_threats_are_arrows_where_they_are_wanted(table: Served, visitor: Visitor) -> None:
    table.begin_anew(position="9q/10/10/d9/10/10/10/Q9/10/10 b - - 0 1")
    expect(arrows(visitor.page)).to_have_count(0)
    visitor.page.keyboard.press("t")
    expect(arrows(visitor.page)).to_have_count(0)
    table.begin_anew(position="9q/10/10/10/10/d9/10/10/Q9/10 b - - 0 1")
    visitor.page.keyboard.press("t")
    expect(arrows(visitor.page)).to_have_text("Threat: Dwar a5 to a2")


@pytest.mark.parametrize("how", sampled(LOOKS, by_hand=1))
def test_a_study_is_a_tree_with_a_name_and_a_way_out(
    windows: Windows, table: Served, how: dict[str, Any]
) -> None:
    # A study of one start goes on where it was left: each look has a start of its own.
    table.begin_anew("appendix" if how else "cazaux")
    with visiting(windows, table, **how) as guest:
        page, tree = guest.page, guest.page.locator("#study-tree button")
        page.evaluate("location.hash = 'study'")
        expect(page.locator("#study-best > li")).to_have_count(3)
        expect(page.locator("#bar")).to_be_visible()
        guest.touch("d2", "d3")
        expect(tree).to_have_text(["1. Pd2-d3"])
        guest.touch("e9", "e8")
        expect(tree).to_have_count(2)
        page.keyboard.press("b")
        expect(tree.first).to_have_attribute("aria-current", "step")
        guest.touch("f9", "f8")
        expect(tree).to_have_text(["1. Pd2-d3", "Pe9-e8", "1… Pf9-f8"])
        tree.nth(1).click()
        guest.assert_piece("e8", "e8, Orange Panthan")
        guest.assert_piece("f9", "f9, Orange Panthan")
        expect(page.locator("#study-best > li")).to_have_count(3)
        expect(page.locator(".arrow.best")).to_have_count(3)
        line = page.locator("#study-best .line").first.get_by_role("button")
        line.nth(1).click()
        expect(line.nth(1)).to_have_attribute("aria-current", "")
        expect(page.locator("#past")).to_contain_text("A line: ")
        assert amiss(page) == {}
        page.keyboard.press("Escape")
        expect(page.locator("#past")).to_be_hidden()
        page.locator("#study-name").click()
        name = f"Wing {page.viewport_size['width'] if page.viewport_size else 0}"
        page.get_by_role("dialog").get_by_role("textbox").fill(name)
        page.keyboard.press("Enter")
        expect(page.locator("#study-card h2")).to_have_text(f"Study: {name}")
        assert amiss(page) == {}
        assert guest.is_as_wide_as_its_window()
        page.locator("#leave-study").click()
        expect(page.locator("#study-card")).to_be_hidden()
        assert not table.state()["is_study"]
        table.begin_anew()
        page.evaluate("name => (location.hash = `study/${name}`)", name)
        expect(page.locator("#study-card")).to_be_visible()
        expect(tree).to_have_text(["1. Pd2-d3", "Pe9-e8", "1… Pf9-f8"])


def test_a_wrong_try_is_refuted_on_the_board(table: Served, visitor: Visitor) -> None:
    puzzle = next(each for each in read_daily() if each.task is Task.SAVE)
    (key,) = solutions(puzzle.position, puzzle.task)
    wrong = next(move for move in puzzle.position.moves() if move[:2] != key[:2])
    table.ask("api/do", do="puzzle", number=puzzle.number)
    page = visitor.page
    expect(page.locator("#training-card")).to_be_visible()
    guest = visitor
    start, end = format_square(wrong.from_square), format_square(wrong.to_square)
    guest.assert_piece(start, "Black|Orange")
    guest.touch(start)
    guest.assert_piece(start, "lifted from here")
    guest.touch(end)
    line = page.locator("#training-words .line button")
    expect(line).to_have_count(2)
    expect(page.locator(".arrow.reply")).to_have_count(1)
    line.nth(1).click()
    reply = page.locator("#past")
    expect(reply).to_contain_text("A line: ")
    page.keyboard.press("Escape")
    expect(reply).to_be_hidden()
    guest.assert_piece(start, "Black|Orange")


@pytest.mark.own_table("--board", "screen", "--speed", "1")
def test_a_move_is_told_ahead_and_played_at_once(table: Served, visitor: Visitor) -> None:
    page = visitor.page
    table.begin_anew(clock="10+5")
    table.ask("api/do", do="invite", level="jeddak", side="orange")
    expect(page.locator("#strip-far .name")).to_have_text("The computer")
    visitor.touch("d2", "d3", "e2")
    expect(page.locator(".ahead-from")).to_have_count(1)
    visitor.touch("e3")
    expect(arrows(page)).to_have_text("Played when it is your turn: Panthan e2 to e3")
    visitor.touch("e6")
    expect(arrows(page)).to_have_count(0)
    visitor.touch("e2", "e3")
    expect(page.locator("#moves [data-ply]").nth(2)).to_have_text("Pe2-e3")
    expect(arrows(page)).to_have_count(0)
