"""Two tables without a board, far apart: a match is begun and played on their pages."""

import re
from contextlib import ExitStack
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.e2e.served import Served, Visitor, served_at_broker, visiting
from tests.e2e.windows import Windows
from tests.jetan_table.extras.hall.mosquitto import Mosquitto, until

pytestmark = pytest.mark.needs("chromium", "mosquitto")


def test_a_code_on_two_pages_makes_one_game(
    windows: Windows, tmp_path: Path, mosquitto: Mosquitto
) -> None:
    with ExitStack() as ends:
        tables = [
            ends.enter_context(served_at_broker(tmp_path, mosquitto.port, name))
            for name in ("alpha", "beta")
        ]
        alpha, beta = (ends.enter_context(visiting(windows, table)) for table in tables)
        code = ask_far(alpha, "")
        assert re.fullmatch("[A-Z]{6}", code)
        ask_far(beta, code.lower())
        for table in tables:
            until(lambda table=table: table.state()["orange"] == "beta", 20.0)  # type: ignore[misc]
        for number, (near, start, end) in enumerate(
            ((alpha, "d2", "d3"), (beta, "e9", "e8"), (alpha, "e2", "e3")), 1
        ):
            near.await_playing()
            near.touch(start, end)
            for table in tables:
                until(lambda table=table, number=number: len(moves(table)) == number, 20.0)  # type: ignore[misc]
        assert moves(tables[0]) == moves(tables[1]) == ["Pd2-d3", "Pe9-e8", "Pe2-e3"]
        speak_for_their_own_sides(alpha, beta)


def speak_for_their_own_sides(alpha: Visitor, beta: Visitor) -> None:
    """Each sits before its own side, and answers what the other one asks, whoever is to move."""
    expect(alpha.page.locator("#strip-near .name")).to_have_text("alpha")
    expect(beta.page.locator("#strip-near .name")).to_have_text("beta")
    alpha.page.locator("#do-menu").click()
    alpha.page.locator("#do-draw").click()
    alpha.page.get_by_role("dialog").get_by_role("button", name="Offer a draw").click()
    expect(beta.page.locator("#do-accept")).to_be_visible()
    expect(alpha.page.locator("#said")).to_contain_text("Black offers a draw.")
    expect(alpha.page.locator("#do-accept")).to_have_count(0)
    beta.page.locator("#do-decline").click()
    expect(alpha.page.locator("#said")).not_to_contain_text("offers a draw")
    alpha.page.locator("#do-back").click()
    beta.page.locator("#do-decline-back").click()
    expect(beta.page.locator("#do-decline-back")).to_have_count(0)


def moves(table: Served) -> list[str]:
    return [str(move) for move in table.state()["moves"]]


def ask_far(visitor: Visitor, code: str) -> str:
    """Invite or accept on the page; return the code that the page then tells."""
    page = visitor.page
    page.click("[data-action=two]")
    if not page.is_visible("#open-far"):
        page.click("#do-menu")
    page.click('[data-action="far"]')
    page.fill("dialog[open] [name=code]", code)
    page.click("dialog[open] button.main")
    expect(page.locator("dialog[open]")).to_have_count(0)
    if code:
        return code
    note = page.get_by_text(re.compile("match [A-Z]{6}: waiting"))
    expect(note.first).to_be_visible()
    return str(note.first.inner_text()).split("match ")[1][:6]
