"""The first page, and what follows from it: each way out of it leads where it says."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import Route, expect

from rules import RECOMMENDED
from tests.e2e.served import Served, Visitor, fill_in, served, visiting
from tests.e2e.test_training import look_at_first, play_badly
from tests.e2e.windows import PHONE, Windows, amiss

pytestmark = pytest.mark.needs("chromium")


@pytest.fixture(scope="module")
def options() -> tuple[str, ...]:
    return "--board", "screen"


def test_the_header_works_from_the_first_page(visitor: Visitor) -> None:
    page, start = visitor.page, visitor.page.locator("#start")
    expect(start).to_contain_text("The chess of Mars, on a table that shows you how")
    page.locator("#open-learn").click()
    expect(page.locator("#lesson-card")).to_be_visible()
    expect(start).to_be_hidden()
    page.locator("#leave-course").click()
    expect(page.locator("#lesson-card")).to_be_hidden()
    page.locator("#open-start").click()
    expect(start).to_be_visible()
    visitor.begin(preset="ninth-ray-clockwise")
    expect(start).to_be_hidden()
    expect(page.locator("#board.disk")).to_be_visible()


def test_a_game_plays_itself_on_the_board_that_is_chosen(windows: Windows, table: Served) -> None:
    with visiting(windows, table, reduced_motion="no-preference") as guest:
        caption = guest.page.locator("#caption")
        expect(caption).to_have_text("The Flier leaps over everyone.")
        expect(caption).to_have_text("The Thoat takes one straight step and one diagonal.")
        guest.page.locator("[data-show=disk]").click()
        expect(guest.page.locator("#board.disk")).to_be_visible()
        guest.square("e2").click(force=True)
        expect(guest.page.locator("#start")).to_be_hidden()
        expect(guest.page.locator("#board:not(.disk)")).to_be_visible()
        guest.assert_moves()


def test_who_asks_for_less_motion_sees_a_board_at_rest(visitor: Visitor) -> None:
    visitor.assert_piece("d1", "Black Flier")
    visitor.page.wait_for_timeout(2500)
    visitor.assert_piece("d1", "Black Flier")


@pytest.mark.parametrize(
    ("tile", "opponent"), [("against", "orange"), ("two", None), ("watch", "both")]
)
def test_a_tile_begins_what_it_says_whatever_was_played_before(
    table: Served, visitor: Visitor, tile: str, opponent: str | None
) -> None:
    terms = {"clock": "0.2", "conduct": "tournament", "black": "Ann", "orange": "Bob"}
    table.begin_anew("cazaux", **terms)
    page = visitor.page
    expect(page.locator("#clock-black")).to_be_visible()
    page.locator("#open-start").click()
    page.locator(f"[data-action={tile}]").click()
    expect(page.locator("#do-hint")).to_be_visible()
    expect(page.locator("#clock-black")).to_be_hidden()
    expect(page.locator("#counters")).to_contain_text("Standard")
    expect(page.locator("body")).not_to_contain_text("Ann")
    if opponent is not None:
        level = page.locator("#strip-far .level")
        expect(level).to_contain_text("easiest" if tile == "against" else "easy")
    state = table.state()
    assert (state["rules"], state["conduct"], state["clock"]) == (RECOMMENDED, "friendly", None)
    assert (state["black"], state["orange"], state["ledger"]) == ("?", "?", None)
    assert (state["opponent"] or {"side": None})["side"] == opponent


def test_the_first_page_asks_little_and_shows_the_table(visitor: Visitor) -> None:
    offered = visitor.page.locator("#start :is(button, a)")
    expect(offered).to_have_count(7)
    expect(visitor.page.locator("#start .others > *")).to_have_count(3)
    expect(visitor.page.locator(".choice b")).to_have_text(
        ["Play the computer", "Play a friend", "Learn", "The puzzle of the day"]
    )
    picture = visitor.page.locator(".lit img")
    assert picture.evaluate("image => image.decode().then(() => image.naturalWidth)") == 880


def test_who_wins_is_asked_from_where_one_practises(visitor: Visitor) -> None:
    """Where no endings are solved the page says how they are."""
    page = visitor.page
    page.locator("[data-action=on]").click()
    page.locator("#do-menu").click()
    page.locator("#menu [data-action=who-wins]").click()
    expect(page.locator("#asks")).to_contain_text("jetan endings make zillions")
    expect(page.locator("#asks select")).to_have_count(0)
    assert amiss(page) == {}
    page.locator(".tools .button").click()
    visitor.await_ready()


def test_what_is_asked_for_help_stays_in_its_place(visitor: Visitor) -> None:
    """Hint, Why? and Take back do not move under the pointer, whatever the table says."""
    page = visitor.page
    page.locator("[data-action=two]").click()
    expect(page.locator("#start")).to_be_hidden()
    before = page.locator("#do-hint").bounding_box()
    for _more in range(3):
        page.locator("#do-hint").click()
        expect(page.locator("#said")).to_contain_text("Hint: ")
    assert page.locator("#do-hint").bounding_box() == before
    visitor.touch("d1")
    visitor.assert_cue("d1", "lifted")
    assert page.locator("#do-hint").bounding_box() == before


SMALL = """() => [...document.querySelectorAll(".page :is(button, .button, summary)")]
  .filter((each) => each.checkVisibility() && each.getBoundingClientRect().height < 44)
  .map((each) => each.id || each.textContent)"""
"""A script that names what is lower than a finger's 44 pixels."""


