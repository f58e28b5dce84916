"""Series, stakes and who begins on the page, in a real browser."""

import csv
import io
from urllib.request import urlopen

import pytest
from playwright.sync_api import expect

from tests.e2e.served import Served, Visitor, fill_in, visiting
from tests.e2e.windows import Windows

pytestmark = pytest.mark.needs("chromium")


def begin(guest: Visitor, **filled: str) -> None:
    """Begin a game of the series by the new-game dialog."""
    guest.page.keyboard.press("n")
    dialog = guest.page.locator("dialog[open]")
    for name, value in filled.items():
        fill_in(dialog, name, value)
    dialog.locator("button.main").click()


def test_an_evening_for_stakes_on_the_page(table: Served, visitor: Visitor) -> None:
    page = visitor.page
    begin(visitor, black="Tara", orange="Gahan", series="sunday", stake="10")
    visitor.assert_said("Roll for who begins: odd is Black, even is Orange.")
    expect(page.locator("#turn")).to_contain_text("Before the first move")
    page.locator("#roll-opening").click()
    expect(page.locator("#counters")).to_contain_text("begins (the die shows")
    expect(page.locator("#roll-opening")).to_have_count(0)
    loser = "Tara" if "Black to move" in (page.locator("#turn").text_content() or "") else "Gahan"
    page.locator("#do-resign").click()
    page.locator("dialog[open]").locator("button.main").click()
    rows = page.locator("#ledger tbody tr")
    expect(rows.filter(has_text=loser)).to_have_text(f"{loser}0−100−10")
    with urlopen(f"{table.url}api/series/sunday.csv") as answer:
        (row,) = csv.DictReader(io.StringIO(answer.read().decode()))
    assert {row["balance_1"], row["balance_2"]} == {"-10", "10"}
    page.keyboard.press("n")
    dialog = page.locator("dialog[open]")
    expect(dialog.locator("[name=black]")).to_have_value("Gahan")
    expect(dialog.locator("[name=series]")).to_have_value("sunday")
    dialog.locator("button.main").click()
    visitor.assert_said("says who begins")
    page.get_by_role("button", name="Orange begins").click()
    expect(page.locator("#turn")).to_contain_text("Orange to move")
    expect(rows.filter(has_text=loser)).to_have_text(f"{loser}000−10")


def test_heads_are_paid_for_live_and_the_words_are_german(windows: Windows, table: Served) -> None:
    with visiting(windows, table, "?lang=de") as guest:
        page = guest.page
        position = "9c/3q6/10/10/4p5/3F1F4/10/10/10/C3Q5 b - - 0 1"
        begin(guest, black="Tara", orange="Gahan", series="sonntag", position=position, price="3")
        expect(page.locator("#ledger")).to_be_visible()
        guest.assert_piece("d5", "Schwarz Flieger")
        guest.assert_said("Schwarz ist am Zug.")
        guest.drag("d5", "e6")
        guest.assert_moves("Fd5xe6")
        rows = page.locator("#ledger tbody tr")
        expect(rows.nth(0)).to_have_text("Tara0+300")
        expect(rows.nth(1)).to_have_text("Gahan3−300")
        page.keyboard.press("b")
        expect(rows.nth(0)).to_have_text("Tara0000")
        begin(guest, series="?!")
        refused = page.locator("dialog[open]").locator(".refused")
        expect(refused).to_contain_text("ein Serienname hat bis zu 40 Buchstaben")
