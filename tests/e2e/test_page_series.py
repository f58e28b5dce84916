"""Series, stakes and who begins on the page, in a real browser."""

import csv
import io
from urllib.request import urlopen

from playwright.sync_api import expect

from tests.e2e.served import Served, Visitor, fill_in


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