def test_fingers_find_room(windows: Windows, table: Served) -> None:
    with visiting(windows, table, viewport=PHONE, is_mobile=True, has_touch=True) as guest:
        assert guest.page.evaluate(SMALL) == []
        guest.page.locator("[data-action=two]").click()
        expect(guest.page.locator("#start")).to_be_hidden()
        for tab in ("#tab-moves", "#do-menu"):
            guest.page.locator(tab).click()
            assert guest.page.evaluate(SMALL) == []


def test_the_piece_that_is_touched_tells_how_it_moves(visitor: Visitor) -> None:
    page, card = visitor.page, visitor.page.locator("#piece-card .move-card")
    page.locator("[data-action=two]").click()
    expect(page.locator("#start")).to_be_hidden()
    visitor.touch("d1")
    expect(card).to_contain_text("Takes exactly three diagonal steps")
    expect(card.locator(".reach-dot")).to_have_count(16)
    visitor.touch("c9")
    expect(card).to_have_attribute("data-card", "P")


def test_how_one_wins_is_told_alike_everywhere(visitor: Visitor) -> None:
    page = visitor.page
    wins = "Take the enemy Princess or the enemy Chief, with any piece, and you win."
    expect(page.locator("#start .wins")).to_have_text(wins)
    page.locator("#open-help").click()
    expect(page.locator("dialog .aim")).to_contain_text(wins)
    gestures = "your Chief, your Princess, and the other side's Chief"
    expect(page.get_by_role("dialog")).to_contain_text(gestures)
    page.keyboard.press("Escape")
    page.keyboard.press("n")
    card = page.locator("dialog .reading:has(:checked)")
    expect(card).to_contain_text("recommended")
    expect(card).to_contain_text("Any piece that takes the enemy Princess or the enemy Chief wins.")
    first = page.locator("dialog fieldset.readings").first
    expect(first.locator("input")).to_have_count(4)
    expect(first).not_to_contain_text("Zillions")


def test_a_double_click_begins_one_game(visitor: Visitor) -> None:
    page, asked = visitor.page, list[str]()
    page.on("request", lambda request: asked.append(request.post_data or ""))
    page.keyboard.press("n")
    page.get_by_role("dialog").get_by_role("button", name="Begin").dblclick()
    expect(page.get_by_role("dialog")).to_be_hidden()
    visitor.assert_moves()
    assert [each.startswith('{"do":"new"') for each in asked].count(True) == 1
    page.locator("#open-start").click()
    page.locator("[data-action=two]").dblclick()
    expect(page.locator("#start")).to_be_hidden()
    visitor.assert_moves()
    assert [each.startswith('{"do":"new"') for each in asked].count(True) == 2


