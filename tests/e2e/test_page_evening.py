"""What two people agree on at the page, in a real browser: gestures, and draws offered."""

import pytest
from playwright.sync_api import expect

from tests.e2e.served import Visitor


@pytest.mark.own_table("--speed", "0.4")  # the second piece is to be lifted soon after the first
def test_who_lifts_chief_and_princess_and_holds_them_gives_up(visitor: Visitor) -> None:
    page = visitor.page
    visitor.touch("e1")
    page.wait_for_timeout(1600)
    visitor.touch("f1")
    visitor.assert_cue("e1", "gesture")
    expect(page.locator("#said")).to_contain_text("Black resigns when the light is full.")
    visitor.assert_cue("f5", "gesture")
    expect(page.locator("#turn")).to_contain_text("Orange won")


def test_a_game_begins_from_what_stands_there_once_each_piece_is_named(visitor: Visitor) -> None:
    page = visitor.page
    visitor.touch("d2", "d5")
    visitor.assert_cue("d5", "wrong")
    page.locator("#open-standing").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_role("button", name="Black Chief", exact=True).click()
    dialog.locator("[data-named=d5]").click()
    dialog.get_by_role("button", name="Begin").click()
    expect(dialog.locator(".refused")).to_contain_text("2 of C are named: at most 1")
    dialog.get_by_role("button", name="Black Panthan", exact=True).click()
    dialog.locator("[data-named=d5]").click()
    dialog.locator("[name=side]").select_option("orange")
    dialog.get_by_role("button", name="Begin").click()
    expect(dialog).to_be_hidden()
    expect(page.locator("#turn")).to_contain_text("Orange to move")
    visitor.assert_piece("d5", "d5, Black Panthan")
    visitor.drag("e9", "e8")
    visitor.assert_moves("Pe9-e8")


@pytest.mark.own_table
def test_a_board_that_lies_turned_is_asked_about_and_named_rightly(visitor: Visitor) -> None:
    page = visitor.page
    for start, end in (("e9", "e8"), ("c9", "c8")):  # one move out of turn shows nothing
        visitor.drag(start, end)
        visitor.assert_cue(end, "wrong")
        page.wait_for_timeout(750)
        visitor.drag(end, start)
        page.wait_for_timeout(400)
    visitor.drag("g9", "g8")
    visitor.assert_cue("j10", "question")
    expect(page.locator("#said")).to_contain_text("Is the board turned round?")
    page.get_by_role("button", name="a1 is j10").click()
    visitor.assert_moves("Pd2-d3")
    visitor.drag("e9", "e8")
    visitor.assert_moves("Pd2-d3", "Pe9-e8")