def test_what_a_new_game_keeps_of_the_last_one_is_said_before_it_begins(
    table: Served, visitor: Visitor
) -> None:
    table.begin_anew("appendix,juggernaut=e5", clock="10+5", black="Gahan", orange="Tara")
    page = visitor.page
    expect(page.locator("#start")).to_be_hidden()
    page.keyboard.press("n")
    dialog = page.get_by_role("dialog")
    carried = dialog.locator(".carried")
    expect(carried).to_contain_text("10 + 5 · Gahan – Tara")
    dialog.locator("[name=clock-chip][value=none]").check(force=True)
    fill_in(dialog, "preset", "manator-arena")
    expect(carried).to_contain_text("The arena of Manator")
    expect(carried).to_contain_text("No clock")


def test_a_die_that_is_due_is_asked_for_before_a_move(table: Served, visitor: Visitor) -> None:
    table.begin_anew("appendix,juggernaut=e5")
    visitor.assert_piece("e5", "Juggernaut")
    visitor.touch("d2", "d3")
    expect(visitor.page.locator("#do-roll")).to_be_enabled()
    visitor.touch("e9")
    expect(visitor.page.locator("#toast")).to_have_text("Roll the die to move the Juggernaut.")
    visitor.assert_cue("e8", "")


def test_a_draw_that_is_offered_to_the_table_is_answered(visitor: Visitor) -> None:
    page = visitor.page
    page.keyboard.press("n")
    page.get_by_role("dialog").get_by_label("good").check()
    page.get_by_role("dialog").get_by_role("button", name="Begin").click()
    expect(page.get_by_role("dialog")).to_be_hidden()
    expect(page.locator("#strip-far .name")).to_have_text("The computer")
    visitor.touch("d2", "d3")
    expect(page.locator("#moves [data-ply]")).to_have_count(2)
    page.locator("#do-menu").click()
    page.locator("#do-draw").click()
    page.get_by_role("dialog").get_by_role("button", name="Offer a draw").click()
    expect(page.locator("#toast")).to_have_text("The table declines the draw and plays on.")


def test_an_old_game_has_its_own_words_and_is_there_again_after_guessing(
    windows: Windows, tmp_path: Path
) -> None:
    play_badly(tmp_path)
    arena = ("--board", "screen", "--rules", "manator-arena")
    with served(tmp_path, *arena) as table, visiting(windows, table) as guest:
        page = guest.page
        look_at_first(guest)
        expect(page.locator("#past")).to_have_text(re.compile(r"Move 2 \(Black\) of 2"))
        expect(page.locator("#do-hint")).to_be_hidden()
        expect(page.locator("#turn")).to_be_hidden()
        page.locator("#tab-moves").click()
        expect(page.locator("#counters")).to_contain_text("Appendix")
        page.locator("#tab-analysis").click()
        page.locator("#guess-black").click()
        page.locator("#leave-training").click()
        expect(page.locator("#past")).to_have_text(re.compile(r"Move 2 \(Black\) of 2"))
        guest.assert_piece("c9", "c9, Orange Princess")


def test_of_two_boards_that_are_asked_for_the_last_one_is_drawn_whichever_comes_first(
    windows: Windows, tmp_path: Path
) -> None:
    play_badly(tmp_path)
    disk = ("--board", "screen", "--rules", "ninth-ray-clockwise")
    with served(tmp_path, *disk) as table, visiting(windows, table, "?play") as guest:
        late: list[Route] = []
        boards = "**/api/boards/ninth-ray-clockwise"

        def hold(route: Route) -> None:
            late.append(route)

        guest.page.route(boards, hold)
        guest.page.reload()
        look_at_first(guest)
        guest.assert_piece("c9", "c9, Orange Princess")
        with guest.page.expect_response(boards):
            late[0].continue_()
        guest.await_ready()
        expect(guest.page.locator("#board")).not_to_have_class(re.compile("disk"))
        guest.assert_piece("c9", "c9, Orange Princess")
        guest.page.unroute(boards)
        guest.page.locator("#to-live").click()
        expect(guest.page.locator("#board.disk")).to_be_visible()
        guest.assert_piece("c9", "c9, Orange Panthan")
